// SPDX-License-Identifier: CC0-1.0
// Holds the JDK's decoder against the golden vectors: scripts/export --form tsv out && java Check.java out/tsv/utf-8

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

public class Check {
    static String scalars(String text) {
        String joined = text.codePoints().mapToObj(c -> Integer.toHexString(c).toUpperCase()).collect(Collectors.joining(","));
        return joined.isEmpty() ? "-" : joined;
    }

    static final int SHOWN = 10; // of those that fail
    static int failed = 0;

    static int check(String id, String policy, String hex, String given, String wanted) {
        if (given.equals(wanted))
            return 1;
        if (failed++ < SHOWN)
            System.err.printf("%s: %s of %s: %s, not %s%n", id, policy, hex, given, wanted);
        return 0;
    }

    static String verdict(boolean accepted) {
        return accepted ? "well-formed" : "ill-formed";
    }

    static boolean accepts(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException error) {
            return false;
        }
    }

    static int total = 0, strict = 0, jdk = 0;

    static void checkTable(Path path) throws IOException {
        List<String> lines = Files.readAllLines(path);
        List<String> names = Arrays.asList(lines.get(0).split("\t"));
        for (String line : names.contains("bytes") ? lines.subList(1, lines.size()) : List.<String>of()) {
            String[] fields = line.split("\t");
            String hex = fields[names.indexOf("bytes")];
            byte[] bytes = hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
            total++;
            strict += check(fields[0], "strict (verdict)", hex, verdict(accepts(bytes)),
                    verdict(fields[names.indexOf("well_formed")].equals("true")));
            jdk += check(fields[0], "jdk", hex, scalars(new String(bytes, StandardCharsets.UTF_8)),
                    fields[names.indexOf("outputs.jdk")]);
        }
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
        if (total == 0)
            fail("no vectors in " + folder);
        System.out.printf("strict (verdict): %d of %d passed%njdk: %d of %d passed%n", strict, total, jdk, total);
        System.exit(failed > 0 ? 1 : 0);
    }
}
