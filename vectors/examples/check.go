// SPDX-License-Identifier: CC0-1.0

// Holds Go's decoder and encoder against the golden vectors. In a checkout, or in share/utf8-assay of an installation:
//
//	go build -o /tmp/check-go vectors/examples/check.go && /tmp/check-go vectors
//
// (go run makes every exit code but 0 a 1.) To test others, put them into whole, inPieces and encoded. One that panics has failed
// that case.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

func scalars(text []rune) string {
	points := []string{}
	for _, point := range text {
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

func whole(data []byte, policy string) string {
	if policy == "per-run" {
		return scalars([]rune(strings.ToValidUTF8(string(data), "\uFFFD")))
	}
	return scalars([]rune(string(data))) // one U+FFFD an ill-formed byte
}

// pieces is a reader that gives one piece at a time.
type pieces [][]byte

func (p *pieces) Read(room []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	count := copy(room, (*p)[0])
	if (*p)[0] = (*p)[0][count:]; len((*p)[0]) == 0 {
		*p = (*p)[1:]
	}
	return count, nil
}

// One reader for all streams.
func inPieces(streams []pieces) string {
	given, reader := []string{}, bufio.NewReader(nil)
	for i := range streams {
		reader.Reset(&streams[i])
		text := []rune{}
		for {
			point, _, err := reader.ReadRune()
			if err != nil {
				break
			}
			text = append(text, point)
		}
		given = append(given, scalars(text))
	}
	return strings.Join(given, "; ")
}

func encoded(units []rune) string {
	data := []byte{}
	for _, unit := range units {
		data = utf8.AppendRune(data, unit)
	}
	if len(data) == 0 {
		return "-"
	}
	return strings.ToUpper(hex.EncodeToString(data))
}

// ---- what is asked, and what is wanted ----

type stream struct {
	Pieces  []string
	Emitted map[string][]string
}

type test struct {
	ID         string
	Bytes      *string
	WellFormed bool `json:"well_formed"`
	Outputs    json.RawMessage
	Units      string
	Streams    []stream
	stream
}

type question struct {
	name, shown, wanted string
	call                func() string
}

func unhex(text string) ([]byte, error) {
	if text == "-" {
		return nil, nil
	}
	return hex.DecodeString(text)
}

func ofWhole(test test) ([]question, error) {
	var outputs map[string]string
	if err := json.Unmarshal(test.Outputs, &outputs); err != nil {
		return nil, err
	}
	data, err := unhex(*test.Bytes)
	asked := []question{{"strict (verdict)", *test.Bytes, verdict(test.WellFormed), func() string { return verdict(utf8.Valid(data)) }}}
	for _, policy := range []string{"per-byte", "per-run"} {
		policy := policy
		asked = append(asked, question{policy, *test.Bytes, outputs[policy], func() string { return whole(data, policy) }})
	}
	return asked, err
}

func ofStreams(streams []stream) ([]question, error) {
	all, shown, wanted := []pieces{}, []string{}, []string{}
	for _, stream := range streams {
		one, emitted := pieces{}, []string{}
		for _, piece := range stream.Pieces {
			data, err := unhex(piece)
			if err != nil {
				return nil, err
			}
			if len(data) > 0 {
				one = append(one, data)
			}
		}
		for _, output := range stream.Emitted["per-byte"] {
			if output != "-" {
				emitted = append(emitted, output)
			}
		}
		if len(emitted) == 0 {
			emitted = []string{"-"}
		}
		all, shown = append(all, one), append(shown, strings.Join(stream.Pieces, " | "))
		wanted = append(wanted, strings.Join(emitted, ","))
	}
	call := func() string { return inPieces(all) }
	return []question{{"per-byte in pieces", strings.Join(shown, "; "), strings.Join(wanted, "; "), call}}, nil
}

func ofEncoder(test test) ([]question, error) {
	var outputs map[string]struct{ Bytes string }
	if err := json.Unmarshal(test.Outputs, &outputs); err != nil {
		return nil, err
	}
	units := []rune{}
	for _, unit := range strings.Split(test.Units, ",") {
		value, err := strconv.ParseUint(unit, 16, 32)
		if err == nil {
			units = append(units, rune(value))
		} else if unit != "-" {
			return nil, err
		}
	}
	return []question{{"per-byte of the encoder", test.Units, outputs["per-byte"].Bytes, func() string { return encoded(units) }}}, nil
}

func questions(test test, kind string) ([]question, error) {
	switch {
	case test.Bytes != nil:
		return ofWhole(test)
	case kind == "stream":
		return ofStreams([]stream{test.stream})
	case kind == "reuse":
		return ofStreams(test.Streams)
	case kind == "encode":
		return ofEncoder(test)
	}
	return nil, nil
}

// ---- asking ----

const shownMax = 60 // characters of a long row

// A long row, cut so that the place is in it.
func cut(text string, at int) string {
	start, end := 0, len(text)
	if end > shownMax && at > shownMax/2 {
		start = at - shownMax/2
	}
	before, after := "", ""
	if start > 0 {
		before = "..."
	}
	if end > start+shownMax {
		end, after = start+shownMax, "..."
	}
	return before + text[start:end] + after
}

func letter(id string, asked question, given string) string {
	at := 0
	for at < len(given) && at < len(asked.wanted) && given[at] == asked.wanted[at] {
		at++
	}
	return fmt.Sprintf("%s: %s of %s\n    given   %s\n    wanted  %s", id, asked.name, cut(asked.shown, 0), cut(given, at), cut(asked.wanted, at))
}

func answer(call func() string) (given string) {
	defer func() {
		if reason := recover(); reason != nil {
			given = fmt.Sprint("panicked: ", reason)
		}
	}()
	return call()
}

var names []string // of the questions, in the order in which they are first asked
var passed, total = map[string]int{}, map[string]int{}

// Asks one question; returns a letter if the answer is wrong.
func check(id string, asked question) string {
	if total[asked.name] == 0 {
		names = append(names, asked.name)
	}
	total[asked.name]++
	given := answer(asked.call)
	if given != asked.wanted {
		return letter(id, asked, given)
	}
	passed[asked.name]++
	return ""
}

func checkFile(path string) error {
	var parsed struct {
		Kind  string
		Tests []test
	}
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &parsed)
	}
	count, failed, first := 0, 0, ""
	for _, test := range parsed.Tests {
		if err != nil {
			break
		}
		var asked []question
		if asked, err = questions(test, parsed.Kind); err != nil {
			return fmt.Errorf("%s: %w", test.ID, err)
		}
		letters := []string{}
		for _, one := range asked {
			if said := check(test.ID, one); said != "" {
				letters = append(letters, said)
			}
		}
		if len(asked) > 0 {
			count++
		}
		if len(letters) > 0 {
			if failed == 0 {
				first = letters[0]
			}
			failed++
		}
	}
	if failed > 0 {
		category := strings.TrimSuffix(filepath.Base(path), ".json")
		fmt.Fprintf(os.Stderr, "utf-8/%s: %d of %d cases failed, the first:\n  %s\n", category, failed, count, first)
	}
	return err
}

func fail(reasons ...any) {
	fmt.Fprintln(os.Stderr, reasons...)
	os.Exit(2)
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: check FOLDER-OF-VECTORS")
	}
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "utf-8", "*.json"))
	for _, path := range paths {
		if err := checkFile(path); err != nil {
			fail(path+":", err)
		}
	}
	if len(names) == 0 {
		fail("no vectors in", os.Args[1])
	}
	status := 0
	for _, name := range names {
		fmt.Printf("%s: %d of %d passed\n", name, passed[name], total[name])
		if passed[name] < total[name] {
			status = 1
		}
	}
	os.Exit(status)
}
