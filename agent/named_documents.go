package agent

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// library are the documents that a turn may use.
type library []*memory.Document

// named are the documents that a request names as people write names: "Best Buy" is BESTBUY_2017_10K.pdf, "3M" is
// 3M_2018_10K.pdf, "the offers" are offer_acme.md and offer_zenith.md. Of several with the same name, those whose year or quarter
// it names too. nil means none, or all.
func (l library) named(request string) library {
	words := rank.Words(request)
	called := make([]string, len(l)) // by what, "" for not at all
	count := map[string]int{}
	for i, d := range l {
		called[i] = calledBy(d.Name, words)
		count[called[i]]++
	}
	dates, most := make([]int, len(l)), map[string]int{}
	for i, d := range l {
		for _, w := range rank.Words(d.Name) {
			if reading.AllDigits(w) && slices.Contains(words, w) {
				dates[i] += len(w) // a year more than a quarter
			}
		}
		most[called[i]] = max(most[called[i]], dates[i])
	}
	var found library
	for i, d := range l {
		more := false // "the Haulwell offer" is one of the offers
		for j, other := range called {
			more = more || called[i] != "" && len(other) > len(called[i]) && (strings.HasPrefix(other, called[i]) || slices.Contains(rank.Words(withoutEnding(l[j].Name)), called[i]))
		}
		if name := called[i]; name != "" && !more && (len(l) == 1 || count[name] < len(l) || most[name] > 0) && dates[i] == most[name] {
			found = append(found, d)
		}
	}
	return found
}

// allCalled reports whether a request says a part of every document's name, as "the contracts" where there are no others.
func (l library) allCalled(request string) bool {
	words := rank.Words(request)
	return !slices.ContainsFunc(l, func(d *memory.Document) bool { return calledBy(d.Name, words) == "" })
}

const (
	namedWords = 4 // of a request that make up one name
	leastStart = 4 // letters from the beginning of a name that are enough to mean it
)

// calledBy returns the longest run of a request's words that is a part of a file's name, written as one; "" if there is none.
func calledBy(name string, words []string) string {
	parts := rank.Words(withoutEnding(name))
	all := strings.Join(parts, "")
	starts := map[int]bool{}
	at := 0
	for _, p := range parts {
		starts[at] = true
		at += len(p)
	}
	starts[at] = true
	best := ""
	for from, word := range words {
		for _, p := range parts {
			if len(p) >= leastStart && len(p) > len(best) && len(word) > len(p) && slices.Equal(rank.Terms(word), rank.Terms(p)) && !commonWord(p) { // its plural
				best = p
			}
		}
		for to := from + 1; to <= min(from+namedWords, len(words)); to++ {
			run := strings.Join(words[from:to], "")
			if len(run) <= len(best) || len(run) < 2 || reading.AllDigits(run) || to == from+1 && commonWord(run) {
				continue
			}
			for start := range starts {
				if start > 0 && reading.AllDigits(words[from]) { // "10-K" is in every name
					continue
				}
				if strings.HasPrefix(all[start:], run) && (starts[start+len(run)] || start == 0 && len(run) >= leastStart) {
					best = run
				}
			}
		}
	}
	return best
}

// commonWord reports whether a word of a file's name says nothing about its subject.
func commonWord(w string) bool {
	return reading.FramingWord(w) || rank.Stop(w) || reading.HasPhrase(w, anyNouns)
}

// nameWords are the words of a file's name without its ending and without words like "report".
func nameWords(name string) []string {
	return slices.DeleteFunc(rank.Words(withoutEnding(name)), commonWord)
}

// withoutNames drops the words of the names of the documents in scope: they say where to
// look, not what for.
func (l library) withoutNames(terms []string) []string {
	var names []string
	for _, d := range l {
		names = append(names, rank.Terms(strings.Join(nameWords(d.Name), " "))...)
	}
	left := slices.DeleteFunc(slices.Clone(terms), func(t string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return n == t || len(t) > 2 && len(n) > len(t)+2 && !reading.AllDigits(t) && strings.Contains(n, t)
		})
	})
	if len(left) == 0 {
		return terms
	}
	return left
}

// withoutNamed are the parts of a request without those that name all documents in scope: they say where to look, not
// what for. Where no other is left, the words that only ask count, or else its names.
func (l library) withoutNamed(s sought) []part {
	for _, parts := range [][]part{s.parts, partsOf(s.request, true)} {
		left := slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
			return len(p.phrase) == 1 && len(p.phrase[0]) > 2 && !slices.ContainsFunc(l, func(d *memory.Document) bool {
				return !strings.Contains(strings.Join(nameWords(d.Name), ""), p.phrase[0])
			})
		})
		if len(left) > 0 {
			return left
		}
	}
	return s.parts
}

// names are those of the documents, of many the first.
func (l library) names() string {
	var names []string
	for _, d := range l[:min(len(l), 5)] {
		names = append(names, d.Name)
	}
	if len(l) > 5 {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

func (l library) ids() []int64 {
	ids := make([]int64, len(l))
	for i, d := range l {
		ids[i] = d.ID
	}
	return ids
}

func (l library) contents() []int64 {
	ids := make([]int64, len(l))
	for i, d := range l {
		ids[i] = d.ContentID
	}
	return ids
}

// alias is the short name of a document in the prompts of this turn, "" if it is out of scope.
func (l library) alias(document int64) string {
	if i := slices.Index(l.ids(), document); i >= 0 {
		return fmt.Sprintf("d%d", i+1)
	}
	return ""
}

func (l library) name(document int64) string {
	if i := slices.Index(l.ids(), document); i >= 0 {
		return l[i].Name
	}
	return ""
}

// lines name the documents in a prompt.
func (l library) lines() []string {
	var lines []string
	for i, d := range l[:min(len(l), 20)] {
		line := fmt.Sprintf("d%d: %s", i+1, oneLine(d.Name))
		if d.Reason != "" { // what was left out of it
			line += " – " + d.Reason
		}
		lines = append(lines, line)
	}
	return lines
}

func (l library) allRead() bool {
	return !slices.ContainsFunc(l, func(d *memory.Document) bool { return d.Reason != "" })
}

// withoutEnding is a file's name without ".pdf".
func withoutEnding(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 6 {
		return name[:i]
	}
	return name
}

// unending is a text that names documents without their endings, as far as that leaves them apart: "notes.md" is an address too.
func (l library) unending(text string) string {
	for _, d := range l {
		bare := withoutEnding(d.Name)
		if !slices.ContainsFunc(l, func(o *memory.Document) bool { return o.Name != d.Name && withoutEnding(o.Name) == bare }) {
			text = strings.ReplaceAll(text, d.Name, bare)
		}
	}
	return text
}

func (l library) of(documents []*memory.Document) library {
	var found library
	for _, d := range l {
		if slices.ContainsFunc(documents, func(o *memory.Document) bool { return o.ID == d.ID }) {
			found = append(found, d)
		}
	}
	return found
}
