package discord

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What stands in a message for something else
// (discord.com/developers/docs/reference#message-formatting). Code comes first, so
// that what it holds is left alone.
var marked = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`" +
	`|<@!?(\d{1,20})>|<@&(\d{1,20})>|<#(\d{1,20})>|<a?:(\w{2,32}):\d{1,20}>|<t:(-?\d{1,13})(?::[tTdDfFR])?>|</([-\w ]{1,100}):\d{1,20}>`)

// addressed matches a message that opens by mentioning somebody.
var addressed = regexp.MustCompile(`^\s*<@[!&]?\d{1,20}>`)

// text is what a message says in words people read, without the mention of us.
// To a question that answers somebody else's message, and to a forwarded one, the
// beginning of the other message is added as a quote.
func (s scene) text(m wireMessage, mention bool) string {
	text := s.words(m)
	var quotes []string
	if r := m.Referenced; mention && m.Type == typeReply && r != nil && r.Author != nil && r.Author.ID != s.me.User {
		quotes = append(quotes, quote(called(r.Author.orNobody(), r.Member)+": "+s.words(*r)))
	}
	for _, f := range m.Snapshots {
		if said := s.words(f.Message); said != "" {
			quotes = append(quotes, quote(said))
		}
	}
	return strings.TrimSpace(strings.Join(append(quotes, text), "\n\n"))
}

func (u *wireUser) orNobody() wireUser {
	if u == nil {
		return wireUser{}
	}
	return *u
}

// words is a message's content.
func (s scene) words(m wireMessage) string {
	if m.Content == nil {
		return ""
	}
	us := "<@" + s.me.User + ">"
	content := strings.NewReplacer(" "+us, us, " <@!"+s.me.User+">", us).Replace(*m.Content)
	text := marked.ReplaceAllStringFunc(content, func(found string) string {
		part := marked.FindStringSubmatch(found)
		switch {
		case part[1] != "":
			return s.user(part[1], m)
		case part[2] != "":
			return s.role(part[2])
		case part[3] != "":
			return "#" + or(s.name(part[3]), "channel")
		case part[4] != "":
			return ":" + part[4] + ":"
		case part[5] != "":
			return clockTime(part[5], found)
		case part[6] != "":
			return "/" + part[6]
		}
		return found
	})
	return strings.TrimSpace(text)
}

// rolesNamed are the roles that stand in a message's content.
func (m wireMessage) rolesNamed() []string {
	if m.Content == nil {
		return nil
	}
	var roles []string
	for _, part := range marked.FindAllStringSubmatch(*m.Content, -1) {
		if part[2] != "" {
			roles = append(roles, part[2])
		}
	}
	return roles
}

func (s scene) user(id string, m wireMessage) string {
	if id == s.me.User {
		return ""
	}
	for _, u := range m.Mentions {
		if u.ID == id {
			return "@" + or(called(u.wireUser, u.Member), "somebody")
		}
	}
	return "@somebody"
}

func (s scene) role(id string) string {
	if s.ourRole(id) {
		return ""
	}
	return "@" + or(s.guild.Roles[id].Name, "role")
}

// clockTime is a time that everybody is shown on their own clock.
func clockTime(seconds, otherwise string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return otherwise
	}
	return time.Unix(n, 0).UTC().Format("2006-01-02 15:04 UTC")
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// maxQuoted is how much is quoted of another message, in runes.
const maxQuoted = 500

func quote(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		text = string(r[:maxQuoted-1]) + "…"
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}
