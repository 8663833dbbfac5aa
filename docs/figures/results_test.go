package figures

import (
	"strings"
	"testing"
)

func TestResultsOfTests(t *testing.T) {
	check(t, lined("junit.xml", `<?xml version="1.0" encoding="ISO-8859-1"?>
<testsuites><testsuite name="s" tests="3">
<testcase classname="cart" name="adds" time="0.5"/>
<testcase classname="cart" name="removes" time="0.25"><failure message="x">at line</failure></testcase>
<testcase classname="cart" name="waits"><skipped/></testcase>
</testsuite></testsuites>`), []ask{
		{"How many tests failed?", "failed = 1 @3-5"},
		{"which tests failed", "failed = 1 @3-5; test cart removes failed = 0.25 s @4"},
		{"did the tests pass?", "tests = 3 @3-5; passed = 1 @3-5; failed = 1 @3-5; skipped = 1 @3-5; test cart removes failed = 0.25 s @4"},
		{"test results", "tests = 3 @3-5; passed = 1 @3-5; failed = 1 @3-5; skipped = 1 @3-5; test cart removes failed = 0.25 s @4"},
		{"slowest tests", "test cart adds passed = 0.5 s @3; test cart removes failed = 0.25 s @4"},
		{"how long did the tests take", ""},
		{"run the tests", ""},
		{"please test this", ""},
		{"tests", ""},
		{"what is the test coverage", ""},
		{"why did the tests fail", ""},
		{"how many patients passed the test", ""},
	})
	check(t, lined("test.json", `{"Time":"2026-01-01T00:00:00Z","Action":"run","Package":"x/a","Test":"TestA"}
{"Action":"output","Package":"x/a","Test":"TestA","Output":"--- PASS\n"}
{"Action":"pass","Package":"x/a","Test":"TestA","Elapsed":0.1}
{"Action":"fail","Package":"x/a","Test":"TestB","Elapsed":1.25}
{"Action":"fail","Package":"x/a","Elapsed":1.4}
{"Action":"fail","Package":"x/b","Elapsed":0}`), []ask{
		{"which tests failed?", "failed = 2 @3-6; test x/a TestB failed = 1.25 s @4; test x/b failed = 0 s @6"},
		{"how long did the tests take", "took = 1.35 s @3-6"},
	})
}

func TestALongLineInSeveralPartsIsOneLine(t *testing.T) {
	long := `{"Action":"pass","Package":"x","Test":"T","Elapsed":1,"Output":"` + strings.Repeat("a ", 3000) + `"}`
	f := File{Name: "t.json", Parts: []Part{{1, "line 1", long[:3000]}, {2, "line 1", long[3000:]}, {3, "line 2", `{"Action":"fail","Package":"x","Test":"U"}`}}}
	check(t, f, []ask{{"how many tests", "tests = 2 @1-2; passed = 1 @1-2; failed = 1 @1-2; skipped = 0 @1-2; test x U failed =  @2"}})
}

// TestTimesThatCannotBe are not told, and not added up.
func TestTimesThatCannotBe(t *testing.T) {
	check(t, lined("junit.xml", `<testsuite><testcase name="a" time="1e308"/><testcase name="b" time="Inf"/><testcase name="c" time="2"/></testsuite>`), []ask{
		{"slowest tests", "test c passed = 2 s @1"},
		{"how long did the tests take", ""},
	})
	check(t, lined("test.json", `{"Action":"pass","Package":"x","Test":"T","Elapsed":1e300}
{"Action":"pass","Package":"x","Test":"U","Elapsed":1}`), []ask{{"slowest tests", "test x U passed = 1 s @2"}})
}

// TestARunThatFailedOnce: go test -count=3 fails where one of its runs does.
func TestARunThatFailedOnce(t *testing.T) {
	check(t, lined("test.json", `{"Action":"fail","Package":"x","Test":"A","Elapsed":1}
{"Action":"pass","Package":"x","Test":"A","Elapsed":2}
{"Action":"fail","Package":"x","Elapsed":3}
{"Action":"fail","Package":"y","Test":"B","Elapsed":1}
{"Action":"pass","Package":"y","Test":"B","Elapsed":1}
{"Action":"pass","Package":"y","Elapsed":2}`), []ask{
		{"which tests failed", "failed = 1 @1-5; test x A failed = 1 s @1"},
	})
}

// TestSubtestsTakeTheTimeOfTheirTest.
func TestSubtestsTakeTheTimeOfTheirTest(t *testing.T) {
	check(t, lined("test.json", `{"Action":"pass","Package":"x","Test":"A/one","Elapsed":2.5}
{"Action":"pass","Package":"x","Test":"A/two","Elapsed":2.5}
{"Action":"pass","Package":"x","Test":"A","Elapsed":5}
{"Action":"pass","Package":"x","Test":"B","Elapsed":1}`), []ask{
		{"how long did the tests take", "took = 6 s @1-4"},
	})
}

// TestWhatJUnitSaysElsewhere: a test that did not run did not pass, and failures of a suite are no tests.
func TestWhatJUnitSaysElsewhere(t *testing.T) {
	check(t, lined("junit.xml", `<testsuites tests="3" failures="0"><testsuite name="s">
<testcase name="a" status="run"/>
<testcase name="b" status="notrun"/>
<testcase name="c"><error/></testcase>
</testsuite></testsuites>`), []ask{
		{"how many tests passed", "passed = 1 @2-4"},
		{"how many tests were skipped", "skipped = 1 @2-4"},
	})
	check(t, lined("junit.xml", `<testsuite name="s" tests="1" failures="0" errors="1"><error message="set-up"/>
<testcase name="a"/></testsuite>`), []ask{{"how many tests failed", ""}})
	check(t, lined("junit.xml", `<testsuite name="s" tests="1" failures="2" errors="1">
<testcase name="a"><failure/></testcase></testsuite>`), []ask{{"how many tests failed", ""}})
}

// TestThePassRate is of the tests that ran.
func TestThePassRate(t *testing.T) {
	check(t, lined("junit.xml", "<testsuite>\n<testcase name=\"a\"/>\n<testcase name=\"b\"><failure/></testcase>\n<testcase name=\"c\"><skipped/></testcase></testsuite>"), []ask{
		{"what is the pass rate", "passed = 50% (1/2) @2-4; skipped = 1 @2-4"},
		{"pass rate of the tests", "passed = 50% (1/2) @2-4; skipped = 1 @2-4"},
	})
}
