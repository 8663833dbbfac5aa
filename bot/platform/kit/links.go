package kit

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	// anyLink is a link of Markdown: its text and where it goes.
	anyLink = regexp.MustCompile(`\[([^\[\]\n]*)\]\([ \t]*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:[ \t]+["'][^\n"']*["'])?[ \t]*\)`)
	scheme  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	// addressed is what people read as an address.
	addressed = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s/?#:]+`)
)

// HonestLinks is Markdown without code in which every link goes where it says: one whose
// text is another address shows both, one that opens no page or mail shows its text
// only.
func HonestLinks(markdown string) string {
	if !strings.Contains(markdown, "](") {
		return markdown
	}
	return anyLink.ReplaceAllStringFunc(markdown, func(link string) string {
		part := anyLink.FindStringSubmatch(link)
		text, target := part[1], part[2]
		to, err := url.Parse(target)
		switch s := strings.ToLower(scheme.FindString(target)); {
		case s == "mailto:":
			return link
		case s == "" && err == nil:
			return link // nowhere, for a chat
		case err != nil, s != "https:" && s != "http:", to.Host == "":
			return text
		}
		for _, said := range addressed.FindAllString(text, -1) {
			if hostOf(said) != hostOf(to.Hostname()) {
				return text + " (" + target + ")"
			}
		}
		return link
	})
}

// hostOf is the host of an address, without "www.".
func hostOf(address string) string {
	_, host, found := strings.Cut(strings.ToLower(address), "://")
	if !found {
		host = strings.ToLower(address)
	}
	return strings.TrimPrefix(host, "www.")
}
