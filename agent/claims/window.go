package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// window is the part of a claim that speaks of one number: from the number before it to the one behind it.
type window struct {
	before, after, all string // folded
	years              []int  // in before and after; else those of the claim, of its heading or of the request
	loose              bool   // the years may be another's: the claim compares
	sure               bool   // the year stands with the number, or over its column
	terms              map[string]bool
	beforeTerms        map[string]bool
}

var compares = regexp.MustCompile(`\b(?:instead|statt|prior|previous(?:ly)?|earlier|ago|last year|preceding|from|up from|down from|compared|versus|vs\.?|than|against|vorjahr\w*|zuvor|vorher\w*|gegenuber|verglichen|von|precedente?|anterior|contre|contra|frente|desde|depuis|previo)\b|前年|前期|昨年|上年`)

func (r *Reply) window(c *Claim, i int) window {
	q := c.numbers[i]
	before, after := beside(c.folded, c.numbers, i)
	w := window{before: before, after: after, all: rank.Fold(c.Text)}
	if c.cells != nil {
		column := strings.Count(strings.TrimLeft(c.folded[:q.From], "| "), "|")
		if column < len(c.cells) {
			head := rank.Fold(c.cells[column])
			w.before, w.after = rank.Fold(c.context)+" "+head+" ", ""
			w.all = w.before
		}
	}
	w.years = yearsIn(w.before + " " + w.after)
	w.sure = len(w.years) > 0
	if m := r.respectively(c, i); m > 0 {
		w.years, w.sure = []int{m}, true
	}
	if fromWord.MatchString(w.before) && toWord.MatchString(w.after) { // of the time before
		w.years = yearsIn(w.after)
		w.sure = len(w.years) > 0
		w.loose = !w.sure
	} else if len(w.years) == 0 {
		w.years = yearsIn(c.folded)
		w.loose = len(w.years) > 1 || compares.MatchString(c.folded)
	}
	if len(w.years) == 0 && !w.loose {
		if w.years = yearsIn(rank.Fold(c.context)); len(w.years) == 0 {
			w.years = yearsIn(rank.Fold(r.Request))
		}
		w.loose = len(w.years) != 1 || compares.MatchString(c.folded)
	}
	w.terms = reading.TermSet(w.before + " " + w.after)
	w.beforeTerms = reading.TermSet(w.before)
	return w
}

var (
	quarters = regexp.MustCompile(`\b(?:[q][1-4]|[1-4]q|quarter(?:ly)?|three[- ]months?|3[- ]months?)\b`)
	halves   = regexp.MustCompile(`\b(?:h[12]|six[- ]months?|6[- ]months?|half|year[- ]to[- ]date)\b`)
)

// spans reports whether the head of a column may be of the period that a claim names.
func (w window) spans(head string) bool {
	quarter, half := quarters.MatchString(w.all), halves.MatchString(w.all)
	return quarter == half || quarter == quarters.MatchString(head) || !spans.MatchString(head)
}

// datum reports whether a number is a value, and not a date or a name.
func (q quantity) datum() bool {
	return !q.isYear() && !q.isDate() && !q.word && !q.Name && !q.mark
}

// beside is the text before and behind number i, as far as it speaks of that number alone.
func beside(folded string, numbers []quantity, i int) (before, after string) {
	q := numbers[i]
	from, to := 0, len(folded)
	for _, o := range numbers {
		if o.datum() && o.To <= q.From && o.To > from {
			from = o.To
		}
		if o.datum() && o.From >= q.To && o.From < to {
			to = o.From
		}
	}
	before, after = folded[from:q.From], folded[q.To:to]
	both := yearWord.MatchString(before) && yearWord.MatchString(after)
	if m := clauseEnd.FindAllStringIndex(before, -1); m != nil && from > 0 {
		before = before[m[len(m)-1][1]:]
	} else if m := joint.FindAllStringIndex(before, -1); m != nil && both && from > 0 {
		before = before[m[len(m)-1][1]:]
	}
	if i := strings.IndexByte(after, '('); i >= 0 && yearWord.MatchString(after[i:]) && !yearWord.MatchString(before+folded[:from]) && to < len(folded) {
		after = after[:i]
	}
	if m := clauseEnd.FindStringIndex(after); m != nil && to < len(folded) {
		after = after[:m[0]]
	} else if m := joint.FindStringIndex(after); m != nil && both {
		after = after[:m[0]]
	}
	return before, after
}

func yearsBeside(folded string, numbers []quantity, i int) []int {
	before, after := beside(folded, numbers, i)
	return yearsIn(before + " " + after)
}

var joint = regexp.MustCompile(`[,;]|\b(?:and|und|et|y|e|bzw)\b`)

var clauseEnd = regexp.MustCompile(`[;|]|  |, (?:and|while|whereas|but|und|wahrend|et|tandis que|y|mientras)\b`)

func yearsIn(folded string) []int {
	var all []int
	for _, m := range yearWord.FindAllStringSubmatch(folded, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits by the pattern
		if n < 100 {
			n += 2000
		}
		all = append(all, n)
	}
	return all
}

var (
	yearWord  = regexp.MustCompile(`(?:^|[^\d.,$€£])(?:fy ?|cy ?)?((?:19|20)\d\d)(?:$|[^\d,%]|,\D)|\bfy ?'?(\d\d)\b`)
	respectly = regexp.MustCompile(`\b(?:respectively|bzw\.?|beziehungsweise|jeweils|respectivement|respectivamente)\b|それぞれ`)
)

// respectively is the year of number i where as many years and numbers stand in one order, 0 if they do not.
func (r *Reply) respectively(c *Claim, i int) int {
	if !respectly.MatchString(c.folded) {
		return 0
	}
	var data []int
	for k, q := range c.numbers {
		if q.datum() {
			data = append(data, k)
		}
	}
	years := yearsIn(c.folded)
	if at := slices.Index(data, i); at >= 0 && len(years) == len(data) {
		return years[at]
	}
	return 0
}
