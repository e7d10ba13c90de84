// SPDX-License-Identifier: MIT
//
// D as a subject: encode and decode of std.utf, which throw, or replace under Yes.useReplacementDchar.

import std.algorithm, std.array, std.conv, std.format, std.stdio, std.string, std.typecons, std.utf;

string encoded(string points)
{
    string bytes;
    foreach (point; points.split(",")) {
        if (point == "-")
            continue;
        char[4] units;
        try {
            size_t count = encode(units, cast(dchar) point.to!uint(16));
            bytes ~= format("%(%02X%)", cast(ubyte[]) units[0 .. count]);
        } catch (UTFException error) {
            return "error";
        }
    }
    return "ok " ~ (bytes.empty ? "-" : bytes);
}

string answer(string[] request)
{
    if (request[0] == "encode" && request[1] == "utf-8" && request[2] == "strict")
        return encoded(request[3]);
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
            writeln("hello assay/1 d encodings=utf-8 policies=strict,own ops=validate,decode,encode chunks=no");
        else
            writeln(words[0], " ", answer(words[1 .. $]));
        stdout.flush();
    }
}
