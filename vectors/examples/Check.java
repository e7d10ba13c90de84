// SPDX-License-Identifier: CC0-1.0
// Holds the JDK's decoder and encoder against the golden vectors. In a checkout:
//
//     scripts/export --form tsv /tmp/tables && java vectors/examples/Check.java /tmp/tables/tsv/utf-8
//
// In share/utf8-assay of an installation:
//
//     java vectors/examples/Check.java tsv/utf-8
//
// To test others, put them into `whole`, `accepts`, `inPieces`, `limited` and `encoded`. One that throws has failed that case.

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

public class Check {
    static String scalars(String text) {
        String joined = text.codePoints().mapToObj(c -> Integer.toHexString(c).toUpperCase()).collect(Collectors.joining(","));
        return joined.isEmpty() ? "-" : joined;
    }

    static CharsetDecoder decoder(CodingErrorAction action) {
        return StandardCharsets.UTF_8.newDecoder().onMalformedInput(action);
    }

    static String whole(byte[] data) {
        return scalars(new String(data, StandardCharsets.UTF_8));
    }

    static String accepts(byte[] data) {
        try {
            decoder(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(data));
            return "well-formed";
        } catch (CharacterCodingException error) {
            return "ill-formed";
        }
    }

    static final CharsetDecoder stream = decoder(CodingErrorAction.REPLACE); // one for all streams

    static String inPieces(List<byte[]> pieces) {
        int size = pieces.stream().mapToInt(piece -> piece.length).sum();
        ByteBuffer in = ByteBuffer.allocate(size);
        CharBuffer out = CharBuffer.allocate(size);
        stream.reset();
        for (byte[] piece : pieces) {
            in.put(piece).flip();
            stream.decode(in, out, false);
            in.compact(); // the beginning of a character stays
        }
        in.flip();
        stream.decode(in, out, true);
        stream.flush(out);
        return scalars(out.flip().toString());
    }

    /** What was read and written, as the tables say it. */
    static String limited(byte[] data, int capacity) {
        ByteBuffer in = ByteBuffer.wrap(data);
        CharBuffer out = CharBuffer.allocate(capacity);
        CoderResult result = decoder(CodingErrorAction.REPLACE).decode(in, out, true);
        return capacity + ":" + in.position() + ":" + out.position() + ":" + (result.isOverflow() ? "full" : "ok");
    }

    /** The bytes before the first error, and its index. */
    static String encoded(char[] units) {
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        CharBuffer in = CharBuffer.wrap(units);
        ByteBuffer out = ByteBuffer.allocate(3 * units.length);
        CoderResult result = encoder.encode(in, out, true);
        String hex = HexFormat.of().withUpperCase().formatHex(out.array(), 0, out.position());
        return (hex.isEmpty() ? "-" : hex) + (result.isError() ? " and an error at " + in.position() : "");
    }

    // ---- what is asked, and what is wanted ----

    record Question(String name, String shown, Supplier<String> call, String wanted) {
    }

