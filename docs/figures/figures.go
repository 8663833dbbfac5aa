// Package figures computes answers from files that hold figures: tables, test coverage, dependencies and test results.
// It answers only with certainty: each word of a question must match a column, a value of the file or a
// plain word for an operation. It reads the text that package docs stored for a file, and owns nothing.
package figures

import "slices"

// File is a document as it was read.
type File struct {
	Name  string
	Table Format // of a table; "" for other files
	Parts []Part
}

// Format is how the rows of a table are written.
type Format string

const (
	CSV  Format = "csv"
	XLSX Format = "xlsx" // cells between " | "
)

// Part is a part of a file; its label says which lines or rows it contains.
type Part struct {
	Number int // 1-based
	Label  string
	Text   string
}

// What says what a row of an answer is about.
type What string

const (
	Sum      What = "sum"
	Mean     What = "mean"
	Median   What = "median"
	Max      What = "max"
	Min      What = "min"
	Count    What = "count"    // of rows
	Distinct What = "distinct" // values of a column
	Found    What = "found"    // a cell of a row that was asked for

	Lines      What = "lines" // coverage of them
	Branches   What = "branches"
	Functions  What = "functions"
	Statements What = "statements"

	Dependency   What = "dependency"
	Dependencies What = "dependencies" // how many

	Tests   What = "tests" // how many ran,
	Passed  What = "passed"
	Failed  What = "failed"
	Skipped What = "skipped"
	Test    What = "test" // one
	Took    What = "took"
)

// Row is one computed number, with its place.
type Row struct {
	What  What
	Of    string // column, file, dependency or test; "" for the whole file
	Group string // value that its rows share, "" for all rows
	Value string
	Rows  int // that it was computed from, or that share an extreme; 0 is not said
	Place Place
}

// Place is the place of a number in a file.
type Place struct {
	Sheet    string // of a workbook
	Column   string // its letter
	From, To int    // lines, or rows of a table; 0 if not known
	Rows     []int  // of a table, where there are others between them
	Part     int
	Quote    string  // from that part
	Also     []Place // whose quotes belong to it too
}

// Answer is a computed result.
type Answer struct {
	Rows    []Row
	More    int      // rows that Rows does not show
	Where   []Pair   // which rows of the table were taken
	Unread  []int    // rows of the table without a number where one was looked for
	Totals  []int    // rows of the table that hold totals, and were left out
	Unclear Pair     // a column of dates that can be read in two ways, and one of them: nothing was computed
	Further []string // lines of the file that bring more, which was not counted
	IsTable bool
	Bare    bool // the question says so little that another document may be meant
}

// Pair is a column and the value it must have, or one of several. Sign is "" or how it compares with the value: ">", "<", "≥", "≤".
type Pair struct{ Column, Sign, Value string }

const (
	mostRows   = 30 // of an answer
	leastWords = 2  // of a question: "test" alone asks for nothing
)

// source is a file of one format, read.
type source interface {
	// answer is false for a question that this file does not answer for certain.
	answer(q *question) (Answer, bool)
}

// readers are tried in turn for a file that is no table, with its text; each returns nil for a file of another format.
var readers = []func(File, *text) source{readCoverage, readDependencies, readTests}

// Asks reports whether a question may have a computed answer: it has a word for an operation.
func Asks(text string) bool {
	q := newQuestion(text, "")
	q.vocabulary()
	return slices.ContainsFunc(q.words, func(w word) bool {
		return slices.ContainsFunc(w.roles, func(r role) bool { return r != filler && r != by && r != which })
	})
}

// Compute answers a question from a file; false if the question's meaning is not certain, or the file does not answer it.
func Compute(text string, f File) (Answer, bool) {
	s := read(f)
	q := newQuestion(text, f.Name)
	if s == nil || len(q.words) < leastWords {
		return Answer{}, false
	}
	a, ok := s.answer(q)
	if more := len(a.Rows) - mostRows; more > 0 {
		a.Rows, a.More = a.Rows[:mostRows], more
	}
	return a, ok && (len(a.Rows) > 0 || a.Unclear.Value != "")
}

func read(f File) source {
	if f.Table != "" {
		return readTables(f)
	}
	t := textOf(f)
	for _, read := range readers {
		if s := read(f, t); s != nil {
			return s
		}
	}
	return nil
}

// Changes is how many letters to put in, leave out or replace turn a into b.
func Changes(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			best := diagonal + 1
			if x[i] == y[j] {
				best = diagonal
			}
			diagonal = row[j+1]
			row[j+1] = min(best, diagonal+1, row[j]+1)
		}
	}
	return row[len(y)]
}

// isSlip reports whether a is b misspelt.
func isSlip(a, b string) bool {
	if len(a) < 4 || len(b) < 4 {
		return a+"s" == b || b+"s" == a
	}
	if min(len(a), len(b)) > 8 {
		return Changes(a, b) <= 2
	}
	return Changes(a, b) <= 1
}
