package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// page is the text of a page, read as the rows of its tables and its sentences.
type page struct {
	document, number int
	text             string
	squashed         string // letters and digits only
	rows             []row
	sentences        []sentence
}

// row is a line of a table: label and values, each under the head of its column.
type row struct {
	text     string // as it stands there, white space collapsed
	label    string
	terms    []string // of the label
	title    string   // lines above that have no values: caption, section, names of columns
	values   []reading.Quantity
	heads    []string // of each value; nil if the columns have no names that are certain
	scale    int      // power of ten of the values; -1 if nothing says
	from, to int      // in squashed
}

// sentence is one of the page, outside tables or in them.
type sentence struct {
	text     string
	from, to int // in squashed
	read     bool
	folded   string
	figures  []reading.Quantity
	has      map[string]bool
}

// quantities are its numbers. They are read when they are asked for, as most pages are looked at in one place.
func (s *sentence) quantities() []reading.Quantity {
	if !s.read {
		s.read = true
		s.folded, s.figures = reading.Quantities(s.text)
	}
	return s.figures
}

func (s *sentence) terms() map[string]bool {
	if s.has == nil {
		s.has = reading.TermSet(s.text)
	}
	return s.has
}

var (
	numeric   = regexp.MustCompile(`^(?:[$€£¥(+−–—-]*\d[\d.,'’]*(?:%|pp|bps|x)?\)?%?[*†‡]?|[$€£¥()%]+|[−–—-]{1,3}|n/?[am]\.?|n\.m\.|eur|usd|gbp|chf|△\d[\d,.]*|▲\d[\d,.]*|\d[\d.,]*(?:円|元|%|億円|百万円|千円))$`)
	yearAlone = regexp.MustCompile(`(?:^|[^\d.,])(?:19|20)\d\d$`)
	yearly    = regexp.MustCompile(`(?:^|[^\d.,])((?:19|20)\d\d)(?:$|[^\d,.%]|[.,](?:\D|$))`)
	// caption matches what says the scale of a table, on folded text.
	caption = regexp.MustCompile(`(?:\b(?:in|en|amounts|angaben|betrage|montants|importes|stated|expressed|usd|eur|us|dollars|€|of)|[$€£¥(]|単位[:：]?|単位 ?)[\s:.]*(?:in |of |de |us ?)?(?:[$€£¥]|usd|eur|gbp|u\.s\. dollars in)?[\s']*(thousands?|tausend|tsd\.?|teur|t€|k€|milliers|miles|millions?|millionen|mio\.?|millones|mn|mm|billions?|milliarden|mrd\.?|milliards|000s?|千円|百万円|億円|千元|万元|千|百万|億|亿)(?:\PL|$)` +
		`|\b(teur|t€|k€|mio\.? ?(?:eur|€|usd|chf)|mrd\.? ?(?:eur|€|usd)|tsd\.? ?(?:eur|€)|€m|\$m|£m|usdm|eurm)\b|\bin(thousands|millions|billions)\b|[$€£]'?(000)s?\b|(千円|百万円|億円)`)
)

var captionScale = map[string]int{"thousand": 3, "thousands": 3, "tausend": 3, "tsd": 3, "teur": 3, "t€": 3, "k€": 3, "milliers": 3, "miles": 3, "000": 3, "000s": 3, "千円": 3, "千元": 3, "千": 3,
	"万元": 4, "million": 6, "millions": 6, "millionen": 6, "mio": 6, "millones": 6, "mn": 6, "mm": 6, "百万円": 6, "百万": 6, "€m": 6, "$m": 6, "£m": 6, "usdm": 6, "eurm": 6,
	"億円": 8, "億": 8, "亿": 8, "billion": 9, "billions": 9, "milliarden": 9, "mrd": 9, "milliards": 9}

// scaleOf is the power of ten that a caption gives, -1 for none.
func scaleOf(folded string) int {
	for _, m := range caption.FindAllStringSubmatchIndex(folded, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				word := strings.Trim(folded[m[g]:m[g+1]], ". ")
				word, _, _ = strings.Cut(word, " ")
				return captionScale[strings.Trim(word, ".")]
			}
		}
	}
	return -1
}

