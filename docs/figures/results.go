package figures

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// results are the tests that ran: JUnit's XML, or go test -json.
type results struct {
	tests []test
	first Place // of the results
	again bool  // some ran several times
}

type test struct {
	name    string
	outcome What    // Passed, Failed or Skipped
	took    float64 // seconds, -1 if not known
	at      Place
}

func readTests(_ File, t *text) source {
	var r *results
	switch {
	case strings.Contains(t.string, "<testsuite"):
		r = junit(t)
	case strings.Contains(t.string, `"Action":`) && strings.Contains(t.string, `"Package":`):
		r = goTest(t)
	}
	if r == nil || len(r.tests) == 0 {
		return nil
	}
	r.first = r.tests[0].at
	return r
}

const (
	mostTests   = 200_000
	longestTest = 1e8 // seconds, three years: more is no time
)

// suite is what an element of JUnit's XML says of the tests in it, and how many of them were read before it.
type suite struct{ tests, failures, before, failedBefore int }

// statuses are the outcomes by the attributes status and result, as GoogleTest writes them.
var statuses = map[string]What{"notrun": Skipped, "skipped": Skipped, "suppressed": Skipped, "disabled": Skipped, "ignored": Skipped, "failed": Failed, "error": Failed}

// junit reads the testcase elements of JUnit's XML; nil if it breaks off, or if a suite has more tests or failures than are listed.
func junit(t *text) *results {
	d := xml.NewDecoder(strings.NewReader(t.string))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it was decoded
	r := &results{}
	depth := 0 // in a testcase
	failed := 0
	var suites []suite
	for {
		at := int(d.InputOffset())
		token, err := d.Token()
		if err == io.EOF {
			return r
		}
		if err != nil || len(r.tests) > mostTests {
			return nil
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch {
			case strings.HasPrefix(e.Name.Local, "testsuite") && depth == 0:
				s := suite{before: len(r.tests), failedBefore: failed}
				for _, a := range e.Attr {
					n, _ := strconv.Atoi(a.Value)
					switch a.Name.Local {
					case "tests":
						s.tests = n
					case "failures", "errors":
						s.failures += n
					}
				}
				suites = append(suites, s)
			case depth == 0 && (e.Name.Local == "failure" || e.Name.Local == "error"): // of a suite
				return nil
			case e.Name.Local == "testcase" && depth == 0:
				one := test{outcome: Passed, took: -1, at: t.at(at)}
				class := ""
				for _, a := range e.Attr {
					switch a.Name.Local {
					case "name":
						one.name = a.Value
					case "classname":
						class = a.Value
					case "time":
						if n, err := strconv.ParseFloat(a.Value, 64); err == nil && n >= 0 && n <= longestTest {
							one.took = n
						}
					case "status", "result":
						one.outcome = cmp.Or(statuses[strings.ToLower(a.Value)], one.outcome)
					}
				}
				if class != "" {
					one.name = class + " " + one.name
				}
				r.tests = append(r.tests, one)
			case depth == 1 && (e.Name.Local == "failure" || e.Name.Local == "error"):
				r.tests[len(r.tests)-1].outcome = Failed
				failed++
			case depth == 1 && e.Name.Local == "skipped":
				r.tests[len(r.tests)-1].outcome = Skipped
			}
			if depth > 0 || e.Name.Local == "testcase" {
				depth++
			}
		case xml.EndElement:
			if depth > 0 {
				depth--
			} else if last := len(suites) - 1; last >= 0 && strings.HasPrefix(e.Name.Local, "testsuite") {
				s := suites[last]
				if suites = suites[:last]; s.tests > len(r.tests)-s.before || s.failures > failed-s.failedBefore {
					return nil
				}
			}
		}
	}
}

// goTest reads the events of go test -json. A test with subtests counts as one more test; packages count only where they
// fail without a test. What ran several times is as it ended last, but failed once if its package failed.
func goTest(t *text) *results {
	r := &results{}
	known := map[string]int{} // tests by name
	type pack struct {
		end      test
		failures []test
	}
	packages := map[string]*pack{}
	var order []*pack
	for line, at := range t.lines {
		var e struct {
			Action, Package, Test string
			Elapsed               *float64
		}
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		outcome := map[string]What{"pass": Passed, "fail": Failed, "skip": Skipped}[e.Action]
		if outcome == "" {
			continue
		}
		one := test{name: strings.TrimSpace(e.Package + " " + e.Test), outcome: outcome, took: -1, at: at}
		if e.Elapsed != nil && *e.Elapsed <= longestTest {
			one.took = *e.Elapsed
		}
		p := packages[e.Package]
		if p == nil {
			p = new(pack)
			packages[e.Package], order = p, append(order, p)
		}
		if e.Test == "" {
			p.end = one
			continue
		}
		if i, again := known[one.name]; again {
			r.tests[i], r.again = one, true
		} else {
			known[one.name] = len(r.tests)
			r.tests = append(r.tests, one)
		}
		if outcome == Failed {
			p.failures = append(p.failures, one)
		}
	}
	for _, p := range order {
		if p.end.outcome != Failed {
			continue
		}
		for _, f := range p.failures {
			r.tests[known[f.name]] = f
		}
		if len(p.failures) == 0 {
			r.tests = append(r.tests, p.end)
		}
	}
	return r
}

