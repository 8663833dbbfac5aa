package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// Row is a line of a table: label and values, each under its column's head.
type Row struct {
	Text   string // as it stands there, white space collapsed
	Label  string
	Terms  []string // of the label, without what stands in brackets
	Title  string   // lines above that have no values: caption, section, names of columns
	Values []Quantity
	Heads  []string // of each value; nil if the columns have no names that are certain
	Scale  int      // power of ten of the values; -1 if nothing says

	from, to int // in the page's letters and digits
}

var (
	numeric   = Lazy(`^(?:[$€£¥(+−–—-]*\d[\d.,'’]*(?:%|pp|bps|x)?\)?%?[*†‡]?|[$€£¥()%]+|[−–—-]{1,3}|n/?[am]\.?|n\.m\.|eur|usd|gbp|chf|△\d[\d,.]*|▲\d[\d,.]*|\d[\d.,]*(?:円|元|%|億円|百万円|千円))$`)
	yearAlone = Lazy(`(?:^|[^\d.,])(?:19|20)\d\d$`)
	yearly    = Lazy(`(?:^|[^\d.,])((?:19|20)\d\d)(?:$|[^\d,.%]|[.,](?:\D|$))`)
	// caption matches what says the scale of a table, on folded text.
	caption = Lazy(`(?:\b(?:in|en|amounts|angaben|betrage|montants|importes|stated|expressed|usd|eur|us|dollars|€|of)|[$€£¥(]|単位[:：]?|単位 ?)[\s:.]*(?:in |of |de |us ?)?(?:[$€£¥]|usd|eur|gbp|u\.s\. dollars in)?[\s']*(thousands?|tausend|tsd\.?|teur|t€|k€|milliers|miles|millions?|millionen|mio\.?|millones|mn|mm|lacs?|lakhs?|crores?|billions?|milliarden|mrd\.?|milliards|000s?|千円|百万円|億円|千元|万元|千|百万|億|亿)(?:\PL|$)` +
		`|\b(teur|t€|k€|mio\.? ?(?:eur|€|usd|chf)|mrd\.? ?(?:eur|€|usd)|tsd\.? ?(?:eur|€)|€m|\$m|£m|usdm|eurm)\b|\bin(thousands|millions|billions)\b|[$€£]'?(000)s?\b|(千円|百万円|億円)`)
)

var captionScale = map[string]int{"thousand": 3, "thousands": 3, "tausend": 3, "tsd": 3, "teur": 3, "t€": 3, "k€": 3, "milliers": 3, "miles": 3, "000": 3, "000s": 3, "千円": 3, "千元": 3, "千": 3,
	"万元": 4, "million": 6, "millions": 6, "millionen": 6, "mio": 6, "millones": 6, "mn": 6, "mm": 6, "百万円": 6, "百万": 6, "€m": 6, "$m": 6, "£m": 6, "usdm": 6, "eurm": 6,
	"億円": 8, "億": 8, "亿": 8, "lac": 5, "lacs": 5, "lakh": 5, "lakhs": 5, "crore": 7, "crores": 7, "billion": 9, "billions": 9, "milliarden": 9, "mrd": 9, "milliards": 9}

// unscaled matches a caption in whole units of a currency.
var unscaled = Lazy(`\b(?:in|en) (?:euros?|eur|usd|us dollars|u\.s\. dollars|dollars|chf|franken|pounds|gbp)(?:\PL|$)`)

// longestCaption is how many words a line has that may be a caption in whole units, or give the periods of columns.
const longestCaption = 10

// ScaleOf returns the power of ten that a caption gives, -1 for none.
func ScaleOf(folded string) int {
	for _, m := range caption.FindAllStringSubmatchIndex(folded, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				word := strings.Trim(folded[m[g]:m[g+1]], ". ")
				word, _, _ = strings.Cut(word, " ")
				return captionScale[strings.Trim(word, ".")]
			}
		}
	}
	if unscaled.MatchString(folded) && len(strings.Fields(folded)) <= longestCaption && !strings.HasSuffix(folded, ".") {
		return 0
	}
	return -1
}

// wordsOfCell is how many words a cell has at most that is a value, with what stands beside it.
const wordsOfCell = 4

// labelTerms are the distinct words of a label, without what stands in brackets.
func labelTerms(label string) []string {
	terms := slices.DeleteFunc(rank.Terms(bracketed.ReplaceAllString(label, " ")), AllDigits)
	slices.Sort(terms)
	return slices.Compact(terms)
}

var bracketed = Lazy(`\([^)]*\)|, net\b|(?i: level$)`)

