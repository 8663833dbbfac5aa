package kit

import (
	"errors"
	"net/url"
	"strings"

	"threadkeeper/memory/reading"
)

var (
	// anyLink matches a Markdown link: its text and its target.
	anyLink = reading.Lazy(`\[([^\[\]\n]*)\]\([ \t]*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:[ \t]+["'][^\n"']*["'])?[ \t]*\)`)
	scheme  = reading.Lazy(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	// addressed matches text that people read as an address.
	addressed = reading.Lazy(`(?i)\b(?:https?://|www\.)[^\s/?#:]+`)
)

// HonestLinks returns Markdown (without code) in which every link goes where it says. A link whose
// text is a different address shows both; a link that opens neither a page nor mail shows only its
// text.
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

// hostOf returns the host of an address, without "www.".
func hostOf(address string) string {
	_, host, found := strings.Cut(strings.ToLower(address), "://")
	if !found {
		host = strings.ToLower(address)
	}
	return strings.TrimPrefix(host, "www.")
}

// WithoutAddress returns a request's error without its address, which may contain a token.
func WithoutAddress(err error) error {
	var wire *url.Error
	if errors.As(err, &wire) {
		return wire.Err
	}
	return err
}
