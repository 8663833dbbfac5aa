package rank

import (
	"slices"
	"strings"
	"unicode"
)

// Names returns the folded capitalised names in s, each once, in order: runs of capitalised
// words ("Acme Corp", "Bank of America"), handles ("@alice") and words with a capital inside
// ("iPhone", "NASA"). The capital of a sentence's first word proves nothing: such a word
// begins a name only if another capitalised word follows, and is one only if it stands
// capitalised elsewhere or is written in capitals. Months and words with digits
// are left to [Numbers]; scripts without capitals have no names here.
func Names(s string) []string {
	var list []string
	for _, n := range names(s) {
		if form := strings.Join(n.words, " "); !slices.Contains(list, form) {
			list = append(list, form)
		}
	}
	return list
}

type name struct {
	words []string // folded
	loose bool     // the first word is capitalised perhaps only because a sentence begins
}

// token is a word of a text with what decides whether it belongs to a name.
type token struct {
	text    string
	folded  string
	first   bool // of a sentence
	joined  bool // only a space, or an & between spaces, stands before it
	capital bool
	strong  bool // a capital beyond the first letter, or a handle
	owner   bool // in the genitive, which ends a name
}

// particles join capitalised words into one name.
var particles = map[string]bool{"of": true, "de": true, "da": true, "do": true, "del": true, "della": true,
	"di": true, "du": true, "van": true, "von": true, "der": true, "den": true, "la": true, "le": true, "y": true, "e": true}

func names(s string) []name {
	tokens := tokenize(s)
	known := map[string]bool{} // capitalised where a capital means something
	for _, t := range tokens {
		if t.capital && (t.strong || !t.first) {
			known[t.folded] = true
		}
	}
	var list []name
	for i := 0; i < len(tokens); {
		run := nameRun(tokens[i:])
		if run == 0 {
			i++
			continue
		}
		n := name{loose: tokens[i].first && !known[tokens[i].folded]}
		for _, t := range tokens[i : i+run] {
			n.words = append(n.words, t.folded)
		}
		if n.loose && Stop(n.words[0]) {
			n.words, n.loose = n.words[1:], false
		}
		if len(n.words) > 1 || len(n.words) == 1 && !n.loose && (!Stop(n.words[0]) || tokens[i].strong) {
			list = append(list, n)
		}
		i += run
	}
	return list
}

// nameRun returns how many tokens from the first one on form a name.
func nameRun(tokens []token) int {
	if !tokens[0].capital {
		return 0
	}
	n := 1
	for n < len(tokens) && tokens[n].joined && !tokens[n].first && !tokens[n-1].owner {
		if tokens[n].capital {
			n++
			continue
		}
		gap := 0
		for n+gap < len(tokens) && gap < 3 && particles[tokens[n+gap].text] && tokens[n+gap].joined {
			gap++
		}
		if gap == 0 || n+gap == len(tokens) || !tokens[n+gap].capital || !tokens[n+gap].joined {
			break
		}
		n += gap + 1
	}
	return n
}

func tokenize(s string) []token {
	var tokens []token
	runes := []rune(s)
	first, start := true, 0 // start: where the text between the last token and this one begins
	for i := 0; i < len(runes); {
		r := runes[i]
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !(r == '@' && i+1 < len(runes) && unicode.IsLetter(runes[i+1])) {
			if strings.ContainsRune(".!?:;\n\"“”«»„()[]|•*#>", r) && !inside(runes, i) {
				first = true
			}
			i++
			continue
		}
		end := i + 1
		for end < len(runes) && (unicode.IsLetter(runes[end]) || unicode.IsMark(runes[end]) || unicode.IsDigit(runes[end]) ||
			strings.ContainsRune("'’-", runes[end]) && end+1 < len(runes) && unicode.IsLetter(runes[end+1])) {
			end++
		}
		between := string(runes[start:i])
		t := token{text: string(runes[i:end]), first: first, joined: between == " " || between == " & "}
		t.folded, t.owner = strings.CutSuffix(strings.TrimPrefix(Fold(t.text), "@"), "'s")
		t.strong = r == '@' || slices.ContainsFunc(runes[i+1:end], unicode.IsUpper)
		t.capital = t.strong || unicode.IsUpper(r)
		if head, _, ok := strings.Cut(t.folded, "'"); ok && Stop(head) { // I'm, L'Oréal keeps its capital inside
			t.capital = t.strong
		}
		if months()[t.folded] > 0 && !t.strong || strings.ContainsAny(t.folded, "0123456789") {
			t.capital = false
		}
		tokens = append(tokens, t)
		first, start, i = false, end, end
	}
	return tokens
}

// inside reports whether the mark at i stands between two characters of one word, as in 3.5
// or example.com.
func inside(runes []rune, i int) bool {
	return i > 0 && i+1 < len(runes) && runes[i] == '.' && !unicode.IsSpace(runes[i-1]) && !unicode.IsSpace(runes[i+1])
}