// readRow reads a line as a row: a label, then nothing but values.
func readRow(line string) (Row, bool) {
	r := Row{Text: CollapseSpace(line)}
	fields := strings.Fields(strings.ReplaceAll(line, "|", " | "))
	if len(fields) > 0 && fields[len(fields)-1] == "|" {
		fields = fields[:len(fields)-1]
	}
	n, digits := len(fields), 0
	for n > 0 && (fields[n-1] == "|" || numeric.MatchString(strings.ToLower(fields[n-1]))) {
		if n--; strings.ContainsAny(fields[n], "0123456789") {
			digits++
		}
	}
	for i := n; i < len(fields); i++ { // "(Notes 1 and 12)" is of the label
		if label := strings.Join(fields[:i], " "); strings.Count(label, "(") <= strings.Count(label, ")") {
			n = i
			break
		}
	}
	if cells := Cells(line); len(cells) > 2 && n > 0 && slices.Contains(fields[:n-1], "|") && !slices.ContainsFunc(cells[1:], func(c string) bool { return len(strings.Fields(c)) > wordsOfCell }) {
		r.Label = cells[0] // "8 hours" is a value with its unit
		_, r.Values = Quantities(strings.Join(cells[1:], " ; "))
		return r, len(r.Values) > 0 && strings.ContainsFunc(r.Label, unicode.IsLetter)
	}
	r.Label = strings.Trim(strings.Join(fields[:n], " "), " |:.…")
	if strings.ContainsRune(".。", endOf(line)) && !strings.HasSuffix(line, "..") || digits < 2 && n > 8 {
		return r, false
	}
	if digits == 0 || dayLine.MatchString(rank.Fold(r.Text)) || !strings.ContainsFunc(r.Label, unicode.IsLetter) || utf8.RuneCountInString(r.Label) > 150 {
		return r, false
	}
	for i := n; i < len(fields); i++ { // a dash is a value too
		if strings.Trim(fields[i], "−–—-") == "" {
			fields[i] = "0"
		}
	}
	_, r.Values = Quantities(strings.Join(fields[n:], " ; "))
	return r, len(r.Values) > 0
}

// dayLine matches a folded line that is a day, or several, without years: they stand above the years of columns.
var dayLine = Lazy(`^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\pL*\.? \d{1,2},? ?)+$`)

// headsOf are the names of columns that a line gives; nil for none: years, or the cells of a line without values.
func headsOf(line string, r Row, isRow bool) []string {
	folded := rank.Fold(line)
	found := yearly.FindAllStringSubmatch(strings.ReplaceAll(folded, " ", "  "), -1)
	var years []string
	for _, m := range found {
		years = append(years, m[1])
	}
	figures := 0
	var all []Quantity
	if years != nil {
		_, all = Quantities(line)
	}
	for _, q := range all {
		if !q.IsDate() && !yearAlone.MatchString(q.Shown) && !(q.Word || q.Mark || q.Name) && !(q.Decimals == 0 && q.Digits <= 31) {
			figures++
		}
	}
	if figures == 0 && (len(years) >= 2 || len(years) == 1 && isRow && len(r.Values) == 1) && !strings.ContainsRune(".。;", endOf(line)) && len(strings.Fields(line)) <= 8+6*len(years) {
		return periodsOf(folded)
	}
	if strings.Count(line, "|") >= 1 && strings.ContainsFunc(line, isWordRune) {
		cells := Cells(folded)
		if strings.HasPrefix(folded, "|") && !strings.HasSuffix(folded, "|") { // its first cell is empty
			cells = append([]string{""}, cells...)
		}
		if len(cells) >= 2 && (!isRow || !slices.ContainsFunc(cells[1:], func(c string) bool { return !strings.ContainsFunc(c, unicode.IsLetter) })) {
			return cells[1:]
		}
	}
	return nil
}

// periodsOf are the heads that a line of years gives: each year with the quarter or half before it, and the names of
// columns of changes.
func periodsOf(folded string) (heads []string) {
	span := ""
	var words []string // since the last year: at the end they are heads
	folded = versus.ReplaceAllString(folded, "$1/$2")
	for w := range strings.FieldsSeq(strings.ReplaceAll(folded, "|", " ")) {
		year := yearly.FindStringSubmatch(w)
		switch {
		case strings.Contains(w, "/") && versus.MatchString(strings.Replace(w, "/", " vs ", 1)):
			heads, words = append(heads, strings.Replace(w, "/", " vs ", 1)), nil
		case year != nil:
			for _, w := range words {
				if len(heads) > 0 && changes.MatchString(w) {
					heads = append(heads, w)
				}
			}
			heads, span, words = append(heads, span+year[1]), "", nil
		case SpanOf(w) != "":
			span = w + " "
		case len(heads) > 0 && strings.ContainsFunc(w, unicode.IsLetter):
			words = append(words, w)
		}
	}
	return append(heads, words...)
}

var versus = Lazy(`\b((?:19|20)\d\d) (?:vs\.?|versus|to) ((?:19|20)\d\d)\b`)

var changes = Lazy(`^(?:change|variance|growth|veranderung|abweichung|variation|variacion)$`)

var spans = Lazy(`\b(?:three|six|nine|twelve|3|6|9|12) months|\b(?:fiscal )?(?:quarter|year)s? ended`)

