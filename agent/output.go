package agent

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// The filters that every released text goes through, whoever wrote it.

var (
	image = reading.Lazy(`!\[([^\]]*)\]\([^)]*\)|<img[^>]*>`)
	// destination matches what follows the text of a link.
	destination = reading.Lazy(`\]\(([^()]*(?:\([^()]*\)[^()]*)*)\)`)
	refer       = reading.Lazy(`(?m)^\s*\[[^\]]+\]:\s*\S+.*$`)
	mention     = reading.Lazy(`(?i)(^|[^\pL\pN_])@(everyone|channel|here)\b`)
	// token matches what a chat service reads as a mention, a channel or a link.
	token     = reading.Lazy(`(?i)<(?:!(?:here|channel|everyone|subteam|date)\b[^>]*|[@#][&!]?[^>\s]*|/[^<>:]+:\d+|id:\w+)>`)
	beginsKey = reading.Lazy(`-----BEGIN [A-Z ]*PRIVATE KEY`)
	endsKey   = reading.Lazy(`-----END [A-Z ]*PRIVATE KEY`)
	ticks     = reading.Lazy("`+")
)

const settling = 5 // rounds until a text is taken to grow new marks for ever

// settled applies step until nothing changes: removing a part may join others into a new match. "" if that never ends.
func settled(text string, step func(string) string) string {
	for range settling {
		next := step(text)
		if next == text {
			return text
		}
		text = next
	}
	return ""
}

// neutral removes what would notify people, and what cannot be seen.
func neutral(text string) string {
	return settled(text, func(text string) string { return mention.ReplaceAllString(untagged(text), "$1$2") })
}

// untagged is visible text without tokens of a chat service.
func untagged(text string) string {
	return token.ReplaceAllStringFunc(reading.Visible(text), func(m string) string { return strings.Trim(m, "<>@!#& ") })
}

// fenceLinks quotes a text with its addresses as code, so that nothing can be clicked or
// fetched, and with nobody notified.
func fenceLinks(text string) string {
	verbatim := func(address string) (string, bool) { return address, false }
	return settled(text, func(text string) string {
		text = image.ReplaceAllString(neutral(text), "$1")
		return reading.HideKeys(eachSpan(text, func(text string) string { return asCode(plainlySpelt(reading.Unlinked(text)), verbatim) }, func(code string) string { return code }))
	})
}

// eachSpan rewrites what stands outside of code and what stands in it. Backticks without a partner go.
func eachSpan(text string, outside, inside func(string) string) string {
	var out strings.Builder
	add := func(part string) {
		if strings.HasPrefix(part, "`") && strings.HasSuffix(out.String(), "`") {
			out.WriteByte(' ')
		}
		out.WriteString(part)
	}
	for text != "" {
		from, to := codeSpan(text)
		add(outside(strings.ReplaceAll(text[:from], "`", "")))
		add(inside(text[from:to]))
		text = text[to:]
	}
	return out.String()
}

// asCode shows the addresses of a text as code, in the form that shown gives them, unless they may be live.
func asCode(text string, shown func(address string) (form string, live bool)) string {
	return reading.ReplaceAddresses(text, func(address string) string {
		form, live := shown(address)
		if live {
			return form
		}
		return "`" + form + "`"
	})
}

// codeSpan returns where the first code between equal runs of backticks begins and ends; the end of the text if there is none.
func codeSpan(text string) (from, to int) {
	runs := ticks.FindAllStringIndex(text, -1)
	for i, open := range runs {
		for _, end := range runs[i+1:] {
			if end[1]-end[0] == open[1]-open[0] {
				return open[0], end[1]
			}
		}
	}
	return len(text), len(text)
}

// allowed decides on the addresses of an answer, where others than the asker and we wrote some of its prompt: those the
// asker or we have said stay as they are, those of a cited page are shown as code, of others the host is.
type allowed struct {
	said, cited []string
}

