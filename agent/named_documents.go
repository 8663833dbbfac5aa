package agent

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// library are the documents that a turn may use.
type library []*memory.Document

// named are the documents whose name a request holds, or holds a word of that no
// other document's name has. nil means none.
func (l library) named(request string) library {
	words := " " + strings.Join(rank.Words(request), " ") + " "
	var found library
	for _, d := range l {
		for _, w := range nameWords(d.Name) {
			if strings.Contains(words, " "+w+" ") && !l.shared(w, d) {
				found = append(found, d)
				break
			}
		}
	}
	return found
}

// shared reports whether another document has a word in its name, too.
func (l library) shared(word string, d *memory.Document) bool {
	return slices.ContainsFunc(l, func(o *memory.Document) bool {
		return o.ID != d.ID && slices.Contains(nameWords(o.Name), word)
	})
}

// nameWords are the words of a file's name without its ending and without words like "report".
func nameWords(name string) []string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 6 {
		name = name[:i]
	}
	return slices.DeleteFunc(rank.Words(name), func(w string) bool {
		return len(w) < 2 || reading.FramingWord(w) || rank.Stop(w) || reading.HasPhrase(w, anyNouns)
	})
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

// withoutNamed are the parts of a request without those that name the only document in scope: they say where to look, not
// what for.
func (l library) withoutNamed(parts []part) []part {
	if len(l) != 1 {
		return parts
	}
	squashed := strings.Join(nameWords(l[0].Name), "")
	left := slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		return len(p.phrase) == 1 && len(p.phrase[0]) > 2 && strings.Contains(squashed, p.phrase[0])
	})
	if len(left) == 0 {
		return parts
	}
	return left
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

// ids are those of the documents, which a search is limited to.
func (l library) ids() []int64 {
	ids := make([]int64, len(l))
	for i, d := range l {
		ids[i] = d.ID
	}
	return ids
}

// alias is the short name of a document in the prompts of this turn, "" if it is out of scope.
func (l library) alias(document int64) string {
	for i, d := range l {
		if d.ID == document {
			return fmt.Sprintf("d%d", i+1)
		}
	}
	return ""
}

// lines name the documents in a prompt.
func (l library) lines() []string {
	var lines []string
	for i, d := range l[:min(len(l), 20)] {
		lines = append(lines, fmt.Sprintf("d%d: %s", i+1, oneLine(d.Name)))
	}
	return lines
}

// passageLines are passages of the documents as a prompt shows them.
func (l library) passageLines(passages []docs.Passage) []string {
	lines := make([]string, len(passages))
	for i, p := range passages {
		lines[i] = fmt.Sprintf("[%s p%d]\n%s", l.alias(p.DocumentID), p.Page, p.Text)
	}
	return lines
}