// grouped are the heads of columns with the period that the lines above them give to as many each: "Three Months Ended".
func grouped(heads, titles []string) []string {
	above := titles[max(0, len(titles)-4):]
	for len(above) > 0 && len(strings.Fields(above[0])) > longestCaption {
		above = above[1:]
	}
	found := spans.FindAllString(rank.Fold(strings.Join(above, " ")), -1)
	if len(found) < 2 || len(heads)%len(found) != 0 {
		return heads
	}
	all := slices.Clone(heads)
	for i := range all {
		all[i] = found[i*len(found)/len(heads)] + " " + heads[i]
	}
	return all
}

// align gives each value the head of its column, where that is certain.
func (r *Row) align(heads, titles []string) {
	if k := len(heads); k > 0 {
		if len(r.Values) > k {
			r.Values = thousands(r.Values, k)
		}
		if v := r.Values[0]; len(r.Values) == k+1 && (v.Mark || v.Bare() && v.Decimals == 0 && v.Digits < 40 && r.Values[1].Digits >= 1000) {
			r.Values = r.Values[1:] // a footnote's mark, the number of a note, a level
		}
		if len(r.Values) == 2*k && strings.Contains(r.Text, "|") { // "41 (10.0)": a count and its share
			double := make([]string, 0, 2*k)
			for _, h := range heads {
				double = append(double, h, h)
			}
			heads, k = double, 2*k
		}
		for k > len(r.Values) && versus.MatchString(heads[k-1]) { // no change is given for a margin
			k--
		}
		lead := k // heads before those of changes, each of which may have an amount and a percentage
		for lead > 0 && (versus.MatchString(heads[lead-1]) || changes.MatchString(heads[lead-1])) {
			lead--
		}
		if n := len(r.Values) - lead; lead < k && n == 2*(k-lead) && strings.Count(r.Text, "%") == k-lead {
			r.Heads = heads[:lead]
		} else if len(r.Values) == k {
			r.Heads = heads[:k]
		}
		return
	}
	if len(titles) == 0 {
		return
	}
	words := strings.Fields(titles[len(titles)-1])
	if len(words) == len(r.Values) && len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !Capitalised(w) || rank.Stop(rank.Fold(w)) }) {
		r.Heads = strings.Fields(rank.Fold(strings.Join(words, " ")))
	}
}

// thousands joins the parts of numbers that spaces divide into groups of three digits, where that gives k numbers.
func thousands(values []Quantity, k int) []Quantity {
	size := len(values) / k
	if size*k != len(values) || size < 2 {
		return values
	}
	var all []Quantity
	for i, v := range values {
		switch {
		case i%size == 0:
			all = append(all, v)
		case len(v.Shown) != 3 || v.Decimals > 0:
			return values
		default:
			all[len(all)-1].Shown += " " + v.Shown
			all[len(all)-1].Digits = all[len(all)-1].Digits*1000 + v.Digits
		}
	}
	return all
}

// YearOf returns the year in the head of value i, 0 for none.
func (r *Row) YearOf(i int) int {
	if i >= len(r.Heads) || versus.MatchString(r.Heads[i]) {
		return 0
	}
	if m := yearly.FindStringSubmatch(r.Heads[i]); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits by the pattern
		return n
	}
	return 0
}

// SpanOf returns the period that a text gives values for: "quarter", "half", "nine" months, "" for none or several.
func SpanOf(folded string) (span string) {
	for name, pattern := range timeSpans {
		if pattern.MatchString(folded) {
			if span != "" {
				return ""
			}
			span = name
		}
	}
	return span
}

var timeSpans = map[string]*Regexp{
	"quarter": Lazy(`\b(?:q[1-4]|[1-4]q|quarter(?:ly)?|(?:three|3)[- ]months?|(?:thirteen|13)[- ]weeks?|quartal\w*|trimestre)\b|四半期`),
	"half":    Lazy(`\b(?:h[12]|half[- ]year|first half|second half|(?:six|6)[- ]months?|halbjahr\w*|semestre)\b`),
	"nine":    Lazy(`\b(?:9m|(?:nine|9|neun|neuf|nueve)[- ](?:months?|monaten?|mois|meses))\b`),
}

// Says returns the row's value i in words.
func (x *Row) Says(i int) string {
	said := fmt.Sprintf("%s: %s", x.Label, x.Values[i].Shown)
	if x.Values[i].Negative {
		said = fmt.Sprintf("%s: (%s)", x.Label, x.Values[i].Shown)
	}
	if i < len(x.Heads) && x.Heads[i] != "" {
		said += " (" + x.Heads[i] + ")"
	}
	if word := map[int]string{3: "thousands", 5: "lakhs", 6: "millions", 7: "crores", 8: "億", 9: "billions"}[x.Scale]; word != "" {
		said += ", in " + word
	}
	return said
}

// Cells returns the cells of a line with bars between them.
func Cells(line string) (cells []string) {
	for c := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|") {
		cells = append(cells, strings.TrimSpace(c))
	}
	return cells
}

func endOf(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
