package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// address matches what a reader or a chat service could follow: a link of any kind, a mail address, the name or number
// of a host with what follows it. There is no list of endings, so that hosts are checked by isHost.
var address = Lazy(`(?i)[a-z][a-z0-9+.-]+:/{1,3}(?:[^\s/@` + stops + `]*@)?(?:\[[^\]\s]*\])?[^\s` + stops + `]*` +
	`|(?:mailto|tel|sms|javascript|vbscript|data|file|skype):[^\s` + stops + `]+` +
	`|[\p{L}\p{N}._%+-]+@` + label + `(?:` + dot + label + `)+(?::[^\s` + stops + `]+)?` +
	`|\[[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?\]` + behind +
	`|` + label + `(?:` + dot + label + `)+` + behind)

const (
	stops  = "<>\"'`)\\]|"
	label  = `[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?`
	dot    = `[.\x{FF0E}]`
	behind = `(?:\.?(?::\d{1,5})?[/?#][^\s` + stops + `]*|:\d{1,5})?`
)

// ReplaceAddresses returns text with each address in it replaced by the result of replace. Marks after an address belong to the sentence.
func ReplaceAddresses(text string, replace func(address string) string) string {
	if !strings.ContainsAny(text, ".:@．") {
		return text
	}
	var b strings.Builder
	for text != "" {
		at := address.FindStringIndex(text)
		if at == nil {
			break
		}
		found := strings.TrimRight(text[at[0]:at[1]], ".,;:!?*_~'")
		end := at[0] + len(found)
		if host := hostOf.FindString(found); host == found[:len(host)] && host != "" && !isHost(host) {
			end = at[0] + len(host) // what follows it may be one
			b.WriteString(text[:end])
			text = text[end:]
			continue
		}
		b.WriteString(text[:at[0]] + replace(found))
		text = text[end:]
	}
	return b.String() + text
}

var (
	hostOf    = Lazy(`^` + label + `(?:` + dot + label + `)+(?:$|[:/?#.])`)
	scheme    = Lazy(`(?i)^([a-z][a-z0-9+.-]+):`)
	hierarchy = Lazy(`(?i)^(?:https?|ftps?|wss?):/*(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)`)
	mailTo    = Lazy(`(?i)^mailto:`)
	bareHost  = Lazy(`^(?:\[[^\]]*\]|[^/?#:]+)`)
	dots      = Lazy(dot)
)

// isHost reports whether a name with dots can be that of a host: four numbers, or a last part of letters.
func isHost(name string) bool {
	parts := dots.Split(strings.TrimRight(name, ":/?#."), -1)
	last := parts[len(parts)-1]
	if AllDigits(last) {
		for _, p := range parts {
			if !AllDigits(p) || len(p) > 3 {
				return false
			}
		}
		return len(parts) == 4
	}
	return strings.HasPrefix(strings.ToLower(last), "xn--") || utf8.RuneCountInString(last) > 1 &&
		!strings.ContainsFunc(last, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}

// HostOf returns the part of an address that says where it leads: a host, a mail address, or the kind of link
// that it is. "…" stands for the omitted rest.
func HostOf(address string) string {
	if mail := mailTo.FindString(address); mail != "" {
		address = address[len(mail):]
	}
	if m := hierarchy.FindStringSubmatch(address); m != nil {
		if strings.HasSuffix(address, "//"+m[1]) {
			return m[1]
		}
		return m[1] + "/…"
	}
	if kind := scheme.FindString(address); kind != "" && !hostOf.MatchString(address) {
		return kind + "…"
	}
	host := strings.TrimRight(bareHost.FindString(address), ".")
	if host == address {
		return host
	}
	return host + "/…"
}

// Addresses returns the addresses in a text.
func Addresses(text string) []string {
	var all []string
	ReplaceAddresses(text, func(a string) string { all = append(all, a); return a })
	return all
}

// Leads reports whether an address equals another one, or is a beginning of it.
func Leads(address, other string) bool {
	rest, ok := strings.CutPrefix(plainAddress(other), plainAddress(address))
	return ok && (rest == "" || strings.ContainsRune("/?#:", rune(rest[0])))
}

// plainAddress is the form in which two spellings of an address are equal.
func plainAddress(address string) string {
	address = strings.ToLower(strings.TrimRight(address, ".,;:!?/"))
	for _, head := range []string{"https://", "http://", "mailto:", "www."} {
		address = strings.TrimPrefix(address, head)
	}
	return address
}

var link = Lazy(`(?i)\b(?:https?://|www\.)\S+`)

// WithoutLinks returns text with links replaced by the word.
func WithoutLinks(text string) string {
	if !strings.Contains(text, "://") && !strings.Contains(text, "www.") {
		return text
	}
	return link.ReplaceAllString(text, "(link)")
}

// addresses are links and mail addresses, whose words ("com", "de") are of no language.
var addresses = Lazy(`(?i)\b(?:https?://|www\.)\S+|\S+@\S+\.\S+`)
