// SPDX-License-Identifier: MIT
//
// Pike as a subject: utf8_to_string, which throws at what is ill-formed.

string answer(array(string) request)
{
    string hex = request[-1];
    if (request[1] != "utf-8" || !(request[0] == "validate" || (request[0] == "decode" && request[2] == "strict")) || has_value(hex, ","))
        return "skip not offered";
    string text;
    if (catch { text = utf8_to_string(String.hex2string(hex - "-")); })
        return "error";
    return request[0] == "validate" ? "ok" : "ok " + (sizeof(text) ? sprintf("%{%X,%}", (array)text)[..<1] : "-");
}

int main()
{
    while (string line = Stdio.stdin->gets()) {
        array(string) words = line / " ";
        if (words[0] == "hello")
            write("hello assay/1 pike %s encodings=utf-8 policies=strict ops=validate,decode chunks=no\n", replace(version(), " ", "-"));
        else
            write("%s %s\n", words[0], answer(words[1..]));
    }
}
