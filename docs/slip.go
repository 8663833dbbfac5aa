package docs

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs/figures"
	"threadkeeper/memory/rank"
)

// onlySlips reports whether two texts differ in nothing but slips of the pen: misspelt, divided or
// joined words, endings, and little words left out or put in. Another word in a word's place is
// none, however like it is: "decreased" for "increased", "employee" for "employer".
func onlySlips(a, b string) bool {
	as, bs := rank.Words(a), rank.Words(b)
	common := commonWords(as, bs)
	i, j := 0, 0
	for _, pair := range append(common, [2]int{len(as), len(bs)}) {
		if !slips(as[i:pair[0]], bs[j:pair[1]]) {
			return false
		}
		i, j = pair[0]+1, pair[1]+1
	}
	return true
}

// commonWords returns the places in a and b of a longest common subsequence: of several, one that sets
// word against word where they differ, so that "invoices invoice" is a slip for "invoice invoice".
func commonWords(a, b []string) [][2]int {
	length := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	var common [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, [2]int{i, j})
			i++
			j++
		case length[i+1][j+1] == length[i][j]:
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

// slips reports whether the words a, between words that are equal, are slips for the words b.
func slips(a, b []string) bool {
	if len(a) == len(b) {
		for i := range a {
			if !isSlip(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return !slices.ContainsFunc(slices.Concat(a, b), func(w string) bool { return len(w) > 2 && !rank.Stop(w) || slices.Contains(weightyWords, w) })
	}
	return isSlip(strings.Join(a, ""), strings.Join(b, ""))
}

var weightyWords = strings.Fields(`more less most least over under above below before after up down only all any some few both each until since against off out
	mehr weniger uber unter vor nach nur alle bis seit gegen plus moins avant apres sous sur seulement tous jusqu mas menos antes despues sobre bajo solo todos hasta`)

// isSlip reports whether a is b misspelt: it begins and ends like b, or continues after the end of b.
func isSlip(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if strings.HasPrefix(b, a) {
		return len(a) > 1 && len(b)-len(a) <= 2
	}
	first, _ := utf8.DecodeRuneInString(a)
	last, _ := utf8.DecodeLastRuneInString(a)
	begin, _ := utf8.DecodeRuneInString(b)
	end, _ := utf8.DecodeLastRuneInString(b)
	return first == begin && last == end && figures.Changes(a, b) <= 1+utf8.RuneCountInString(b)/8
}
