// SPDX-License-Identifier: MIT
//
// D as a subject: decode of std.utf, which throws, or replaces under Yes.useReplacementDchar.

import std.algorithm, std.array, std.conv, std.format, std.stdio, std.string, std.typecons, std.utf;

string answer(string[] request)
{
    string hex = request[$ - 1], policy = request[0] == "decode" ? request[2] : "strict";
    if (request[1] != "utf-8" || !["validate", "decode"].canFind(request[0]) || !["strict", "own"].canFind(policy) || hex.canFind(","))
        return "skip not offered";
    char[] text;
    for (size_t i = 0; hex != "-" && i < hex.length; i += 2)
        text ~= cast(char) hex[i .. i + 2].to!ubyte(16);
    string[] points;
    size_t at = 0;
    try {
        while (at < text.length)
            points ~= format("%X", cast(uint) (policy == "strict" ? decode(text, at) : decode!(Yes.useReplacementDchar)(text, at)));
    } catch (UTFException error) {
        return "error";
    }
    return request[0] == "validate" ? "ok" : "ok " ~ (points.empty ? "-" : points.join(","));
}

void main()
{
    foreach (line; stdin.byLineCopy) {
        string[] words = line.split(" ");
        if (words[0] == "hello")
            writeln("hello assay/1 d encodings=utf-8 policies=strict,own ops=validate,decode chunks=no");
        else
            writeln(words[0], " ", answer(words[1 .. $]));
        stdout.flush();
    }
}
