package agent

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// What may leave: the filters every released text goes through, whoever wrote it.

var (
	image   = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)|<img[^>]*>`)
	anchor  = regexp.MustCompile(`\[([^\]]+)\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	refer   = regexp.MustCompile(`(?m)^\s*\[[^\]]+\]:\s*\S+.*$`)
	mention = regexp.MustCompile(`@(?:everyone|channel|here)\b|<!(?:[a-z]+)[^>]*>|<@[&!]?[^>\s]*>|<#[^>\s]*>`)
	secrets = regexp.MustCompile(`\b(?:sk|gsk|pk|xai|rk)[-_][A-Za-z0-9_-]{16,}|\bAIza[\w-]{30,}|\bAKIA[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}`)
)

// neutral removes what would notify people, and characters that cannot be seen.
func neutral(text string) string {
	text = mention.ReplaceAllStringFunc(text, func(m string) string {
		return strings.Trim(strings.NewReplacer("@", "", "<", "", ">", "", "!", "", "#", "", "&", "").Replace(m), " ")
	})
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\u200b', c == '\u2060', c == '\ufeff', c >= '\u202a' && c <= '\u202e', c >= '\u2066' && c <= '\u2069', c >= 0xE0000 && c <= 0xE007F:
			return -1
		}
		return c
	}, text)
}

// fenceLinks quotes a text with its addresses as code, so that nothing can be clicked or
// fetched, and with nobody notified.
func fenceLinks(text string) string {
	text = image.ReplaceAllString(neutral(text), "$1")
	text = secrets.ReplaceAllString(text, "***")
	return reading.Address.ReplaceAllStringFunc(text, code)
}

func code(address string) string {
	return "`" + strings.TrimRight(address, ".,;:") + "`" + trail(address)
}

func trail(s string) string { return s[len(strings.TrimRight(s, ".,;:")):] }

// allowed decides on addresses: those the user or we have said stay as they are, those of a
// cited quote are shown as code, others are replaced.
type allowed struct {
	said    string // texts whose addresses may be repeated, folded
	cited   string // quotes, folded
	removed string // what stands for an address that may not
	strict  bool   // documents were shown: a mere name of a host is an address, too
}

var hostOnly = regexp.MustCompile(`^[\w-]+(?:\.[\w-]+)+$`)

func (a allowed) filter(text string) (out string, dropped bool) {
	text = image.ReplaceAllString(text, "$1")
	text = refer.ReplaceAllString(text, "")
	text = anchor.ReplaceAllStringFunc(text, func(m string) string {
		part := anchor.FindStringSubmatch(m)
		if holds(a.said, part[2]) {
			return m
		}
		dropped = dropped || !holds(a.cited, part[2])
		if part[1] == part[2] {
			return a.removed
		}
		return part[1]
	})
	kept := anchor.FindAllStringIndex(text, -1)
	at := 0
	text = reading.Address.ReplaceAllStringFunc(text, func(m string) string {
		start := at + strings.Index(text[at:], m)
		at = start + len(m)
		for _, k := range kept {
			if start >= k[0] && start < k[1] {
				return m
			}
		}
		switch {
		case holds(a.said, m):
			return m
		case holds(a.cited, m):
			return code(m)
		case !a.strict && hostOnly.MatchString(m):
			return code(m)
		}
		dropped = true
		return a.removed + trail(m)
	})
	return text, dropped
}

// holds reports whether folded text has an address that ends there, too.
func holds(folded, address string) bool {
	address = rank.Fold(strings.TrimRight(address, ".,;:/"))
	for rest := folded; address != ""; {
		i := strings.Index(rest, address)
		if i < 0 {
			return false
		}
		rest = rest[i+len(address):]
		if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
	}
	return false
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
