// SPDX-License-Identifier: MIT
//
// The JDK as a subject: CharsetDecoder, whole and in pieces, CharsetEncoder, and DataInput.readUTF.

import java.io.*;
import java.nio.*;
import java.nio.charset.*;
import java.util.*;

public class Jdk {
    static final Map<String, String> CHARSETS = Map.of("utf-8", "UTF-8", "cesu-8-jdk", "CESU-8", "utf-16le", "UTF-16LE", "utf-16be", "UTF-16BE");

    static byte[] bytes(String hex) {
        byte[] out = new byte[hex.equals("-") ? 0 : hex.length() / 2];
        for (int i = 0; i < out.length; i++)
            out[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return out;
    }

    static String scalars(CharSequence text) {
        StringJoiner out = new StringJoiner(",");
        text.codePoints().forEach(one -> out.add(Integer.toHexString(one).toUpperCase()));
        return out.length() == 0 ? "-" : out.toString();
    }

    static CharsetDecoder decoder(String encoding, String policy) {
        if (!CHARSETS.containsKey(encoding) || !(policy.equals("strict") || policy.equals("own")))
            return null;
        CodingErrorAction action = policy.equals("strict") ? CodingErrorAction.REPORT : CodingErrorAction.REPLACE;
        return Charset.forName(CHARSETS.get(encoding)).newDecoder().onMalformedInput(action).onUnmappableCharacter(action);
    }

    /* Groups, or the error after the separator; what the decoder leaves unread comes again before the next piece. */
    static String stream(CharsetDecoder decoder, String chunks, String separator, boolean isStop) {
        StringBuilder groups = new StringBuilder();
        String[] pieces = chunks.split(",", -1);
        byte[] held = {};
        int before = 0;
        for (int i = 0; i < pieces.length; i++) {
            byte[] piece = bytes(pieces[i].isEmpty() ? "-" : pieces[i]);
            ByteBuffer in = ByteBuffer.allocate(held.length + piece.length).put(held).put(piece).flip();
            CharBuffer out = CharBuffer.allocate(in.remaining() * 2 + 8);
            boolean last = i + 1 == pieces.length;
            CoderResult result = decoder.decode(in, out, last);
            if (last && !result.isError())
                result = decoder.flush(out);
            if (result.isError())
                return "error" + (isStop ? " " + i + " " + groups + (i > 0 ? "|" : "") + scalars(out.flip()) : "") + separator + (before + in.position()) + separator + "?";
            before += in.position();
            held = new byte[in.remaining()];
            in.get(held);
            groups.append(i > 0 ? "|" : "").append(scalars(out.flip()));
        }
        return groups.toString();
    }

    /* A text of DataInput is at most 65535 bytes long. */
    static String readUtf(byte[] text) throws IOException {
        if (text.length > 65535)
            return "skip too long";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DataOutputStream(out).writeShort(text.length);
        out.write(text);
        try {
            return scalars(new DataInputStream(new ByteArrayInputStream(out.toByteArray())).readUTF());
        } catch (UTFDataFormatException malformed) {
            return "error";
        }
    }

    static String hexed(ByteBuffer bytes) {
        StringBuilder hex = new StringBuilder();
        while (bytes.hasRemaining())
            hex.append(String.format("%02X", bytes.get()));
        return "ok " + (hex.length() == 0 ? "-" : hex);
    }

    /* A string of Java is UTF-16, so surrogates side by side cannot be given as code points. */
    static String encoded(String operation, String encoding, String policy, String units) {
        StringBuilder text = new StringBuilder();
        for (String unit : units.equals("-") ? new String[0] : units.split(",")) {
            long value = Long.parseLong(unit, 16);
            boolean isPair = text.length() > 0 && Character.isHighSurrogate(text.charAt(text.length() - 1)) && value >= 0xDC00 && value <= 0xDFFF;
            if (value > 0x10FFFF || (isPair && operation.equals("encode")))
                return "skip not offered";
            text.appendCodePoint((int) value);
        }
        if (!CHARSETS.containsKey(encoding) || !policy.equals("strict"))
            return "skip not offered";
        try {
            return hexed(Charset.forName(CHARSETS.get(encoding)).newEncoder().encode(CharBuffer.wrap(text)));
        } catch (CharacterCodingException error) {
            return "error";
        }
    }

    static String units(CharBuffer text) {
        StringJoiner out = new StringJoiner(",");
        while (text.hasRemaining())
            out.add(Integer.toHexString(text.get()).toUpperCase());
        return out.length() == 0 ? "-" : out.toString();
    }

    static String into(CharsetDecoder decoder, int room, byte[] text) {
        ByteBuffer in = ByteBuffer.wrap(text);
        CharBuffer out = CharBuffer.allocate(room);
        CoderResult result = decoder.decode(in, out, true);
        String word = result.isError() ? "error " : result.isOverflow() ? "full " : "ok ";
        return word + in.position() + " " + units(out.flip());
    }

    static String answer(String[] request) throws IOException {
        String operation = request[1], encoding = request[2], last = request[request.length - 1];
        String policy = operation.equals("validate") || operation.equals("stop") ? "strict" : request[3];
        CharsetDecoder decoder = decoder(encoding, policy);
        if (operation.startsWith("encode"))
            return encoded(operation, encoding, policy, last);
        if (operation.equals("into"))
            return decoder == null || !request[4].equals("utf-16") ? "skip not offered" : into(decoder, Integer.parseInt(request[5]), bytes(last));
        String reply;
        if (encoding.equals("mutf-8-readutf") && policy.equals("strict") && !last.contains(",") && !operation.equals("reuse") && !operation.equals("stop"))
            reply = readUtf(bytes(last));
        else if (decoder == null)
            return "skip not offered";
        else if (operation.equals("reuse")) {
            StringJoiner streams = new StringJoiner(";", "ok ", "");
            for (String chunks : last.split(";", -1))
                streams.add(stream(decoder.reset(), chunks, ":", false));
            return streams.toString();
        } else
            reply = stream(decoder, last, " ", operation.equals("stop"));
        boolean replies = reply.startsWith("error") || reply.startsWith("skip");
        return replies ? reply : operation.equals("validate") ? "ok" : "ok " + reply;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "US-ASCII");
        for (String line; (line = in.readLine()) != null;) {
            String[] request = line.split(" ");
            out.print((request[0].equals("hello")
                ? "hello assay/1 jdk " + System.getProperty("java.version") + " encodings=" + String.join(",", new TreeSet<>(CHARSETS.keySet()))
                    + ",mutf-8-readutf policies=strict,own ops=validate,decode,stop,reuse,into,encode,encode-utf16 chunks=late"
                : request[0] + " " + answer(request)) + "\n");
            out.flush();
        }
    }
}
