package claims

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// A model cites as [d2 p14 "verbatim words"] and computes as [= 425 + 2,240].
var (
	marker      = regexp.MustCompile(`\[d(\d+)[ ,]+p\.? ?(\d+)[ ,:]+["“„«]((?s:.{1,900}?))["”“»]\s*\]|\[=([^\]]{1,200})\]`)
	markerStart = regexp.MustCompile(`^\[(?:d\d|=)`)
	anyStart    = regexp.MustCompile(`\[(?:d\d+[ ,]+p|=)`)
	malformed   = regexp.MustCompile(`\[d\d+[^\]\n]*\]?`)
	footnote    = regexp.MustCompile(`\s*(?:\[\^?\d{1,3}\]|【[^】]*】)`)
)

const longestMarker = 1400 // bytes: no citation is longer

// Quote is a citation as a model writes it.
type Quote struct {
	Document int // the number behind "d"
	Page     int
	Words    string
}

// Sentence is a sentence of an answer, taken apart.
type Sentence struct {
	Claim  string // without its markers
	Quotes []Quote
	Sums   []string // computations
	Cites  bool     // it cites, perhaps in a form that nothing can check

	written string
}

// Parse takes a sentence apart.
func Parse(sentence string) Sentence {
	s := Sentence{Claim: marker.ReplaceAllString(sentence, ""), written: sentence}
	for _, m := range marker.FindAllStringSubmatch(sentence, -1) {
		if m[4] != "" {
			s.Sums = append(s.Sums, m[4])
			continue
		}
		document, _ := strconv.Atoi(m[1]) // digits by the pattern
		page, _ := strconv.Atoi(m[2])
		s.Quotes = append(s.Quotes, Quote{document, page, m[3]})
	}
	s.Cites = len(s.Quotes) > 0 || malformed.MatchString(s.numbered(make([]int, len(s.Quotes))))
	return s
}

// Text is the sentence as it is shown: with numbers[i] in place of quote i, which is left out where that is 0, and
// without computations and citations in a form that nothing can check.
func (s Sentence) Text(numbers []int) string {
	return tidy.Replace(malformed.ReplaceAllString(s.numbered(numbers), ""))
}

func (s Sentence) numbered(numbers []int) string {
	i := -1
	return marker.ReplaceAllStringFunc(s.written, func(m string) string {
		if marker.FindStringSubmatch(m)[4] != "" {
			return ""
		}
		if i++; numbers[i] == 0 {
			return ""
		}
		return fmt.Sprintf("[%d]", numbers[i])
	})
}

var tidy = strings.NewReplacer(" .", ".", " ,", ",", "] [", "][")

// WithoutFootnotes is a sentence without citations of other kinds: [3], [^3] and 【…】.
func WithoutFootnotes(sentence string) string { return footnote.ReplaceAllString(sentence, "") }

// Next is the length of the first sentence of text with the citations behind it. 0 means that more has to come; with
// whole nothing more comes.
func Next(text string, whole bool) int {
	end := 0
	for {
		n := reading.SentenceEnd(text[end:], whole)
		if n == 0 {
			return 0
		}
		end += n
		if !open(text[:end]) { // else the end stands inside a quote
			return withMarkers(text, end, whole)
		}
		if end == len(text) {
			return allIf(whole, text)
		}
	}
}

// withMarkers adds the citations that stand behind a sentence.
func withMarkers(text string, end int, whole bool) int {
	for text[end-1] != '\n' {
		rest := strings.TrimLeft(text[end:], " ")
		if rest == "" || strings.HasPrefix("[d", rest) || strings.HasPrefix("[=", rest) {
			return allIf(whole, text)
		}
		if !markerStart.MatchString(rest) {
			break
		}
		m := marker.FindStringIndex(rest)
		if m == nil || m[0] != 0 {
			if openAt(rest) == 0 && !whole {
				return 0
			}
			break
		}
		end = len(text) - len(rest) + m[1]
		for end < len(text) && strings.ContainsRune(".,;", rune(text[end])) {
			end++
		}
	}
	return end
}

func allIf(whole bool, text string) int {
	if whole {
		return len(text)
	}
	return 0
}

func open(text string) bool { return openAt(text) >= 0 }

// openAt is where a citation begins that does not end in text, -1 if there is none.
func openAt(text string) int {
	starts := anyStart.FindAllStringIndex(text, -1)
	if starts == nil {
		return -1
	}
	last := starts[len(starts)-1][0]
	if m := marker.FindStringIndex(text[last:]); m != nil && m[0] == 0 {
		return -1
	}
	if len(text)-last > longestMarker {
		return -1
	}
	return last
}

// Cites reports whether a text holds a citation or a computation, in whatever form.
func Cites(text string) bool { return anyStart.MatchString(text) || malformed.MatchString(text) }
