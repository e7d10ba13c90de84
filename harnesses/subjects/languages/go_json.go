// SPDX-License-Identifier: MIT
//
// Go's encoding/json as a subject: "invalid UTF-8 or invalid UTF-16 surrogate pairs are not treated as an error. Instead, they are
// replaced by the Unicode replacement character U+FFFD."
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func answer(request []string) string {
	last := request[len(request)-1]
	if request[1] != "decode" || request[2] != "utf-8" || request[3] != "own" || strings.Contains(last, ",") {
		return "skip not offered"
	}
	bytes, _ := hex.DecodeString(strings.Trim(last, "-"))
	text := []byte{'"'}
	for _, one := range bytes {
		if one < 0x20 || one == '"' || one == '\\' {
			text = append(text, fmt.Sprintf("\\u%04X", one)...)
		} else {
			text = append(text, one)
		}
	}
	var decoded string
	if json.Unmarshal(append(text, '"'), &decoded) != nil {
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
			fmt.Fprintln(out, "hello assay/1 go-json encodings=utf-8 policies=own ops=decode chunks=no")
		} else {
			fmt.Fprintln(out, request[0], answer(request))
		}
		out.Flush()
	}
}