func (a allowed) shown(address string) (form string, live bool) {
	leads := func(other string) bool { return reading.Leads(address, other) }
	switch {
	case slices.ContainsFunc(a.said, leads):
		return address, true
	case slices.ContainsFunc(a.cited, leads):
		return address, false
	}
	return reading.HostOf(address), false
}

func (a allowed) trusts(text string) bool {
	return !slices.ContainsFunc(reading.Addresses(text), func(found string) bool {
		_, live := a.shown(found)
		return !live
	})
}

// filter is a text that leads nobody where nobody trusted points. It may take several rounds (see settled).
func (a allowed) filter(text string) string {
	text = refer.ReplaceAllString(image.ReplaceAllString(text, "$1"), "")
	return eachSpan(text, func(text string) string { return a.links(plainlySpelt(text)) }, a.code)
}

var (
	// entity is a character spelt out, which Markdown shows; escaped is one behind a backslash, which it does not show.
	entity  = reading.Lazy(`(?i)&(?:#\d{1,7}|#x[0-9a-f]{1,6}|period|colon|sol|commat);`)
	escaped = reading.Lazy(`([\pL\pN])\\([.:/@])([\pL\pN])`)
	// disguised are words with wide, circled or mathematical letters and signs, or with emphasis within them.
	disguised  = reading.Lazy(`\S*[*~\x{FF01}-\x{FF5E}\x{24B6}-\x{24E9}\x{1D400}-\x{1D7FF}]\S*`)
	undisguise = strings.NewReplacer("*", "", "~", "")
)

// undisguised is a word as plain text if that has other addresses in it.
func undisguised(word string) string {
	plain := undisguise.Replace(norm.NFKC.String(word))
	if slices.Equal(reading.Addresses(plain), reading.Addresses(word)) {
		return word
	}
	return plain
}

// plainlySpelt is a text outside of code in which addresses are written as they are shown.
func plainlySpelt(text string) string {
	plain := escaped.ReplaceAllString(entity.ReplaceAllStringFunc(text, func(spelt string) string {
		shown := html.UnescapeString(spelt)
		if r, _ := utf8.DecodeRuneInString(shown); !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".:/@?#=-", r) {
			return spelt
		}
		return shown
	}), "$1$2$3")
	return disguised.ReplaceAllStringFunc(plain, undisguised)
}

// code is what stands in code, where nothing can be clicked: an address that nobody trusted said is cut to its host.
func (a allowed) code(text string) string {
	return reading.ReplaceAddresses(text, func(address string) string {
		form, _ := a.shown(address)
		return form
	})
}

// links is a text outside of code. Of a link that leads elsewhere its words are left.
func (a allowed) links(text string) string {
	var out strings.Builder
	for text != "" {
		at := destination.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		words, behind := text[:at[0]], "]"
		open := strings.LastIndexByte(words, '[')
		own := open >= 0 && !strings.Contains(words[open:], "]")
		switch {
		case a.trusts(text[at[2]:at[3]]) && (!own || a.trusts(words[open:])):
			behind = text[at[0]:at[1]]
		case own:
			words, behind = words[:open]+words[open+1:], ""
		}
		out.WriteString(asCode(words, a.shown) + behind)
		text = text[at[1]:]
	}
	return out.String() + asCode(text, a.shown)
}

// leakRun is how many successive words of a system prompt an answer or a summary may not repeat.
const leakRun = 12

// leaks reports whether a text repeats leakRun or more successive words of a system prompt.
func leaks(text string, prompt map[string]bool) bool {
	words := rank.Words(text)
	for i := 0; i+leakRun <= len(words); i++ {
		if prompt[strings.Join(words[i:i+leakRun], " ")] {
			return true
		}
	}
	return false
}

// runsOf are all runs of leakRun words of a text.
func runsOf(text string) map[string]bool {
	words := rank.Words(text)
	runs := map[string]bool{}
	for i := 0; i+leakRun <= len(words); i++ {
		runs[strings.Join(words[i:i+leakRun], " ")] = true
	}
	return runs
}
