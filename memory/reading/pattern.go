package reading

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used, for there are many and a start has no time for
// them. It is tried only on a text with one of the words that every match contains: looking for those is much faster.
type Pattern struct {
	Regexp
	once  sync.Once
	words func(lower string) bool // see filter
}

// NewPattern returns the pattern of a regular expression; its first use panics if that cannot be parsed.
func NewPattern(expr string) *Pattern { return &Pattern{Regexp: Regexp{expr: expr}} }

// MatchString is that of the regular expression.
func (p *Pattern) MatchString(text string) bool {
	return p.mayMatch(text) && p.Regexp.MatchString(text)
}

// FindStringIndex is that of the regular expression.
func (p *Pattern) FindStringIndex(text string) []int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindStringIndex(text)
}

func (p *Pattern) mayMatch(text string) bool {
	needs := p.needs()
	return needs == nil || needs(strings.ToLower(text))
}

func (p *Pattern) needs() func(lower string) bool {
	p.once.Do(func() {
		if parsed, err := syntax.Parse(p.expr, syntax.Perl); err == nil { // else the match panics
			p.words = filter(parsed, "")
		}
	})
	return p.words
}

// filter reports of a text in lower case whether it may have a match of re directly behind prefix: it holds the words that every
// match contains. It is nil if any text may.
func filter(re *syntax.Regexp, prefix string) func(lower string) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return holding(prefix + strings.ToLower(string(re.Rune)))
	case syntax.OpCapture, syntax.OpPlus:
		return filter(re.Sub[0], prefix)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return filter(re.Sub[0], prefix)
		}
	case syntax.OpAlternate:
		var any []func(string) bool
		for _, sub := range re.Sub {
			f := filter(sub, prefix)
			if f == nil {
				return nil
			}
			any = append(any, f)
		}
		return func(lower string) bool {
			return slices.ContainsFunc(any, func(f func(string) bool) bool { return f(lower) })
		}
	case syntax.OpConcat:
		return filterAll(re.Sub, prefix)
	}
	return holding(prefix)
}

// filterAll is filter for parts that follow each other.
func filterAll(parts []*syntax.Regexp, prefix string) func(lower string) bool {
	var lacks []func(string) bool
	add := func(f func(string) bool) {
		if f != nil {
			lacks = append(lacks, func(lower string) bool { return !f(lower) })
		}
	}
	for _, part := range parts {
		switch part.Op {
		case syntax.OpLiteral:
			prefix += strings.ToLower(string(part.Rune))
		case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		default:
			add(filter(part, prefix))
			prefix = ""
		}
	}
	if add(holding(prefix)); len(lacks) == 0 {
		return nil
	}
	return func(lower string) bool {
		return !slices.ContainsFunc(lacks, func(f func(string) bool) bool { return f(lower) })
	}
}

// holding is the filter for texts with a word; nil for none.
func holding(word string) func(lower string) bool {
	if word == "" {
		return nil
	}
	return func(lower string) bool { return strings.Contains(lower, word) }
}
