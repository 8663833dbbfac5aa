package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
)

// segment matches what parts the words about one from those about another.
var segment = regexp.MustCompile(`[,;:] |[|–—]|[.?!] |\b(?:and|but|while|whereas|und|aber|wahrend|et|mais|y|pero)\b`)

// mixes reports whether a claim says of one what the words it cites say of another: each of two parts of it has terms of the
// same two parts of theirs.
func (c *Claim) mixes() bool {
	var parts [][]string
	for _, e := range c.own {
		if e.whole || len(e.rows) > 0 {
			return false
		}
		parts = append(parts, segments(rank.Fold(e.place.Quote))...)
	}
	astride := map[[2]int]bool{}
	for _, mine := range segments(c.folded) {
		pairs := map[[2]int]bool{}
		for i, t := range mine {
			for _, o := range mine[i+1:] {
				if a, b := owner(parts, t), owner(parts, o); a >= 0 && b >= 0 && a != b {
					pairs[[2]int{min(a, b), max(a, b)}] = true
				}
			}
		}
		for p := range pairs {
			if astride[p] {
				return true
			}
			astride[p] = true
		}
	}
	return false
}

// owner is the only part that has a term, -1 for none or several.
func owner(parts [][]string, t string) int {
	has := func(part []string) bool { return slices.Contains(part, t) }
	i := slices.IndexFunc(parts, has)
	if i >= 0 && slices.ContainsFunc(parts[i+1:], has) {
		return -1
	}
	return i
}

// segments are the terms of a folded text's parts, without numbers.
func segments(folded string) (all [][]string) {
	for _, part := range segment.Split(folded, -1) {
		all = append(all, slices.DeleteFunc(rank.Terms(part), func(t string) bool { return strings.ContainsAny(t, "0123456789") }))
	}
	return all
}
