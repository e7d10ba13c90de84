// SPDX-License-Identifier: MIT
//
// Mono as a subject: System.Text.Decoder, in pieces, with its exception and replacement fallbacks; Encoding.Convert.

using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

static class Mono
{
    static readonly Dictionary<string, string> Names = new Dictionary<string, string> {{"utf-8", "utf-8"}, {"utf-16le", "utf-16"}, {"utf-16be", "utf-16BE"}};

    static byte[] Bytes(string hex)
    {
        byte[] bytes = new byte[hex == "-" ? 0 : hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
            bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
        return bytes;
    }

    static string Scalars(string text)
    {
        List<string> points = new List<string>();
        for (int i = 0; i < text.Length; i++) {
            bool isPair = char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
            points.Add((isPair ? char.ConvertToUtf32(text[i], text[i + 1]) : text[i]).ToString("X"));
            i += isPair ? 1 : 0;
        }
        return points.Count == 0 ? "-" : string.Join(",", points);
    }

    static string Stream(Decoder decoder, string chunks)
    {
        List<string> groups = new List<string>();
        string[] pieces = chunks.Split(',');
        for (int i = 0; i < pieces.Length; i++) {
            byte[] piece = Bytes(pieces[i]);
            char[] room = new char[4 * piece.Length + 16];
            groups.Add(Scalars(new string(room, 0, decoder.GetChars(piece, 0, piece.Length, room, 0, i + 1 == pieces.Length))));
        }
        return string.Join("|", groups);
    }

    static string StreamOrError(Decoder decoder, string chunks)
    {
        try {
            return Stream(decoder, chunks);
        } catch (DecoderFallbackException) {
            return "error";
        }
    }

    static string Hexed(byte[] bytes)
    {
        return "ok " + (bytes.Length == 0 ? "-" : BitConverter.ToString(bytes).Replace("-", ""));
    }

    static Encoding Strict(string encoding)
    {
        return Encoding.GetEncoding(Names[encoding], EncoderFallback.ExceptionFallback, DecoderFallback.ExceptionFallback);
    }

    static string EncodedUtf16(string encoding, string units)
    {
        char[] text = Array.ConvertAll(units == "-" ? new string[0] : units.Split(','), unit => (char)Convert.ToUInt16(unit, 16));
        try {
            return Hexed(Strict(encoding).GetBytes(text));
        } catch (EncoderFallbackException) {
            return "error";
        }
    }

    static string Transcoded(Encoding from, string to, byte[] bytes)
    {
        try {
            return Hexed(Encoding.Convert(from, Strict(to), bytes));
        } catch (DecoderFallbackException) {
            return "error";
        }
    }

    // Convert does not take a room into which the first character does not fit.
    static string Into(string encoding, int room, byte[] bytes)
    {
        char[] text = new char[room];
        int read, written;
        bool isDone;
        try {
            Strict(encoding).GetDecoder().Convert(bytes, 0, bytes.Length, text, 0, room, true, out read, out written, out isDone);
        } catch (ArgumentException) {
            return "skip not offered";
        }
        string units = string.Join(",", Array.ConvertAll(new string(text, 0, written).ToCharArray(), unit => ((int)unit).ToString("X")));
        return (isDone ? "ok " : "full ") + read + " " + (written == 0 ? "-" : units);
    }

    // A string of .NET is UTF-16, so surrogates side by side cannot be given.
    static string Encoded(string encoding, string points)
    {
        StringBuilder text = new StringBuilder();
        foreach (string point in points == "-" ? new string[0] : points.Split(',')) {
            uint value = Convert.ToUInt32(point, 16);
            bool isPair = text.Length > 0 && char.IsHighSurrogate(text[text.Length - 1]) && value < 0x10000 && char.IsLowSurrogate((char)value);
            if (value > 0x10FFFF || isPair)
                return "skip not offered";
            text.Append(value > 0xFFFF ? char.ConvertFromUtf32((int)value) : ((char)value).ToString());
        }
        try {
            return Hexed(Strict(encoding).GetBytes(text.ToString()));
        } catch (EncoderFallbackException) {
            return "error";
        }
    }

    static string Answer(string[] request)
    {
        if (request[1] == "transcode")
            return Names.ContainsKey(request[2]) && Names.ContainsKey(request[3]) && request[4] == "strict"
                ? Transcoded(Strict(request[2]), request[3], Bytes(request[5])) : "skip not offered";
        string policy = request[1] == "validate" ? "strict" : request[3], last = request[request.Length - 1];
        if (!Names.ContainsKey(request[2]) || Array.IndexOf(new[] {"validate", "decode", "reuse", "into", "encode", "encode-utf16", "to-well-formed"}, request[1]) < 0 || (policy != "strict" && policy != "own"))
            return "skip not offered";
        if (request[1] == "encode-utf16")
            return policy == "strict" ? EncodedUtf16(request[2], last) : "skip not offered";
        if (request[1] == "into")
            return policy == "strict" && request[4] == "utf-16" ? Into(request[2], int.Parse(request[5]), Bytes(last)) : "skip not offered";
        if (request[1] == "encode")
            return policy == "strict" ? Encoded(request[2], last) : "skip not offered";
        DecoderFallback fallback = policy == "strict" ? DecoderFallback.ExceptionFallback : new DecoderReplacementFallback("\uFFFD");
        Encoding encoding = Encoding.GetEncoding(Names[request[2]], EncoderFallback.ReplacementFallback, fallback);
        if (request[1] == "to-well-formed")
            return Transcoded(encoding, request[2], Bytes(last));
        Decoder decoder = encoding.GetDecoder();
        if (request[1] == "reuse")
            return "ok " + string.Join(";", Array.ConvertAll(last.Split(';'), chunks => { decoder.Reset(); return StreamOrError(decoder, chunks); }));
        string groups = StreamOrError(decoder, last);
        return groups == "error" ? groups : request[1] == "validate" ? "ok" : "ok " + groups;
    }

    static void Main()
    {
        TextWriter output = new StreamWriter(Console.OpenStandardOutput(), new ASCIIEncoding()) {AutoFlush = true};
        for (string line; (line = Console.In.ReadLine()) != null;) {
            string[] request = line.Split(' ');
            output.Write(request[0] == "hello"
                ? "hello assay/1 mono encodings=utf-8,utf-16le,utf-16be policies=strict,own ops=validate,decode,reuse,into,encode,encode-utf16,to-well-formed,transcode chunks=late\n"
                : request[0] + " " + Answer(request) + "\n");
        }
    }
}
