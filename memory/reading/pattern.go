package reading

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used, for there are many and a start has no time for
// them. It is tried only on a text with one of the words that every match contains: looking for those is much faster.
type Pattern struct {
	compiled func() (re *regexp.Regexp, needs []string) // needs are in lower case; none if it can match without any
}

// NewPattern returns the pattern of a regular expression; its first use panics if that cannot be parsed.
func NewPattern(expr string) *Pattern {
	return &Pattern{sync.OnceValues(func() (*regexp.Regexp, []string) {
		re := regexp.MustCompile(expr)
		var needs []string
		if parsed, err := syntax.Parse(expr, syntax.Perl); err == nil {
			needs, _ = literals(parsed)
		}
		return re, needs
	})}
}

// MatchString is that of the regular expression.
func (p *Pattern) MatchString(text string) bool {
	re, needs := p.compiled()
	if len(needs) == 0 {
		return re.MatchString(text)
	}
	lower := strings.ToLower(text)
	for _, w := range needs {
		if strings.Contains(lower, w) {
			return re.MatchString(text)
		}
	}
	return false
}

// FindAllString is that of the regular expression.
func (p *Pattern) FindAllString(text string, n int) []string {
	re, _ := p.compiled()
	return re.FindAllString(text, n)
}

// FindStringIndex is that of the regular expression.
func (p *Pattern) FindStringIndex(text string) []int {
	re, _ := p.compiled()
	return re.FindStringIndex(text)
}

// literals are texts in lower case: every match has one of them. It is false if there are none. Of a sequence it is those of
// the part whose shortest is longest.
func literals(re *syntax.Regexp) (all []string, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			some, ok := literals(sub)
			if !ok {
				return nil, false
			}
			all = append(all, some...)
		}
		return all, true
	case syntax.OpConcat:
		best := 0
		for _, sub := range re.Sub {
			some, found := literals(sub)
			if !found {
				continue
			}
			if n := shortest(some); n > best {
				all, ok, best = some, true, n
			}
		}
		return all, ok
	}
	return nil, false
}

func shortest(words []string) int {
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}