    static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
    }

    static char[] units(String text) {
        char[] units = new char[text.equals("-") ? 0 : text.split(",").length];
        for (int i = 0; i < units.length; i++)
            units[i] = (char) Integer.parseInt(text.split(",")[i], 16);
        return units;
    }

    /** The JDK asks for room for two units before it sees that F0 9F 92 is an error, which needs one. */
    static final Set<String> MORE_ROOM = Set.of("utf-8/limited-output/f09f9241");

    static List<Question> questions(String category, Map<String, String> line) {
        List<Question> asked = new ArrayList<>();
        if (line.containsKey("bytes")) {
            String hex = line.get("bytes");
            byte[] data = bytes(hex);
            String verdict = line.get("well_formed").equals("true") ? "well-formed" : "ill-formed";
            asked.add(new Question("strict (verdict)", hex, () -> accepts(data), verdict));
            asked.add(new Question("jdk", hex, () -> whole(data), line.get("outputs.jdk")));
            boolean limited = line.containsKey("utf16_limits.jdk") && !MORE_ROOM.contains(line.get("id"));
            for (String wanted : limited ? line.get("utf16_limits.jdk").split(";") : new String[0]) {
                int capacity = Integer.parseInt(wanted.split(":")[0]);
                String shown = hex + " into " + capacity + " units";
                asked.add(new Question("jdk with limited room", shown, () -> limited(data, capacity), wanted));
            }
        } else if (line.containsKey("pieces")) {
            List<byte[]> pieces = Arrays.stream(line.get("pieces").split(",")).map(Check::bytes).toList();
            String emitted = Arrays.stream(line.get("emitted.jdk").split("\\|")).filter(one -> !one.equals("-")).collect(Collectors.joining(","));
            asked.add(new Question("jdk in pieces", line.get("pieces"), () -> inPieces(pieces), emitted.isEmpty() ? "-" : emitted));
        } else if (category.endsWith("encode-utf16")) {
            char[] units = units(line.get("units"));
            String stopped = line.get("outputs.strict.stopped_at");
            String wanted = line.get("outputs.strict.bytes") + (stopped.equals("null") ? "" : " and an error at " + stopped);
            asked.add(new Question("strict of the encoder", line.get("units"), () -> encoded(units), wanted));
        }
        return asked;
    }

    // ---- asking ----

    static final int SHOWN = 60; // characters of a long row

    /** A long row, cut so that the place is in it. */
    static String cut(String text, int at) {
        int start = text.length() > SHOWN ? Math.max(0, at - SHOWN / 2) : 0;
        int end = Math.min(text.length(), start + SHOWN);
        return (start > 0 ? "..." : "") + text.substring(start, end) + (end < text.length() ? "..." : "");
    }

    static String letter(String id, Question asked, String given) {
        int at = Arrays.mismatch(given.toCharArray(), asked.wanted.toCharArray());
        return String.format("%s: %s of %s%n    given   %s%n    wanted  %s", id, asked.name, cut(asked.shown, 0), cut(given, at), cut(asked.wanted, at));
    }

    static String answer(Supplier<String> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error error) {
            return "threw " + error;
        }
    }

    static final Map<String, int[]> counts = new LinkedHashMap<>(); // by question: passed, total

    static void checkTable(Path path) throws IOException {
        String category = path.getFileName().toString().replace(".tsv", ""), first = null;
        Set<String> cases = new HashSet<>(), failed = new HashSet<>();
        List<String> lines = Files.readAllLines(path);
        String[] names = lines.get(0).split("\t");
        for (String text : lines.subList(1, lines.size())) {
            String[] fields = text.split("\t");
            if (fields.length < names.length)
                throw new IllegalArgumentException("no table of scripts/export");
            Map<String, String> line = new LinkedHashMap<>();
            for (int i = 0; i < names.length; i++)
                line.put(names[i], fields[i]);
            for (Question asked : questions(category, line)) {
                String given = answer(asked.call);
                boolean passed = given.equals(asked.wanted);
                int[] count = counts.computeIfAbsent(asked.name, name -> new int[2]);
                count[0] += passed ? 1 : 0;
                count[1]++;
                cases.add(fields[0]);
                if (!passed && failed.add(fields[0]) && first == null)
                    first = letter(fields[0], asked, given);
            }
        }
        if (first != null)
            System.err.printf("utf-8/%s: %d of %d cases failed, the first:%n  %s%n", category, failed.size(), cases.size(), first);
    }

    static void fail(String text) {
        System.err.println(text);
        System.exit(2);
    }

    public static void main(String[] arguments) {
        if (arguments.length != 1)
            fail("usage: java Check.java FOLDER-OF-TABLES");
        Path folder = Path.of(arguments[0]), path = folder;
        try {
            for (Path table : Files.exists(folder) ? Files.list(folder).sorted().toList() : List.<Path>of()) {
                path = table;
                checkTable(table);
            }
        } catch (IOException | RuntimeException error) {
            fail(path + ": " + error);
        }
        if (counts.isEmpty())
            fail("no vectors in " + folder);
        counts.forEach((name, count) -> System.out.printf("%s: %d of %d passed%n", name, count[0], count[1]));
        System.exit(counts.values().stream().anyMatch(count -> count[0] < count[1]) ? 1 : 0);
    }
}
