package figures

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// said is an answer in short: what, of, group, value and place.
func said(a Answer) string {
	var all []string
	for _, r := range a.Rows {
		s := string(r.What)
		for _, p := range []string{r.Of, r.Group} {
			if p != "" {
				s += " " + p
			}
		}
		s += " = " + r.Value + " @" + r.Place.Sheet + r.Place.Column
		s += fmt.Sprintf("%d", r.Place.From)
		if r.Place.To != r.Place.From {
			s += fmt.Sprintf("-%d", r.Place.To)
		}
		if len(r.Place.Rows) > 0 {
			s += fmt.Sprintf(" %d", r.Place.Rows)
		}
		all = append(all, s)
	}
	for _, w := range a.Where {
		all = append(all, w.Column+" "+cmp.Or(w.Sign, "is")+" "+w.Value)
	}
	if len(a.Unread) > 0 {
		all = append(all, fmt.Sprintf("unread %d", a.Unread))
	}
	if len(a.Totals) > 0 {
		all = append(all, fmt.Sprintf("totals %d", a.Totals))
	}
	if len(a.Further) > 0 {
		all = append(all, fmt.Sprintf("not counted %v", a.Further))
	}
	if u := a.Unclear; u.Value != "" {
		all = append(all, "unclear "+u.Column+" "+u.Value)
	}
	return strings.Join(all, "; ")
}

// asked is what a file says to a question, "" if that is not certain.
func asked(question string, f File) string {
	a, ok := Compute(question, f)
	if !ok {
		return ""
	}
	return said(a)
}

type ask struct{ question, want string }

func check(t *testing.T, f File, tests []ask) {
	t.Helper()
	for _, tt := range tests {
		if got := asked(tt.question, f); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.question, got, tt.want)
		}
		if tt.want != "" && !Asks(tt.question) {
			t.Errorf("%q asks for nothing", tt.question)
		}
	}
}

// lined is a file of lines.
func lined(name, text string) File {
	return File{Name: name, Parts: []Part{{1, fmt.Sprintf("lines 1–%d", 1+strings.Count(text, "\n")), text}}}
}

// TestAQuestionThatSaysLittleIsBare: coverage may be that of an insurance.
func TestAQuestionThatSaysLittleIsBare(t *testing.T) {
	report, results := lined("lcov.info", "SF:a.js\nLF:10\nLH:8\nend_of_record"), lined("junit.xml", "<testsuite><testcase name=\"a\"/></testsuite>")
	for _, tt := range []struct {
		question string
		file     File
		want     bool
	}{
		{"what is the coverage?", report, true}, {"what is the test coverage?", report, false}, {"coverage in lcov", report, false}, {"line coverage", report, false},
		{"how many failed?", results, true}, {"how many tests failed?", results, false},
		{"how many rows are there", sales, true}, {"how many rows are in sales", sales, false}, {"total units", sales, false}, {"count by region", sales, false},
	} {
		if a, ok := Compute(tt.question, tt.file); !ok || a.Bare != tt.want {
			t.Errorf("%s: %v, %v", tt.question, a.Bare, ok)
		}
	}
}
