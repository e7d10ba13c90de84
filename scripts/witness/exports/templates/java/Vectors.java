// SPDX-License-Identifier: CC0-1.0
package utf8assay;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The golden vectors of utf8-assay: a conformance set for decoders and encoders of UTF-8 and its family. A test is a line of a table; its
 * columns are the fields of FORMAT.md, a field in an object being OBJECT.FIELD.
 *
 * <pre>for (Map&lt;String, String&gt; test : Vectors.tests("utf-8/overlong")) decode(Vectors.unhex(test.get("bytes")));</pre>
 */
public final class Vectors {
    private Vectors() {
    }

    private static List<String> lines(String path) throws IOException {
        InputStream stream = Vectors.class.getResourceAsStream(path);
        if (stream == null)
            throw new FileNotFoundException("no vectors are called " + path);
        List<String> found = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
                found.add(line);
        }
        return found;
    }

    /** All categories: ENCODING/CATEGORY. */
    public static List<String> names() throws IOException {
        return lines("names.txt");
    }

    /** The tests of a category. */
    public static List<Map<String, String>> tests(String name) throws IOException {
        List<String> lines = lines(name + ".tsv");
        String[] names = lines.get(0).split("\t", -1);
        List<Map<String, String>> found = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split("\t", -1);
            Map<String, String> test = new LinkedHashMap<>();
            for (int at = 0; at < names.length; at++)
                test.put(names[at], cells[at]);
            found.add(test);
        }
        return found;
    }

    /** HEX as bytes; "-" is none. */
    public static byte[] unhex(String text) {
        String digits = text.equals("-") ? "" : text;
        byte[] bytes = new byte[digits.length() / 2];
        for (int at = 0; at < bytes.length; at++)
            bytes[at] = (byte) Integer.parseInt(digits.substring(2 * at, 2 * at + 2), 16);
        return bytes;
    }

    /** SCALARS as code points; "-" is none. */
    public static int[] scalars(String text) {
        String[] items = text.equals("-") ? new String[0] : text.split(",");
        int[] found = new int[items.length];
        for (int at = 0; at < items.length; at++)
            found[at] = Integer.parseInt(items[at], 16);
        return found;
    }
}
