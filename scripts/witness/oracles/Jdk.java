// SPDX-License-Identifier: MIT
// CharsetDecoder, a line of pieces at a time: `[CHARSET:]MODE HEX,HEX,...` in; UTF-16 units out, a group a piece and one for
// the end. DataInput.readUTF: `readUTF HEX` in, units out. DataOutput.writeUTF: `writeUTF UNIT,UNIT,...` in, HEX out.

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;

public class Jdk {
    static final CodingErrorAction[] ACTIONS = {CodingErrorAction.REPLACE, CodingErrorAction.IGNORE, CodingErrorAction.REPORT};
    static final String[] MODES = {"replace", "ignore", "report"};

    static String units(CharSequence text) {
        StringJoiner joined = new StringJoiner(",");
        for (int i = 0; i < text.length(); i++)
            joined.add(Integer.toHexString(text.charAt(i)).toUpperCase());
        return text.length() == 0 ? "-" : joined.toString();
    }

    static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
    }

    static CodingErrorAction action(String mode) {
        for (int i = 0; i < MODES.length; i++)
            if (MODES[i].equals(mode))
                return ACTIONS[i];
        throw new IllegalArgumentException(mode);
    }

    /* What is left of a piece is the beginning of the next, as for any caller of a CharsetDecoder. */
    static String decode(Charset charset, String mode, String[] pieces) {
        CharsetDecoder decoder = charset.newDecoder().onMalformedInput(action(mode));
        StringJoiner groups = new StringJoiner("|");
        byte[] left = {};
        int start = 0;
        for (int i = 0; i <= pieces.length; i++) {
            byte[] piece = i < pieces.length ? bytes(pieces[i]) : new byte[0];
            ByteBuffer in = ByteBuffer.allocate(left.length + piece.length).put(left).put(piece).flip();
            CharBuffer out = CharBuffer.allocate(in.remaining() + 8);
            CoderResult result = decoder.decode(in, out, i == pieces.length);
            if (result.isError())
                return "error " + (start + in.position()) + " " + result.length();
            if (i == pieces.length)
                decoder.flush(out);
            start += in.position();
            left = new byte[in.remaining()];
            in.get(left);
            groups.add(units(out.flip()));
        }
        return groups.toString();
    }

    /* The two bytes before the string say how long it is. */
    static String readUTF(byte[] text) throws IOException {
        byte[] whole = ByteBuffer.allocate(2 + text.length).putShort((short) text.length).put(text).array();
        try {
            return units(new DataInputStream(new ByteArrayInputStream(whole)).readUTF()) + "|-";
        } catch (UTFDataFormatException error) {
            return "error";
        }
    }

    static String writeUTF(String[] units) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String unit : units)
            if (!unit.equals("-"))
                text.append((char) Integer.parseInt(unit, 16));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DataOutputStream(out).writeUTF(text.toString());
        byte[] whole = out.toByteArray();
        return whole.length == 2 ? "-" : HexFormat.of().withUpperCase().formatHex(whole, 2, whole.length);
    }

    static String answer(String mode, String[] words) throws IOException {
        int colon = mode.indexOf(':');
        Charset charset = colon < 0 ? StandardCharsets.UTF_8 : Charset.forName(mode.substring(0, colon));
        switch (mode) {
        case "string": return units(new String(bytes(String.join("", words)), StandardCharsets.UTF_8)) + "|-";
        case "readUTF": return readUTF(bytes(String.join("", words)));
        case "writeUTF": return writeUTF(words);
        default: return decode(charset, mode.substring(colon + 1), words);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            out.append(answer(words[0], words[1].split(","))).append('\n');
        }
        System.out.print(out);
    }
}
