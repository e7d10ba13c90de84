// SPDX-License-Identifier: CC0-1.0

// Package vectors holds the golden vectors of utf8-assay: a conformance set for decoders and encoders of UTF-8 and its family.
//
//	tests, err := vectors.Tests[vectors.Decode]("utf-8/overlong")
package vectors

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed data
var data embed.FS

// Span is a maximal subpart of an ill-formed subsequence.
type Span struct {
	Offset, Length int
	Fault          string
	Incomplete     bool
}

// Decode is a test of the kinds decode and limited: the whole input at once. Tests takes any other type with the fields of FORMAT.md, too.
type Decode struct {
	ID         string
	Comment    string
	Bytes      string
	WellFormed bool `json:"well_formed"`
	Spans      []Span
	Outputs    map[string]string // SCALARS for each policy
	UTF16      string
}

// Names returns all categories: ENCODING/CATEGORY.
func Names() []string {
	paths, err := fs.Glob(data, "data/*/*.json")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for at, path := range paths {
		paths[at] = strings.TrimSuffix(strings.TrimPrefix(path, "data/"), ".json")
	}
	return paths
}

// File returns a whole file as JSON.
func File(name string) ([]byte, error) {
	return data.ReadFile("data/" + name + ".json")
}

// Tests returns the tests of a category.
func Tests[T any](name string) ([]T, error) {
	text, err := File(name)
	if err != nil {
		return nil, fmt.Errorf("no vectors are called %q", name)
	}
	var file struct{ Tests []T }
	err = json.Unmarshal(text, &file)
	return file.Tests, err
}

// Unhex returns HEX as bytes; "-" is none.
func Unhex(text string) ([]byte, error) {
	if text == "-" {
		return nil, nil
	}
	return hex.DecodeString(text)
}

// Scalars returns SCALARS as code points; "-" is none.
func Scalars(text string) ([]rune, error) {
	if text == "-" {
		return nil, nil
	}
	var found []rune
	for _, item := range strings.Split(text, ",") {
		value, err := strconv.ParseInt(item, 16, 32)
		if err != nil {
			return nil, err
		}
		found = append(found, rune(value))
	}
	return found, nil
}
