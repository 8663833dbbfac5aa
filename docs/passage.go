package docs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// passageChars is how many characters a passage has at most. Of the sizes measured on company
// filings and manuals this one finds best.
const passageChars = 900

// span is text[start:end] in bytes.
type span struct{ start, end int }

// passages are the parts of a page that are searched for and cited.
func passages(text string) []span {
	return keepTotals(text, merge(text, split(text, span{0, len(text)}, []string{"\n\n", "\n", " "})))
}

// split cuts a part of a text into spans of at most passageChars characters: at the first of the separators that it has, where what is
// longer is cut at the next; without any, anywhere.
func split(text string, of span, separators []string) (all []span) {
	separator := ""
	for len(separators) > 0 && separator == "" {
		if strings.Contains(text[of.start:of.end], separators[0]) {
			separator = separators[0]
		}
		separators = separators[1:]
	}
	open, length := span{of.start, of.start}, 0
	end := func(next int) {
		part := text[open.start:open.end]
		from := open.start + len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, span{from, from + len(part)})
		}
		open, length = span{next, next}, 0
	}
	for at := of.start; at < of.end; {
		next := of.end
		if separator == "" {
			_, size := utf8.DecodeRuneInString(text[at:])
			next = at + size
		} else {
			behind := at + len(text[at:of.end]) - len(strings.TrimPrefix(text[at:of.end], separator))
			if i := strings.Index(text[behind:of.end], separator); i >= 0 {
				next = behind + i
			}
		}
		n := utf8.RuneCountInString(text[at:next])
		if n >= passageChars {
			end(next)
			all = append(all, split(text, span{at, next}, separators)...)
		} else {
			if length+n > passageChars {
				end(at)
			}
			open.end = next
			length += n
		}
		at = next
	}
	end(of.end)
	return all
}

// merge joins neighbours that fit into one passage: the splitter leaves the end of a long paragraph
// alone.
func merge(text string, spans []span) []span {
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && utf8.RuneCountInString(text[merged[n-1].start:s.end]) <= passageChars {
			merged[n-1].end = s.end
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// keepTotals moves totals that a passage begins with to the one with their rows.
func keepTotals(text string, spans []span) []span {
	kept := spans[:0]
	for _, s := range spans {
		for n := len(kept); n > 0 && s.start < s.end; {
			before := text[kept[n-1].start:kept[n-1].end]
			line, _, _ := strings.Cut(text[s.start:s.end], "\n")
			if !isTotal(line) || lineFigures(before[strings.LastIndexByte(before, '\n')+1:]) == 0 ||
				utf8.RuneCountInString(before) > passageChars+maxHeadLine {
				break
			}
			kept[n-1].end = s.start + len(line)
			s.start += len(line)
			s.start += len(text[s.start:s.end]) - len(strings.TrimLeft(text[s.start:s.end], " \n"))
		}
		if s.start < s.end {
			kept = append(kept, s)
		}
	}
	return kept
}

// isTotal reports a row that adds up those above it: it says so, or has no label.
func isTotal(line string) bool {
	if lineFigures(line) == 0 {
		return false
	}
	label := strings.ToLower(strings.TrimSpace(line))
	return !strings.ContainsFunc(label, unicode.IsLetter) || totalForm.MatchString(label)
}

var totalForm = reading.Lazy(`^(?:total|net |gesamt|summe|suma|totale|итого|всего|合计|合計)`)

// lineHyphen is a word divided at the end of a line.
var lineHyphen = reading.Lazy(`(\pL[\pL\pM]*)-\n[ \t]*(\p{Ll}[\pL\pM]*)`)

// passageTerms returns what the full-text index stores for a passage. A word divided at the end of a line
// counts whole and in its two parts: the hyphen may have been its own.
func passageTerms(text string) string {
	return strings.Join(rank.Terms(undivided(text)), " ")
}

func undivided(text string) string {
	if strings.Contains(text, "-\n") {
		return lineHyphen.ReplaceAllString(text, "$1$2 $1 $2")
	}
	return text
}

// wholeToo adds to terms the whole number of each that has only zeros behind its point: a table writes 79.00 where people
// say 79.
func wholeToo(terms string) string {
	var all []string
	for t := range strings.FieldsSeq(terms) {
		all = append(all, t)
		if whole, zeros, _ := strings.Cut(t, "."); zeros != "" && strings.Trim(zeros, "0") == "" {
			all = append(all, whole)
		}
	}
	return strings.Join(all, " ")
}
