// SPDX-License-Identifier: MIT
//
// Go as a subject: utf8.DecodeRune and range, which replace a byte at a time (the language specification, "For statements with range
// clause"), as bufio.Reader.ReadRune does in pieces; and strings.ToValidUTF8, which replaces runs (package strings). utf8.AppendRune appends
// U+FFFD for what is no valid code point (package unicode/utf8), and utf16.Decode gives it for an unpaired surrogate (package unicode/utf16).
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func scalars(text string) string {
	var points []string
	for _, point := range text {
		points = append(points, fmt.Sprintf("%X", point))
	}
	if len(points) == 0 {
		return "-"
	}
	return strings.Join(points, ",")
}

// pieces gives a piece at a time.
type pieces [][]byte

func (rest *pieces) Read(to []byte) (int, error) {
	if len(*rest) == 0 {
		return 0, io.EOF
	}
	count := copy(to, (*rest)[0])
	(*rest)[0] = (*rest)[0][count:]
	if len((*rest)[0]) == 0 {
		*rest = (*rest)[1:]
	}
	return count, nil
}

func streamed(chunks string) string {
	var rest pieces
	for _, chunk := range strings.Split(chunks, ",") {
		bytes, _ := hex.DecodeString(strings.Trim(chunk, "-"))
		rest = append(rest, bytes)
	}
	in := bufio.NewReader(&rest)
	var text []rune
	for {
		point, _, err := in.ReadRune()
		if err != nil {
			return "ok " + scalars(string(text))
		}
		text = append(text, point)
	}
}

func hexed(bytes []byte) string {
	if len(bytes) == 0 {
		return "ok -"
	}
	return "ok " + hex.EncodeToString(bytes)
}

// converted answers what has bytes as its output.
func converted(operation, policy, last string) string {
	var bytes []byte
	var units []uint16
	if operation == "to-well-formed" && policy == "per-run" {
		bytes, _ = hex.DecodeString(strings.Trim(last, "-"))
		return hexed([]byte(strings.ToValidUTF8(string(bytes), "\uFFFD")))
	}
	if policy != "whatwg" || operation == "to-well-formed" {
		return "skip not offered"
	}
	for _, word := range strings.FieldsFunc(last, func(char rune) bool { return char == ',' || char == '-' }) {
		unit, _ := strconv.ParseUint(word, 16, 32)
		bytes, units = utf8.AppendRune(bytes, rune(unit)), append(units, uint16(unit))
	}
	if operation == "encode-utf16" {
		return hexed([]byte(string(utf16.Decode(units))))
	}
	return hexed(bytes)
}

func answer(request []string) string {
	operation, last := request[1], request[len(request)-1]
	policy := "strict"
	if len(request) == 5 {
		policy = request[3]
	}
	if request[2] == "utf-8" && (operation == "encode" || operation == "encode-utf16" || operation == "to-well-formed") {
		return converted(operation, policy, last)
	}
	inPieces := strings.Contains(last, ",")
	if request[2] != "utf-8" || (operation != "validate" && operation != "decode") || (inPieces && policy != "per-byte") {
		return "skip not offered"
	}
	if inPieces {
		return streamed(last)
	}
	bytes, _ := hex.DecodeString(strings.Trim(last, "-"))
	text := string(bytes)
	switch {
	case policy == "per-byte":
		return "ok " + scalars(text)
	case policy == "per-run":
		return "ok " + scalars(strings.ToValidUTF8(text, "\uFFFD"))
	case policy != "strict":
		return "skip not offered"
	case !utf8.Valid(bytes):
		at := 0
		for at < len(bytes) {
			point, length := utf8.DecodeRune(bytes[at:])
			if point == utf8.RuneError && length <= 1 {
				break
			}
			at += length
		}
		return fmt.Sprintf("error %d", at)
	case operation == "validate":
		return "ok"
	}
	return "ok " + scalars(text)
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		request := strings.Split(in.Text(), " ")
		if request[0] == "hello" {
			fmt.Printf("hello assay/1 go %s encodings=utf-8 policies=strict,whatwg,per-byte,per-run ops=validate,decode,encode,encode-utf16,to-well-formed chunks=late\n", runtime.Version())
		} else {
			fmt.Printf("%s %s\n", request[0], answer(request))
		}
	}
}
