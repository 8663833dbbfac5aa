// Package testdata holds the sample report that the tour and the doctor read, minutes for the tour, and an answer about the
// report to check, and makes scans; the other files of its directory are for tests.
package testdata

import _ "embed"

// Sample is sample.pdf: an invented annual report of 8 pages.
//
//go:embed sample.pdf
var Sample []byte

// Answer is sample_answer.md: a fluent answer about Sample. Two figures of it are wrong, and a sentence is invented.
//
//go:embed sample_answer.md
var Answer string

// Meeting is sample_meeting.md: the invented minutes of a meeting.
//
//go:embed sample_meeting.md
var Meeting []byte