// squash keeps the letters and digits of a text, folded.
func squash(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, rank.Fold(text))
}

// readPage reads the text of a page.
func readPage(document, number int, text string) *page {
	p := &page{document: document, number: number, text: text}
	var b strings.Builder
	scale := -1
	var heads []string
	var titles []string
	for _, line := range reading.JoinCells(strings.Split(strings.ReplaceAll(text, "\t", " | "), "\n")) {
		if line == "" {
			continue
		}
		from := b.Len()
		b.WriteString(squash(line))
		folded := rank.Fold(line)
		if s := scaleOf(folded); s >= 0 {
			scale = s
		}
		r, ok := readRow(line)
		if h := headsOf(line, r, ok); h != nil {
			heads = grouped(h, titles)
			titles = append(titles, line)
			continue
		}
		if !ok {
			if heads != nil && len(strings.Fields(line)) > 12 && strings.ContainsRune(".。", lastRune(line)) {
				heads = nil // prose: the table has ended
			}
			titles = append(titles[max(0, len(titles)-4):], line)
			continue
		}
		r.scale, r.from, r.to = scale, from, b.Len()
		r.terms = labelTerms(r.label)
		r.title = strings.Join(titles[max(0, len(titles)-4):], " ")
		r.align(heads, titles)
		p.rows = append(p.rows, r)
	}
	p.fractions()
	p.squashed = b.String()
	at := 0
	for _, s := range reading.PageSentences(text) {
		sq := squash(s)
		x := sentence{text: s, from: -1, to: -1}
		if i := strings.Index(p.squashed[at:], sq); i >= 0 {
			x.from, x.to = at+i, at+i+len(sq)
			at = x.to
		}
		p.sentences = append(p.sentences, x)
	}
	return p
}

// fractions takes the scale from rows whose values alone have decimals: amounts per share in a table of thousands.
func (p *page) fractions() {
	decimal := func(x *row) bool {
		return !slices.ContainsFunc(x.values, func(v reading.Quantity) bool { return v.Decimals != 2 })
	}
	n := 0
	for i := range p.rows {
		if decimal(&p.rows[i]) {
			n++
		}
	}
	for i := range p.rows {
		if decimal(&p.rows[i]) && n*2 < len(p.rows) {
			p.rows[i].scale = 0
		}
	}
}

// labelTerms are the distinct words of a label, without what stands in brackets.
func labelTerms(label string) []string {
	terms := slices.DeleteFunc(rank.Terms(bracketed.ReplaceAllString(label, " ")), reading.AllDigits)
	slices.Sort(terms)
	return slices.Compact(terms)
}

var bracketed = regexp.MustCompile(`\([^)]*\)|, net\b|(?i: level$)`)

// readRow reads a line as a row: a label, then nothing but values.
func readRow(line string) (row, bool) {
	r := row{text: reading.CollapseSpace(line)}
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
	r.label = strings.Trim(strings.Join(fields[:n], " "), " |:.…")
	if strings.ContainsRune(".。", lastRune(line)) && !strings.HasSuffix(line, "..") || digits < 2 && n > 8 {
		return r, false
	}
	if digits == 0 || !strings.ContainsFunc(r.label, unicode.IsLetter) || utf8.RuneCountInString(r.label) > 150 {
		return r, false
	}
	for i := n; i < len(fields); i++ { // a dash is a value too
		if strings.Trim(fields[i], "−–—-") == "" {
			fields[i] = "0"
		}
	}
	_, r.values = reading.Quantities(strings.Join(fields[n:], " ; "))
	return r, len(r.values) > 0
}

