// SPDX-License-Identifier: MIT
//
// D as a subject: encode, decode and toUTF8 of std.utf, which throw, or replace under Yes.useReplacementDchar; sanitize of std.encoding.

import std.algorithm, std.array, std.conv, std.encoding : sanitize;
import std.format, std.stdio, std.string, std.typecons, std.utf;

char[] bytesOf(string hex)
{
    char[] text;
    for (size_t i = 0; hex != "-" && i < hex.length; i += 2)
        text ~= cast(char) hex[i .. i + 2].to!ubyte(16);
    return text;
}

string spelled(const(char)[] text)
{
    return "ok " ~ (text.empty ? "-" : format("%(%02X%)", cast(const(ubyte)[]) text));
}

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

// toUTF8 of UTF-16 units.
string encodedUtf16(string units)
{
    wchar[] text;
    foreach (unit; units.split(",").filter!(word => word != "-"))
        text ~= cast(wchar) unit.to!ushort(16);
    return spelled(toUTF8(text));
}

// decodeFront of a range that goes on from piece to piece.
string streamed(string[] chunks, bool isStrict)
{
    string[] points;
    auto left = chunks.map!(hex => bytesOf(hex).byCodeUnit).joiner;
    try {
        while (!left.empty)
            points ~= format("%X", cast(uint) (isStrict ? decodeFront(left) : decodeFront!(Yes.useReplacementDchar)(left)));
    } catch (UTFException error) {
        return "error";
    }
    return "ok " ~ (points.empty ? "-" : points.join(","));
}

string answer(string[] request)
{
    if (request[0] == "encode" && request[1] == "utf-8" && request[2] == "strict")
        return encoded(request[3]);
    if (request[0] == "encode-utf16" && request[1] == "utf-8" && request[2] == "whatwg")
        return encodedUtf16(request[3]);
    if (request[0] == "to-well-formed" && request[1] == "utf-8" && request[2] == "own")
        return spelled(sanitize(bytesOf(request[3]).idup));
    if (request[0] == "decode" && request[1] == "utf-8" && ["strict", "own"].canFind(request[2]) && request[3].canFind(","))
        return streamed(request[3].split(","), request[2] == "strict");
    string hex = request[$ - 1], policy = request[0] == "decode" ? request[2] : "strict";
    if (request[1] != "utf-8" || !["validate", "decode"].canFind(request[0]) || !["strict", "own"].canFind(policy) || hex.canFind(","))
        return "skip not offered";
    char[] text = bytesOf(hex);
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
            writeln("hello assay/1 d encodings=utf-8 policies=strict,own,whatwg ops=validate,decode,encode,encode-utf16,to-well-formed chunks=late");
        else
            writeln(words[0], " ", answer(words[1 .. $]));
        stdout.flush();
    }
}
