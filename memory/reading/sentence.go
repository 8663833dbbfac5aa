package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// PageSentences cuts the text of a page into sentences and lines, each verbatim except that
// white space is collapsed. Lines of prose are joined; headings and rows of tables stay alone.
func PageSentences(text string) []string {
	var all []string
	for _, block := range blocks(text) {
		all = append(all, paragraphSentences(block)...)
	}
	return all
}

// MessageSentences cuts a message into sentences and lines. Unlike [PageSentences] it joins no lines; pieces without a
// word are left out.
func MessageSentences(text string) []string {
	return slices.DeleteFunc(paragraphSentences(text), func(s string) bool { return !strings.ContainsFunc(s, isWordRune) })
}

func paragraphSentences(text string) []string {
	var all []string
	for text != "" {
		end := SentenceEnd(text, true)
		if s := strings.TrimSpace(text[:end]); s != "" {
			all = append(all, s)
		}
		text = text[end:]
	}
	return all
}

// blocks joins the lines of a paragraph. A line that ends short of the longest lines,
// or the next one that begins like an item, closes the block.
func blocks(text string) []string {
	lines := strings.Split(text, "\n")
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(strings.TrimSpace(l)))
	}
	var all []string
	var open strings.Builder
	flush := func() {
		if open.Len() > 0 {
			all = append(all, open.String())
			open.Reset()
		}
	}
	for _, l := range lines {
		l = strings.Join(strings.Fields(l), " ")
		if l == "" || item.MatchString(l) {
			flush()
		}
		if l == "" {
			continue
		}
		if open.Len() > 0 {
			open.WriteByte(' ')
		}
		open.WriteString(l)
		if utf8.RuneCountInString(l)*10 < width*6 {
			flush()
		}
	}
	flush()
	return all
}

var item = Lazy(`^(?:[-•*–◦▪#]+ |\(?\d{1,2}[.)] |\(?[a-z]\) )`)

// abbreviations end in a full stop that ends no sentence. English, German, French, Spanish.
var abbreviations = WordSet(`mr mrs ms dr prof st no nr v vs etc e.g i.e fig sec art inc ltd co corp approx dept est jr sr p pp vol ed al cf z.b d.h u.a bzw ca usw abs mio mrd tsd m mme mlle sra sr ud av hr fr p.ex dott sig`)

// SentenceEnd returns where the first sentence of text ends, including its closing marks and the space
// after it. With whole false and no end in sight it is 0: more text may come.
func SentenceEnd(text string, whole bool) int {
	for i, c := range text {
		size := utf8.RuneLen(c)
		switch c {
		case '。', '！', '？':
			return closing(text, i+size)
		case '\n':
			return i + 1
		case '.', '!', '?', '…':
			end := closing(text, i+size)
			if end == len(text) {
				if whole {
					return end
				}
				return 0
			}
			next, _ := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsSpace(next) || c == '.' && abbreviated(text[:i]) && !opensSentence(text[:i], strings.TrimLeft(text[end:], " ")) {
				continue
			}
			for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
				end++
			}
			if c == '.' && end < len(text) && unicode.IsDigit(rune(text[end])) && shortened(lastWord(text[:i])) {
				continue
			}
			return end
		}
	}
	if whole {
		return len(text)
	}
	return 0
}

// closing skips quotation marks and brackets that close a sentence.
func closing(text string, at int) int {
	for at < len(text) {
		c, size := utf8.DecodeRuneInString(text[at:])
		if !strings.ContainsRune(`.!?"'”’»)]*_`, c) {
			return at
		}
		at += size
	}
	return at
}

// shortened reports whether a word in front of a number is a short form, whose full stop ends no sentence: "Jan. 9", "Rs. 40".
func shortened(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	return unicode.IsUpper(r) && rest != "" && utf8.RuneCountInString(rest) <= 3 && rest == strings.ToLower(rest)
}

func lastWord(text string) string { return text[strings.LastIndexAny(text, " (\n")+1:] }

func abbreviated(before string) bool {
	word := lastWord(before)
	r, size := utf8.DecodeRuneInString(word)
	return abbreviations[rank.Fold(word)] || size == len(word) && unicode.IsUpper(r) || AllDigits(word) && len(word) <= 2 || initials(word)
}

// initials reports whether a word, or its part behind a hyphen, is letters between full stops: "U.S", without its last one.
func initials(word string) bool {
	word = word[strings.LastIndexByte(word, '-')+1:]
	letters := strings.Split(strings.TrimLeft(word, `"'“‘(`), ".")
	return len(letters) > 1 && !slices.ContainsFunc(letters, func(l string) bool {
		r, size := utf8.DecodeRuneInString(l)
		return size == 0 || size != len(l) || !unicode.IsLetter(r)
	})
}

// AllDigits reports whether s is digits 0 to 9 only, at least one.
func AllDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// opensSentence reports whether a sentence begins behind the full stop of an abbreviation: a raised digit closed the one before it, or
// behind a letter that is no initial stands a word that begins sentences and no names, as in "vitamin C. The" but not "Ursula K. Le Guin".
func opensSentence(before, after string) bool {
	if r, _ := utf8.DecodeRuneInString(after); strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", r) {
		return true
	}
	letter := lastWord(before)
	r, size := utf8.DecodeRuneInString(letter)
	next, rest, _ := strings.Cut(after, " ")
	folded := rank.Fold(next)
	named := folded == "will" || folded == "may" || particles[folded] && Capitalised(rest)
	return size == len(letter) && unicode.IsUpper(r) && strings.TrimSpace(before) != letter && Capitalised(next) && rank.Stop(folded) && !named
}

// particles are words that begin sentences, and surnames of two words.
var particles = WordSet(`de di da du la le el van von den al`)
