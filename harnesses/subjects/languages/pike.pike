// SPDX-License-Identifier: MIT
//
// Pike as a subject: utf8_to_string and string_to_utf8, which throw at what is ill-formed; in pieces Charset.decoder, which nobody can tell that
// the text has ended.

string scalars(string text)
{
    return sizeof(text) ? sprintf("%{%X,%}", (array)text)[..<1] : "-";
}

array(string) pieces_of(string chunks)
{
    return map(chunks / ",", lambda(string hex) { return String.hex2string(hex - "-"); });
}

// A group for each piece.
string streamed(array(string) pieces, void|object decoder)
{
    decoder = decoder || Charset.decoder("utf-8");
    array(string) groups = ({});
    foreach (pieces, string piece)
        groups += ({ scalars(decoder->feed(piece)->drain()) });
    return groups * "|";
}

// Streams of one decoder, which is cleared after each.
string reused(array(string) streams)
{
    object decoder = Charset.decoder("utf-8");
    array(string) replies = ({});
    foreach (streams, string chunks) {
        string groups = "error";
        catch { groups = streamed(pieces_of(chunks), decoder); };
        replies += ({ groups });
        decoder->clear();
    }
    return replies * ";";
}

string encoded(string points)
{
    string bytes = string_to_utf8((string)map(points / "," - ({ "-" }), lambda(string point) { return array_sscanf(point, "%x")[0]; }));
    return sizeof(bytes) ? upper_case(String.string2hex(bytes)) : "-";
}

string decoded(array(string) pieces)
{
    return sizeof(pieces) > 1 ? streamed(pieces) : scalars(utf8_to_string(pieces[0]));
}

string answer(array(string) request)
{
    int is_validation = request[0] == "validate";
    if (request[1] != "utf-8" || !has_value(({ "validate", "decode", "reuse", "encode" }), request[0]) || !(is_validation || request[2] == "strict"))
        return "skip not offered";
    if (request[0] == "reuse")
        return "ok " + reused(request[3] / ";");
    string reply;
    if (catch { reply = request[0] == "encode" ? encoded(request[3]) : decoded(pieces_of(request[-1])); })
        return "error";
    return is_validation ? "ok" : "ok " + reply;
}

int main()
{
    while (string line = Stdio.stdin->gets()) {
        array(string) words = line / " ";
        if (words[0] == "hello")
            write("hello assay/1 pike %s encodings=utf-8 policies=strict ops=validate,decode,reuse,encode chunks=late\n", replace(version(), " ", "-"));
        else
            write("%s %s\n", words[0], answer(words[1..]));
    }
}
