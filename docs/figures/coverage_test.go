package figures

import (
	"strings"
	"testing"
)

func TestCoverage(t *testing.T) {
	check(t, lined("lcov.info", "TN:\nSF:src/a.js\nDA:1,1\nLF:10\nLH:8\nend_of_record\nSF:src/b.js\nLF:30\nLH:30\nBRF:4\nBRH:1\nend_of_record"), []ask{
		{"What's the test coverage?", "lines = 95% (38/40) @4-9; branches = 25% (1/4) @10-11"},
		{"coverage of a.js", "lines src/a.js = 80% (8/10) @4-5"},
		{"branch coverage", "branches = 25% (1/4) @10-11"},
		{"which files have the lowest coverage?", "lines src/a.js = 80% (8/10) @4-5; lines src/b.js = 100% (30/30) @8-9"},
		{"coverage of c.js", ""},
		{"is the insurance coverage enough?", ""},
	})
	check(t, lined("cover.out", "mode: set\nx/a/a.go:1.2,3.4 3 1\nx/a/a.go:5.2,6.4 1 0\nx/b/b.go:1.1,2.2 4 0\nx/b/b.go:1.1,2.2 4 1"), []ask{
		{"what is our coverage", "statements = 87.5% (7/8) @2-4"},
		{"coverage by package", "statements x/a = 75% (3/4) @2-3; statements x/b = 100% (4/4) @4"},
		{"coverage of x/a", "statements x/a = 75% (3/4) @2-3"},
		{"coverage of b.go", "statements x/b/b.go = 100% (4/4) @4"},
	})
	check(t, lined("coverage-summary.json", "{\"total\": {\n \"lines\": {\"total\": 1000, \"covered\": 999, \"skipped\": 0,\n  \"pct\": 99.9}},\n\"/src/a.ts\": {\"lines\": {\"total\": 3, \"covered\": 2, \"pct\": 66.66}}}"), []ask{
		{"Wie hoch ist die Testabdeckung?", "lines = 99.9% (999/1000) @3"},
		{"line coverage of a.ts", "lines /src/a.ts = 66.7% (2/3) @4"},
	})
	check(t, lined("coverage.json", "{\"meta\": {\"format\": 3},\n\"files\": {\"a.py\": {\"executed_lines\": [1, 2],\n\"summary\": {\"covered_lines\": 2, \"num_statements\": 4, \"percent_covered\": 50.0}}},\n\"totals\": {\"covered_lines\": 2, \"num_statements\": 4, \"percent_covered\": 50.0}}"), []ask{
		{"test coverage", "lines = 50% (2/4) @4"},
		{"coverage of a.py", "lines a.py = 50% (2/4) @3"},
	})
}

// TestCountsThatCannotBe are no answer: those that add up beyond what a number holds, more covered than there is, less than
// nothing, and words for a number.
func TestCountsThatCannotBe(t *testing.T) {
	for name, text := range map[string]string{
		"sum.info":   "SF:a.js\nLF:9223372036854775807\nLH:9223372036854775807\nend_of_record\nSF:b.js\nLF:9223372036854775807\nLH:9\nend_of_record",
		"more.info":  "SF:a.js\nLF:10\nLH:15\nend_of_record",
		"cover.out":  "mode: set\nx/a.go:1.2,3.4 9223372036854775807 1\nx/b.go:1.2,3.4 9223372036854775807 0\n",
		"less.json":  `{"total": {"lines": {"total": -10, "covered": -5, "pct": 50}}}`,
		"words.json": `{"total": {"lines": {"total": 0, "covered": 0, "pct": "100 (audited)"}}}`,
	} {
		if got := asked("What's the test coverage?", lined(name, text)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestADeepReportIsCheap: the names that lead to a value are not copied for each of the values below thousands of them.
func TestADeepReportIsCheap(t *testing.T) {
	const deep, many = 9_000, 20_000
	text := `{"total": {"lines": {"total": 4, "covered": 3, "pct": 75}}, ` + strings.Repeat(`"a":{`, deep) + strings.Repeat(`"b":1,`, many) + `"b":1` + strings.Repeat("}", deep) + "}"
	if all := leaves(text); len(all) != 3 {
		t.Errorf("%d values", len(all))
	}
	if got := asked("What's the test coverage?", lined("coverage.json", text)); got != "lines = 75% (3/4) @1" {
		t.Errorf("got %q", got)
	}
}

// TestAFileCoveredInTwoRuns is no sum: each record has all of its lines.
func TestAFileCoveredInTwoRuns(t *testing.T) {
	check(t, lined("lcov.info", "SF:a.js\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\nSF:a.js\nDA:1,1\nDA:2,1\nLF:2\nLH:2\nend_of_record"), []ask{{"test coverage", ""}})
}

// TestAPackageWithADotIsNoFile.
func TestAPackageWithADotIsNoFile(t *testing.T) {
	check(t, lined("cover.out", "mode: set\ngopkg.in/yaml.v3/a.go:1.2,3.4 3 1\ngopkg.in/yaml.v3/b.go:5.2,6.4 1 0"), []ask{
		{"which files have the lowest coverage", "statements gopkg.in/yaml.v3/b.go = 0% (0/1) @3; statements gopkg.in/yaml.v3/a.go = 100% (3/3) @2"},
		{"coverage by package", "statements gopkg.in/yaml.v3 = 75% (3/4) @2-3"},
	})
}

// TestFilesBelowAShare are those whose coverage is less.
func TestFilesBelowAShare(t *testing.T) {
	check(t, lined("lcov.info", "SF:src/a.js\nLF:10\nLH:8\nend_of_record\nSF:src/b.js\nLF:30\nLH:30\nend_of_record\nSF:src/c.js\nLF:10\nLH:5\nend_of_record"), []ask{
		{"which files have coverage under 80%?", "lines src/c.js = 50% (5/10) @10-11"},
		{"which files have coverage of at most 80%?", "lines src/c.js = 50% (5/10) @10-11; lines src/a.js = 80% (8/10) @2-3"},
		{"which files have coverage under 20%?", ""},
		{"files with over 99.5% coverage", ""},
		{"which files have coverage under 80 lines?", ""},
		{"is the coverage over 80%?", ""},
	})
}
