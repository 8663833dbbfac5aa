package slack

import (
	"cmp"
	"regexp"
	"strings"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

var (
	// entity is what Slack writes between angle brackets
	// (https://docs.slack.dev/messaging/formatting-message-text).
	entity = reading.Lazy(`<([^<>\n]+)>`)
	// opening is a person or several at the beginning of a text.
	opening = reading.Lazy(`^[\s,:;.!¡¿-]*<(@[A-Z0-9]+|!subteam\^[A-Z0-9]+|!here|!channel|!everyone)(?:\|[^<>]*)?>`)
	// afterName is what follows the name of the person addressed; an emoji begins with a colon, too.
	afterName = reading.Lazy(`(?m)\A[,:]+(?:[ \t]+|$)`)

	unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

func mentions(text, user string) bool {
	return user != "" && (strings.Contains(text, "<@"+user+">") || strings.Contains(text, "<@"+user+"|"))
}

// opensToOther reports whether a text begins by mentioning another person than us.
func opensToOther(text, us string) bool {
	m := opening.FindStringSubmatch(kit.AfterSalutation(text))
	return m != nil && m[1] != "@"+us
}

// naming is what people and channels are called, "" for those it does not know.
type naming struct {
	us      string
	person  func(id string) string
	channel func(id string) string
}

// markdown converts Slack's text: people and channels by their names, links as
// Markdown, our own mention left out.
func (n naming) markdown(text string) string {
	if mentions(text, n.us) {
		text = n.withoutUs(text)
	}
	text = entity.ReplaceAllStringFunc(text, func(match string) string {
		return n.entity(match[1 : len(match)-1])
	})
	return strings.TrimSpace(unescape.Replace(text))
}

// withoutUs removes mentions of us with the space and comma around them.
func (n naming) withoutUs(text string) string {
	us := reading.Lazy(`[ \t]*<@` + regexp.QuoteMeta(n.us) + `(?:\|[^<>\n]*)?>[ \t]*`)
	var said string
	for {
		at := us.FindStringIndex(text)
		if at == nil {
			return said + text
		}
		said += text[:at[0]]
		text = afterName.ReplaceAllString(text[at[1]:], "")
		switch {
		case text == "", strings.ContainsAny(text[:1], "?!.;\n"):
			said = strings.TrimRight(said, ", \t")
		case said != "" && !strings.HasSuffix(said, "\n"):
			said = strings.TrimRight(said, " \t") + " "
		}
	}
}

// entity is one thing between angle brackets, without them. What it returns is
// unescaped with the rest of the text.
func (n naming) entity(e string) string {
	target, label, _ := strings.Cut(e, "|")
	switch {
	case strings.HasPrefix(target, "@"):
		return "@" + cmp.Or(entities.Replace(n.person(target[1:])), label, target[1:])
	case strings.HasPrefix(target, "#"):
		return "#" + cmp.Or(label, entities.Replace(n.channel(target[1:])), target[1:])
	case strings.HasPrefix(target, "!subteam^"):
		return cmp.Or(label, "@"+strings.TrimPrefix(target, "!subteam^"))
	case strings.HasPrefix(target, "!date^"):
		return label
	case strings.HasPrefix(target, "!"):
		return cmp.Or(label, "@"+target[1:])
	case strings.HasPrefix(target, "mailto:"), strings.HasPrefix(target, "tel:"):
		_, bare, _ := strings.Cut(target, ":")
		return cmp.Or(label, bare)
	case !strings.Contains(target, "://"):
		return "&lt;" + e + "&gt;"
	}
	bare := target[strings.Index(target, "://")+len("://"):]
	if label == "" || label == target || strings.TrimSuffix(label, "/") == strings.TrimSuffix(bare, "/") {
		return target
	}
	return "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(label) + "](" + strings.ReplaceAll(target, ")", "%29") + ")"
}
