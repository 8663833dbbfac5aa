package figures

import (
	"cmp"
	"math/big"
	"path"
	"slices"
	"strconv"
	"strings"
)

// coverage is how much of a program its tests run, as LCOV, a Go profile, or a summary of Istanbul's or of coverage.py says.
type coverage struct {
	files []*covered // in the file's order, the whole first
	named map[string]*covered
}

// covered is the coverage of a file, or of the whole if name is "".
type covered struct {
	name      string
	isPackage bool
	units     map[role]*share
}

// share is how many of something are covered.
type share struct {
	hit, all int
	given    string // by the file, if all is not known
	at       Place
}

func newCoverage() (c *coverage, whole *covered) {
	c = &coverage{named: map[string]*covered{}}
	return c, c.of("")
}

func (c *coverage) of(name string) *covered {
	if c.named[name] == nil {
		c.named[name] = &covered{name: name, units: map[role]*share{}}
		c.files = append(c.files, c.named[name])
	}
	return c.named[name]
}

func (f *covered) unit(r role, at Place) *share {
	if f.units[r] == nil {
		f.units[r] = &share{at: at}
	}
	f.units[r].at.To = at.To
	return f.units[r]
}

func readCoverage(_ File, t *text) source {
	var c *coverage
	switch {
	case strings.HasPrefix(t.string, "mode: "):
		c = goProfile(t)
	case strings.Contains(t.string, "end_of_record") && strings.Contains(t.string, "SF:"):
		c = lcov(t)
	case strings.Contains(t.string, `"pct"`), strings.Contains(t.string, `"percent_covered"`):
		c = coverageSummary(t)
	}
	if c == nil || len(c.files) < 2 && len(c.of("").units) == 0 {
		return nil
	}
	return c
}

func lcov(t *text) *coverage {
	c, whole := newCoverage()
	var file *covered
	counts := map[string]struct {
		unit role
		hit  bool
	}{"LF": {ofLines, false}, "LH": {ofLines, true}, "FNF": {ofFunctions, false}, "FNH": {ofFunctions, true}, "BRF": {ofBranches, false}, "BRH": {ofBranches, true}}
	for line, at := range t.lines {
		key, rest, _ := strings.Cut(line, ":")
		if key == "SF" {
			if c.named[rest] != nil { // of two runs, which have its lines in common
				return nil
			}
			file = c.of(rest)
		}
		count, is := counts[key]
		n, err := strconv.Atoi(rest)
		if !is || err != nil || file == nil || n < 0 || n > mostCounted {
			continue
		}
		for _, f := range []*covered{whole, file} {
			if s := f.unit(count.unit, at); count.hit {
				s.hit += n
			} else {
				s.all += n
			}
		}
	}
	return c
}

// goProfile reads a profile of go test -coverprofile: name.go:1.2,3.4 statements count. A block may be counted twice.
func goProfile(t *text) *coverage {
	type block struct {
		file       string
		statements int
		hit        bool
		at         Place
	}
	blocks := map[string]*block{}
	var order []*block
	for line, at := range t.lines {
		i := strings.LastIndexByte(line, ':')
		fields := strings.Fields(line[i+1:])
		if i < 0 || len(fields) != 3 {
			continue
		}
		n, err := strconv.Atoi(fields[1])
		runs, err2 := strconv.Atoi(fields[2])
		if err != nil || err2 != nil || n < 0 || n > mostCounted {
			continue
		}
		key := line[:i+1] + fields[0]
		if blocks[key] == nil {
			blocks[key] = &block{line[:i], n, false, at}
			order = append(order, blocks[key])
		}
		blocks[key].hit = blocks[key].hit || runs > 0
	}
	c, _ := newCoverage()
	add := func(name string, b *block) {
		s := c.of(name).unit(ofStatement, b.at)
		s.all += b.statements
		if b.hit {
			s.hit += b.statements
		}
	}
	for _, b := range order {
		add("", b)
		add(b.file, b)
	}
	for _, b := range order {
		dir := path.Dir(b.file)
		add(dir, b)
		c.of(dir).isPackage = true
	}
	return c
}

// coverageSummary reads the summary of Istanbul ("total": {"lines": {"total": 10, "covered": 8, "pct": 80}}) or of
// coverage.py ("totals": {"covered_lines": 8, "num_statements": 10, "percent_covered": 80.0}).
func coverageSummary(t *text) *coverage {
	c, _ := newCoverage()
	for _, l := range leaves(t.string) {
		name, rest := l.path[0], l.path[1:]
		if name == "files" && len(rest) > 1 {
			name, rest = rest[0], rest[1:]
		}
		if name == "total" || name == "totals" {
			name = ""
		}
		n, _ := strconv.Atoi(l.value)
		at := t.at(l.at)
		switch {
		case len(rest) == 2 && rest[0] == "summary":
			rest = rest[1:]
			fallthrough
		case len(rest) == 1:
			switch rest[0] {
			case "covered_lines":
				c.of(name).unit(ofLines, at).hit = n
			case "num_statements":
				c.of(name).unit(ofLines, at).all = n
			case "percent_covered":
				s := c.of(name).unit(ofLines, at)
				s.given, s.at = percentage(l.value), at
			case "covered_branches":
				c.of(name).unit(ofBranches, at).hit = n
			case "num_branches":
				c.of(name).unit(ofBranches, at).all = n
			}
		case len(rest) == 2 && slices.Contains([]string{"lines", "branches", "functions", "statements"}, rest[0]):
			s := c.of(name).unit(role(rest[0]), at)
			switch rest[1] {
			case "total":
				s.all = n
			case "covered":
				s.hit = n
			case "pct":
				s.given, s.at = percentage(l.value), at
			}
		}
	}
	return c
}