// headsOf are the names of columns that a line gives; nil for none: years, or the cells of a line without values.
func headsOf(line string, r row, isRow bool) []string {
	folded := rank.Fold(line)
	found := yearly.FindAllStringSubmatch(strings.ReplaceAll(folded, " ", "  "), -1)
	var years []string
	for _, m := range found {
		years = append(years, m[1])
	}
	figures := 0
	var all []reading.Quantity
	if years != nil {
		_, all = reading.Quantities(line)
	}
	for _, q := range all {
		if !q.IsDate() && !yearAlone.MatchString(q.Shown) && !(q.Word || q.Mark || q.Name) && !(q.Decimals == 0 && q.Digits <= 31) {
			figures++
		}
	}
	if figures == 0 && (len(years) >= 2 || len(years) == 1 && isRow && len(r.values) == 1) && !strings.ContainsRune(".。;", lastRune(line)) && len(strings.Fields(line)) <= 8+6*len(years) {
		return periodsOf(folded)
	}
	if strings.Count(line, "|") >= 1 && !separator.MatchString(line) {
		cells := cellsOf(folded)
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
	for w := range strings.FieldsSeq(strings.ReplaceAll(folded, "|", " ")) {
		year := yearly.FindStringSubmatch(w)
		switch {
		case year != nil:
			for _, w := range words {
				if len(heads) > 0 && changes.MatchString(w) {
					heads = append(heads, w)
				}
			}
			heads, span, words = append(heads, span+year[1]), "", nil
		case spanOf(w) != "":
			span = w + " "
		case len(heads) > 0 && strings.ContainsFunc(w, unicode.IsLetter):
			words = append(words, w)
		}
	}
	return append(heads, words...)
}

var changes = regexp.MustCompile(`^(?:change|variance|growth|veranderung|abweichung|variation|variacion)$`)

var spans = regexp.MustCompile(`\b(?:three|six|nine|twelve|3|6|9|12) months|\b(?:fiscal )?(?:quarter|year)s? ended`)

// grouped are the heads of columns with the period that a line above them gives to as many each: "Three Months Ended".
func grouped(heads, titles []string) []string {
	for _, title := range titles[max(0, len(titles)-2):] {
		if found := spans.FindAllString(rank.Fold(title), -1); len(found) > 1 && len(heads)%len(found) == 0 {
			all := slices.Clone(heads)
			for i := range all {
				all[i] = found[i*len(found)/len(heads)] + " " + heads[i]
			}
			return all
		}
	}
	return heads
}

// align gives each value the head of its column, where that is certain.
func (r *row) align(heads, titles []string) {
	if k := len(heads); k > 0 {
		if len(r.values) > k {
			r.values = thousands(r.values, k)
		}
		if v := r.values[0]; len(r.values) == k+1 && (v.Mark || v.Bare() && v.Decimals == 0 && v.Digits < 40 && r.values[1].Digits >= 1000) {
			r.values = r.values[1:] // a footnote's mark, the number of a note, a level
		}
		if len(r.values) == 2*k && strings.Contains(r.text, "|") { // "41 (10.0)": a count and its share
			double := make([]string, 0, 2*k)
			for _, h := range heads {
				double = append(double, h, h)
			}
			heads, k = double, 2*k
		}
		if len(r.values) == k {
			r.heads = heads
		}
		return
	}
	if len(titles) == 0 {
		return
	}
	words := strings.Fields(rank.Fold(titles[len(titles)-1]))
	if len(words) == len(r.values) && len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) || rank.Stop(w) }) {
		r.heads = words
	}
}

// thousands joins the parts of numbers that spaces divide into groups of three digits, where that gives k numbers.
func thousands(values []reading.Quantity, k int) []reading.Quantity {
	size := len(values) / k
	if size*k != len(values) || size < 2 {
		return values
	}
	var all []reading.Quantity
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

// yearOf is the year in the head of value i, 0 for none.
func (r *row) yearOf(i int) int {
	if i >= len(r.heads) {
		return 0
	}
	if m := yearly.FindStringSubmatch(r.heads[i]); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits by the pattern
		return n
	}
	return 0
}

// at are the spans of squashed that a quote covers, four at most.
func (p *page) at(quote string) [][2]int {
	var all [][2]int
	q := squash(quote)
	for from := 0; q != "" && len(all) < 4; {
		i := strings.Index(p.squashed[from:], q)
		if i < 0 {
			break
		}
		all = append(all, [2]int{from + i, from + i + len(q)})
		from += i + len(q)
	}
	return all
}

// covered reports whether [from, to) and a span of spans have something in common.
func covered(from, to int, spans [][2]int) bool {
	return slices.ContainsFunc(spans, func(s [2]int) bool { return from < s[1] && s[0] < to })
}
