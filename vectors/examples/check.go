// SPDX-License-Identifier: CC0-1.0

// Holds Go's decoder against the golden vectors: go run check.go FOLDER, the folder being `vectors`.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

type file struct {
	Tests []struct {
		Bytes      *string
		WellFormed bool `json:"well_formed"`
		Outputs    json.RawMessage
	}
}

func scalars(text string) string {
	points := []string{}
	for _, point := range text { // one U+FFFD an ill-formed byte
		points = append(points, fmt.Sprintf("%X", point))
	}
	if len(points) == 0 {
		return "-"
	}
	return strings.Join(points, ",")
}

func main() {
	total, strict, perByte, perRun := 0, 0, 0, 0
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "utf-8", "*.json"))
	for _, path := range paths {
		var parsed file
		content, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(content, &parsed)
		}
		if err != nil {
			panic(err)
		}
		for _, test := range parsed.Tests {
			if test.Bytes == nil {
				continue
			}
			var outputs map[string]string
			if err := json.Unmarshal(test.Outputs, &outputs); err != nil {
				panic(err)
			}
			data, _ := hex.DecodeString(strings.TrimPrefix(*test.Bytes, "-"))
			total++
			for _, check := range []struct {
				passed bool
				count  *int
			}{
				{utf8.Valid(data) == test.WellFormed, &strict},
				{scalars(string(data)) == outputs["per-byte"], &perByte},
				{scalars(strings.ToValidUTF8(string(data), "\uFFFD")) == outputs["per-run"], &perRun},
			} {
				if check.passed {
					*check.count++
				}
			}
		}
	}
	fmt.Printf("strict (verdict): %d of %d passed\nper-byte: %d of %d passed\nper-run: %d of %d passed\n",
		strict, total, perByte, total, perRun, total)
	if strict < total || perByte < total || perRun < total {
		os.Exit(1)
	}
}
