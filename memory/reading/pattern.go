package reading

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Pattern is a regular expression that is tried only on a text with one of the words that every match contains: looking for
// those is much faster.
type Pattern struct {
	*regexp.Regexp
	needs []string // in lower case; none if it can match without any
}

// NewPattern compiles a regular expression; it panics if that cannot be parsed.
func NewPattern(expr string) *Pattern {
	p := &Pattern{Regexp: regexp.MustCompile(expr)}
	if parsed, err := syntax.Parse(expr, syntax.Perl); err == nil {
		p.needs, _ = literals(parsed)
	}
	return p
}

// MatchString is that of the regular expression.
func (p *Pattern) MatchString(text string) bool {
	if len(p.needs) == 0 {
		return p.Regexp.MatchString(text)
	}
	lower := strings.ToLower(text)
	for _, w := range p.needs {
		if strings.Contains(lower, w) {
			return p.Regexp.MatchString(text)
		}
	}
	return false
}

// literals are texts, in lower case, of which every match has one; false if there are no such. Of a sequence it is those of
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
