// SPDX-License-Identifier: MIT
//
// Pike as a subject: utf8_to_string and string_to_utf8, which throw at what is ill-formed, and unicode_to_string and string_to_unicode, for UTF-16; in pieces Charset.decoder, which nobody can tell that
// the text has ended.

mapping(string:function) decoders = ([ "utf-8": utf8_to_string, "utf-16le": lambda(string bytes) { return unicode_to_string(bytes, 1); },
                       "utf-16be": lambda(string bytes) { return unicode_to_string(bytes, 0); } ]);
mapping(string:function) encoders = ([ "utf-8": string_to_utf8, "utf-16le": lambda(string text) { return string_to_unicode(text, 1); },
                       "utf-16be": lambda(string text) { return string_to_unicode(text, 0); } ]);

string scalars(string text)
{
    return sizeof(text) ? sprintf("%{%X,%}", (array)text)[..<1] : "-";
}

array(string) pieces_of(string chunks)
{
    return map(chunks / ",", lambda(string hex) { return String.hex2string(hex - "-"); });
}

// A group for each piece.
string streamed(array(string) pieces, object decoder)
{
    array(string) groups = ({});
    foreach (pieces, string piece)
        groups += ({ scalars(decoder->feed(piece)->drain()) });
    return groups * "|";
}

// Streams of one decoder, which is cleared after each.
string reused(string encoding, array(string) streams)
{
    object decoder = Charset.decoder(encoding);
    array(string) replies = ({});
    foreach (streams, string chunks) {
        string groups = "error";
        catch { groups = streamed(pieces_of(chunks), decoder); };
        replies += ({ groups });
        decoder->clear();
    }
    return replies * ";";
}

string encoded(string encoding, string points)
{
    string bytes = encoders[encoding]((string)map(points / "," - ({ "-" }), lambda(string point) { return array_sscanf(point, "%x")[0]; }));
    return sizeof(bytes) ? upper_case(String.string2hex(bytes)) : "-";
}

string decoded(string encoding, array(string) pieces)
{
    return sizeof(pieces) > 1 ? streamed(pieces, Charset.decoder(encoding)) : scalars(decoders[encoding](pieces[0]));
}

string answer(array(string) request)
{
    int is_validation = request[0] == "validate";
    if (!decoders[request[1]] || !has_value(({ "validate", "decode", "reuse", "encode" }), request[0]) || !(is_validation || request[2] == "strict"))
        return "skip not offered";
    if (request[0] == "reuse")
        return "ok " + reused(request[1], request[3] / ";");
    string reply;
    if (catch { reply = request[0] == "encode" ? encoded(request[1], request[3]) : decoded(request[1], pieces_of(request[-1])); })
        return "error";
    return is_validation ? "ok" : "ok " + reply;
}

int main()
{
    while (string line = Stdio.stdin->gets()) {
        array(string) words = line / " ";
        if (words[0] == "hello")
            write("hello assay/1 pike %s encodings=utf-8,utf-16le,utf-16be policies=strict ops=validate,decode,reuse,encode chunks=late\n", replace(version(), " ", "-"));
        else
            write("%s %s\n", words[0], answer(words[1..]));
    }
}
