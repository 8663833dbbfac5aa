package docs

import (
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
)

// period is what a question or a document says about when and which kind of report: "10-K for 2022".
type period struct {
	years   []int    // as they are written
	quarter int      // 1 to 4, 0 for none
	kind    string   // "10k", "10q", "8k", "earnings", or ""
	dates   []string // as yyyy-mm-dd
}

var reportKinds = []struct{ words, kind string }{
	{"10 k", "10k"}, {"annual report", "10k"}, {"10 q", "10q"}, {"quarterly report", "10q"}, {"8 k", "8k"}, {"current report", "8k"},
	{"earnings release", "earnings"}, {"earnings report", "earnings"}, {"earnings call", "earnings"},
}

var quarters = []struct {
	words string
	n     int
}{
	{"q 1", 1}, {"q 2", 2}, {"q 3", 3}, {"q 4", 4}, {"first quarter", 1}, {"second quarter", 2}, {"third quarter", 3}, {"fourth quarter", 4},
}

// nameMarks are what file names have for spaces.
var nameMarks = strings.NewReplacer("_", " ", "dated-", "dated ")

// periodOf reads a question or a document's name, without dates.
func periodOf(text string) (p period) {
	text = nameMarks.Replace(text)
	words := rank.Words(text)
	for i, w := range words {
		n, err := strconv.Atoi(w)
		switch {
		case err != nil:
		case len(w) == 4 && n >= 1900 && n < 2100:
		case len(w) == 2 && i > 0 && words[i-1] == "fy":
			n += 2000
		default:
			n = 0
		}
		if n > 0 && !slices.Contains(p.years, n) {
			p.years = append(p.years, n)
		}
	}
	line := " " + strings.Join(words, " ") + " "
	for _, k := range reportKinds {
		if p.kind == "" && strings.Contains(line, " "+k.words+" ") {
			p.kind = k.kind
		}
	}
	for _, q := range quarters {
		if p.quarter == 0 && strings.Contains(line, " "+q.words+" ") {
			p.quarter = q.n
		}
	}
	return p
}

// datesOf are the whole dates of a text, as yyyy-mm-dd.
func datesOf(text string) (dates []string) {
	for _, n := range rank.Numbers(nameMarks.Replace(text)) {
		if len(n) == len("2006-01-02") && strings.Count(n, "-") == 2 {
			dates = append(dates, n)
		}
	}
	return dates
}

// firstPagePeriod reads the first page of a report: its kind, and the year after "ended" or the first one.
func firstPagePeriod(text string) period {
	p := periodOf(text)
	_, ended, _ := strings.Cut(text, "nded")
	p.years, p.quarter = append(periodOf(ended).years, p.years...), 0
	p.years = p.years[:min(1, len(p.years))]
	return p
}

func (p period) empty() bool {
	return len(p.years) == 0 && p.quarter == 0 && p.kind == "" && len(p.dates) == 0
}

// whole reports whether the first page has nothing to add.
func (p period) whole() bool { return len(p.years) > 0 && p.kind != "" }

// fill takes from other what p lacks.
func (p *period) fill(other period) {
	if len(p.years) == 0 {
		p.years = other.years
	}
	if p.kind == "" {
		p.kind = other.kind
	}
}

// yearFit is how well a document's years fit those of a question, 0 to 1: the last year asked for is the report's.
func yearFit(asked, has period) float64 {
	fit := 0.0
	for _, y := range asked.years {
		switch {
		case !slices.Contains(has.years, y):
		case y == slices.Max(asked.years):
			fit = 1
		default:
			fit = max(fit, 0.5)
		}
	}
	return fit
}

// kindFit is how well a document's kind, quarter and date fit a question, 0 to 1. Who names none of them
// wants the report of a year rather than that of a quarter or a day.
func kindFit(asked, has period) float64 {
	switch {
	case slices.ContainsFunc(asked.dates, func(d string) bool { return slices.Contains(has.dates, d) }):
		return 1
	case asked.kind != "" && asked.kind == has.kind && asked.quarter == has.quarter:
		return 1
	case asked.quarter != 0 && asked.quarter == has.quarter:
		return 1
	case asked.kind != "" && asked.kind == has.kind:
		return 0.5
	case asked.kind == "" && asked.quarter == 0 && has.quarter == 0 && has.kind != "8k":
		return 0.5
	}
	return 0
}