func (r *results) answer(q *question) (Answer, bool) {
	var names []string
	for _, t := range r.tests {
		names = append(names, t.name)
	}
	words := slices.Clone(q.words)
	results := false
	q.each(1, func(run []string) (word, bool) {
		isResult := slices.Contains([]string{"result", "results", "outcome", "ergebnis", "ergebnisse", "resultats", "resultados"}, run[0])
		results = results || isResult
		return word{roles: []role{filler}}, isResult || slices.Contains([]string{"any", "still", "ran", "take", "took"}, run[0])
	})
	q.vocabulary()
	var named []int
	if !q.explained() {
		q.words = words
		named = q.named(names)
		q.vocabulary()
	}
	if !q.only(aTest, aFile, opCount, opSum, passed, failed, skipped, passRate, slowest, took, which, value) || !q.has(aTest, failed, passed, skipped, passRate, slowest) {
		return Answer{}, false
	}
	a := Answer{Bare: !q.has(aTest, theFile, value)}
	switch {
	case len(named) == 0 && !results && !q.has(opCount, passed, failed, skipped, passRate, slowest, took):
		return a, false
	case len(named) > 0:
		for _, i := range named {
			a.Rows = append(a.Rows, r.tests[i].row())
		}
		return a, !q.has(opCount, slowest, passRate)
	case q.has(slowest):
		list, ok := r.slowest()
		list.Bare = a.Bare
		return list, ok
	case q.has(took) && !q.has(passed, failed, skipped, opCount):
		return r.took()
	}
	count := map[What]int{}
	for _, t := range r.tests {
		count[t.outcome]++
	}
	all := r.first
	all.To = r.tests[len(r.tests)-1].at.To
	if q.has(passRate) {
		ran := count[Passed] + count[Failed]
		if q.has(opCount, passed, failed, skipped) || ran == 0 {
			return a, false
		}
		a.Rows = []Row{{What: Passed, Value: fmt.Sprintf("%s (%d/%d)", percent(count[Passed], ran), count[Passed], ran), Place: all}}
		if n := count[Skipped]; n > 0 {
			a.Rows = append(a.Rows, Row{What: Skipped, Value: strconv.Itoa(n), Place: all})
		}
		return a, true
	}
	asked := slices.DeleteFunc([]What{Failed, Passed, Skipped}, func(w What) bool { return !q.has(role(w)) })
	lists := len(asked) == 1 && (q.has(which) || !q.has(opCount) && asked[0] != Passed)
	if len(asked) == 0 || slices.Contains(asked, Passed) && !q.has(opCount) {
		asked = []What{Tests, Passed, Failed, Skipped}
		lists = count[Failed] > 0
	}
	count[Tests] = len(r.tests)
	for _, w := range asked {
		a.Rows = append(a.Rows, Row{What: w, Value: strconv.Itoa(count[w]), Place: all})
	}
	for _, t := range r.tests {
		if lists && (t.outcome == asked[0] || asked[0] == Tests && t.outcome == Failed) {
			a.Rows = append(a.Rows, t.row())
		}
	}
	return a, true
}

func (t test) row() Row {
	return Row{What: Test, Of: t.name, Group: string(t.outcome), Value: seconds(t.took), Place: t.at}
}

func seconds(s float64) string {
	if s < 0 {
		return ""
	}
	return strconv.FormatFloat(s, 'f', -1, 64) + " s"
}

const slowTests = 5

func (r *results) slowest() (Answer, bool) {
	list := slices.DeleteFunc(slices.Clone(r.tests), func(t test) bool { return t.took < 0 })
	slices.SortStableFunc(list, func(a, b test) int { return cmp.Compare(b.took, a.took) })
	var a Answer
	for _, t := range list[:min(len(list), slowTests)] {
		a.Rows = append(a.Rows, t.row())
	}
	return a, len(list) > 0
}

// took is the time of all tests one after the other; that of a test includes its subtests.
func (r *results) took() (Answer, bool) {
	sum := new(big.Rat)
	known := map[string]bool{}
	for _, t := range r.tests {
		known[t.name] = true
	}
	for _, t := range r.tests {
		if t.took < 0 || r.again {
			return Answer{}, false
		}
		inside := false
		for i, c := range t.name {
			inside = inside || c == '/' && known[t.name[:i]]
		}
		n, ok := new(big.Rat).SetString(strconv.FormatFloat(t.took, 'f', 6, 64))
		if !ok {
			return Answer{}, false
		}
		if !inside {
			sum.Add(sum, n)
		}
	}
	at := r.first
	at.To = r.tests[len(r.tests)-1].at.To
	return Answer{Rows: []Row{{What: Took, Value: strings.TrimSuffix(strings.TrimRight(sum.FloatString(3), "0"), ".") + " s", Place: at}}}, true
}
