// Package testdata holds the sample report that the tour and the doctor read;
// the other files of its directory are for tests.
package testdata

import _ "embed"

// Sample is sample.pdf: an invented annual report of 8 pages.
//
//go:embed sample.pdf
var Sample []byte