// percentage is a value from 0 to 100, "" for any other.
func percentage(value string) string {
	if n, err := strconv.ParseFloat(value, 64); err != nil || !(n >= 0 && n <= 100) {
		return ""
	}
	return value
}

// mostCounted is how many lines or statements one record may have: more are no count, and do not add up.
const mostCounted = 1_000_000_000

// row is a share as a row of an answer; false if there is nothing to be covered, or more is covered than there is.
func (f *covered) row(unit role) (Row, bool) {
	s := f.units[unit]
	if s == nil || s.all == 0 && s.given == "" || s.hit < 0 || s.all < 0 || s.all > 0 && s.hit > s.all {
		return Row{}, false
	}
	r := Row{What: What(unit), Of: f.name, Place: s.at}
	if s.all == 0 {
		r.Value = s.given + "%"
		return r, true
	}
	r.Value = percent(s.hit, s.all) + " (" + strconv.Itoa(s.hit) + "/" + strconv.Itoa(s.all) + ")"
	return r, true
}

// percent is a share with a decimal, rounded.
func percent(part, whole int) string {
	text := big.NewRat(100*int64(part), int64(whole)).FloatString(1)
	if text == "100.0" && part < whole { // all is said only of all
		text = "99.9"
	}
	return strings.TrimSuffix(text, ".0") + "%"
}

// answer answers for the whole, for a file or package that is named, or for the files by their coverage.
func (c *coverage) answer(q *question) (Answer, bool) {
	var names []string
	for _, f := range c.files[1:] {
		names = append(names, f.name)
	}
	words := slices.Clone(q.words)
	var named []int
	if q.vocabulary(); !q.explained() {
		q.words = words
		named = q.named(names)
		q.vocabulary()
	}
	limit, limited := q.shareBound()
	if !q.has(aCoverage) || limited && !q.has(aFile) || !q.only(bounds, aCoverage, aTest, aFile, aDependency, ofLines, ofBranches, ofFunctions, ofStatement, opSum, opMin, opMax, by, value, which) {
		return Answer{}, false
	}
	units := slices.DeleteFunc([]role{ofLines, ofStatement, ofBranches, ofFunctions}, func(r role) bool { return !q.has(r) })
	if len(units) == 0 {
		units = []role{ofLines, ofStatement, ofBranches, ofFunctions}
	}
	a := Answer{Bare: !q.has(aTest, theFile, ofLines, ofBranches, ofFunctions, ofStatement, value)}
	add := func(f *covered, units []role) bool {
		before := len(a.Rows)
		for _, u := range units {
			if r, ok := f.row(u); ok {
				a.Rows = append(a.Rows, r)
			}
		}
		return len(a.Rows) > before
	}
	extreme := q.has(opMin, opMax) || limited
	switch {
	case len(named) > 0 && !extreme:
		for _, i := range named {
			if !add(c.files[1+i], units) {
				return Answer{}, false
			}
		}
		return a, true
	case !extreme && !q.has(aFile, by):
		return a, add(c.files[0], units)
	case len(named) > 0 || !q.has(aFile, aDependency):
		return Answer{}, false
	}
	unit := units[0]
	if unit == ofLines && c.files[0].units[unit] == nil {
		unit = ofStatement
	}
	files := slices.DeleteFunc(slices.Clone(c.files[1:]), func(f *covered) bool {
		_, ok := f.row(unit)
		return !ok || f.isPackage == q.has(aFile) || limited && (f.units[unit].all == 0 || !limit.sign.holds(big.NewRat(int64(100*f.units[unit].hit), int64(f.units[unit].all)).Cmp(limit.than)))
	})
	slices.SortStableFunc(files, func(x, y *covered) int {
		d := cmp.Compare(x.units[unit].hit*y.units[unit].all, y.units[unit].hit*x.units[unit].all)
		if q.has(opMax) {
			return -d
		}
		return d
	})
	for _, f := range files {
		add(f, []role{unit})
	}
	return a, true
}

// shareBound explains "under 80%"; false if there is no such, or another comparison too.
func (q *question) shareBound() (b bound, ok bool) {
	for i, w := range q.words {
		at := slices.IndexFunc(w.roles, func(r role) bool { return r == over || r == under || r == atLeast || r == atMost })
		n := q.next(i, 1, false)
		if at < 0 || w.inside || n < 0 || ok {
			continue
		}
		than, err := strconv.ParseInt(q.words[n].text, 10, 64)
		if err != nil || q.words[n].explained() || !strings.Contains(strings.ReplaceAll(q.raw, " ", ""), q.words[n].text+"%") || broken.MatchString(q.raw) {
			return b, false
		}
		b, ok = bound{sign: w.roles[at], than: big.NewRat(than, 1)}, true
		q.words[i].roles, q.words[n].roles = []role{bounds}, []role{bounds}
	}
	return b, ok
}
