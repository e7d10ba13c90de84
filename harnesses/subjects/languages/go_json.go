// SPDX-License-Identifier: MIT
//
// Go's encoding/json as a subject, in pieces its Decoder: "invalid UTF-8 or invalid UTF-16 surrogate pairs are not treated as an error.
// Instead, they are replaced by the Unicode replacement character U+FFFD."
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// escaped gives HEX as a part of a string of JSON.
func escaped(digits string) []byte {
	bytes, _ := hex.DecodeString(strings.Trim(digits, "-"))
	var text []byte
	for _, one := range bytes {
		if one < 0x20 || one == '"' || one == '\\' {
			text = append(text, fmt.Sprintf("\\u%04X", one)...)
		} else {
			text = append(text, one)
		}
	}
	return text
}

// decode gives each chunk to the reader of a Decoder by itself, or one to Unmarshal.
func decode(chunks []string) (decoded string, err error) {
	if len(chunks) == 1 {
		err = json.Unmarshal(append(append([]byte{'"'}, escaped(chunks[0])...), '"'), &decoded)
		return
	}
	readers := []io.Reader{strings.NewReader("\"")}
	for _, chunk := range chunks {
		readers = append(readers, strings.NewReader(string(escaped(chunk))))
	}
	err = json.NewDecoder(io.MultiReader(append(readers, strings.NewReader("\""))...)).Decode(&decoded)
	return
}

func answer(request []string) string {
	if request[1] != "decode" || request[2] != "utf-8" || request[3] != "own" {
		return "skip not offered"
	}
	decoded, err := decode(strings.Split(request[len(request)-1], ","))
	if err != nil {
		return "error"
	}
	var points []string
	for _, point := range decoded {
		points = append(points, fmt.Sprintf("%X", point))
	}
	if len(points) == 0 {
		return "ok -"
	}
	return "ok " + strings.Join(points, ",")
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		request := strings.Split(in.Text(), " ")
		if request[0] == "hello" {
			fmt.Fprintln(out, "hello assay/1 go-json encodings=utf-8 policies=own ops=decode chunks=late")
		} else {
			fmt.Fprintln(out, request[0], answer(request))
		}
		out.Flush()
	}
}
