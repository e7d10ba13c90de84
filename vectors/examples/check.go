// SPDX-License-Identifier: CC0-1.0

// Holds Go's decoder against the golden vectors: go build check.go && ./check FOLDER, the folder being
// `vectors`. (go run makes every exit code but 0 a 1.)
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
		ID         string
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

func verdict(accepted bool) string {
	if accepted {
		return "well-formed"
	}
	return "ill-formed"
}

func unhex(text string) ([]byte, error) {
	if text == "-" {
		return nil, nil
	}
	return hex.DecodeString(text)
}

func fail(reasons ...any) {
	fmt.Fprintln(os.Stderr, reasons...)
	os.Exit(2)
}

const shown = 10 // of those that fail

func main() {
	if len(os.Args) != 2 {
		fail("usage: check FOLDER-OF-VECTORS")
	}
	total, strict, perByte, perRun := 0, 0, 0, 0
	failed := []string{}
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "utf-8", "*.json"))
	for _, path := range paths {
		var parsed file
		content, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(content, &parsed)
		}
		if err != nil {
			fail(path+":", err)
		}
		for _, test := range parsed.Tests {
			if test.Bytes == nil {
				continue
			}
			var outputs map[string]string
			if err := json.Unmarshal(test.Outputs, &outputs); err != nil {
				fail(path+":", test.ID+":", err)
			}
			data, err := unhex(*test.Bytes)
			if err != nil {
				fail(path+":", test.ID+":", err)
			}
			total++
			for _, check := range []struct {
				policy, given, wanted string
				passed                *int
			}{
				{"strict (verdict)", verdict(utf8.Valid(data)), verdict(test.WellFormed), &strict},
				{"per-byte", scalars(string(data)), outputs["per-byte"], &perByte},
				{"per-run", scalars(strings.ToValidUTF8(string(data), "\uFFFD")), outputs["per-run"], &perRun},
			} {
				if check.given == check.wanted {
					*check.passed++
				} else {
					failed = append(failed, fmt.Sprintf("%s: %s of %s: %s, not %s",
						test.ID, check.policy, *test.Bytes, check.given, check.wanted))
				}
			}
		}
	}
	if total == 0 {
		fail("no vectors in", os.Args[1])
	}
	for i, line := range failed {
		if i < shown {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	fmt.Printf("strict (verdict): %d of %d passed\nper-byte: %d of %d passed\nper-run: %d of %d passed\n",
		strict, total, perByte, total, perRun, total)
	if len(failed) > 0 {
		os.Exit(1)
	}
}
