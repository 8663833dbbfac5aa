package discord

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory/reading"
)

// Placeholders in a message
// (discord.com/developers/docs/reference#message-formatting). Code comes first, so
// that its content is left alone.
var marked = reading.Lazy("(?s)```.*?```|`[^`\n]*`" +
	`|<@!?(\d{1,20})>|<@&(\d{1,20})>|<#(\d{1,20})>|<a?:(\w{2,32}):\d{1,20}>|<t:(-?\d{1,13})(?::[tTdDfFR])?>|</([-\w ]{1,100}):\d{1,20}>`)

// addressed matches a message that begins by mentioning a person, or everybody.
var addressed = reading.Lazy(`^\s*(?:<@[!&]?\d{1,20}>|@(?:everyone|here)\b)`)

// text returns a message as people read it, without the mention of us.
// To a question that answers another person's message, and to a forwarded one, the
// other message is added as a quote; to one that goes back to an answer of ours, how that
// begins.
func (s scene) text(m wireMessage, mention bool) string {
	var quotes []string
	if r := s.about(m); mention && r != nil {
		quotes = append(quotes, quote(called(*r.Author, r.Member)+": "+s.words(*r)))
		quotes = append(quotes, s.forwarded(*r)...)
	}
	if r := s.backTo(m); r != nil {
		quotes = append(quotes, quote(called(*r.Author, nil)+": "+beginning(s.words(*r))))
	}
	quotes = append(quotes, s.forwarded(m)...)
	return strings.TrimSpace(strings.Join(append(quotes, s.words(m)), "\n\n"))
}

// backTo is an answer of ours, not the last thing said, that a message goes back to; nil
// for none, and for a question that waits for the answer.
func (s scene) backTo(m wireMessage) *wireMessage {
	r := m.Referenced
	if m.Type != typeReply || r == nil || r.Author == nil || r.Author.ID != s.me.User || !newer(s.last, r.ID) {
		return nil
	}
	for _, id := range r.customIDs() {
		if action, _ := readCustomID(id); platform.Chooses(action) {
			return nil
		}
	}
	return r
}

// maxBegun is how much is quoted of an answer of ours, in runes: which one it is must show.
const maxBegun = 300

// beginning is how an answer of ours begins, without its small print.
func beginning(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "-# ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return short(strings.Join(lines, " "), maxBegun)
}

func (s scene) forwarded(m wireMessage) []string {
	var quotes []string
	for _, f := range m.Snapshots {
		if said := s.words(f.Message); said != "" {
			quotes = append(quotes, quote(said))
		}
	}
	return quotes
}

// words is a message's content, its poll, and what a program shows besides.
func (s scene) words(m wireMessage) string {
	text := marked.ReplaceAllStringFunc(m.shown(), func(found string) string {
		part := marked.FindStringSubmatch(found)
		switch {
		case part[1] != "":
			return s.user(part[1], m)
		case part[2] != "":
			return s.role(part[2])
		case part[3] != "":
			return "#" + cmp.Or(s.name(part[3]), "channel")
		case part[4] != "":
			return ":" + part[4] + ":"
		case part[5] != "":
			return clockTime(part[5], found)
		case part[6] != "":
			return "/" + part[6]
		}
		return found
	})
	return strings.TrimSpace(unaddressed(text))
}

// ourName replaces a mention of us in the text. No message contains it: Discord takes
// control characters out.
const ourName = "\x00"

var (
	nameFirst = reading.Lazy(`^\s*(?:\x00\s*[,:;.!?…]*(?:\s+|$))+`)
	nameLast  = reading.Lazy(`,?\s*\x00([.!?…]*\s*)$`)
)

// unaddressed is a text without our name, and without the comma or colon that went with it.
func unaddressed(text string) string {
	text = nameLast.ReplaceAllString(nameFirst.ReplaceAllString(text, ""), "$1")
	return strings.NewReplacer(" "+ourName, "", ourName, "").Replace(text)
}

func (m wireMessage) rolesNamed() []string {
	var roles []string
	for _, part := range marked.FindAllStringSubmatch(m.Content, -1) {
		if part[2] != "" {
			roles = append(roles, part[2])
		}
	}
	return roles
}

func (s scene) user(id string, m wireMessage) string {
	if id == s.me.User {
		return ourName
	}
	for _, u := range m.Mentions {
		if u.ID == id {
			return "@" + cmp.Or(called(u.wireUser, u.Member), "somebody")
		}
	}
	return "@somebody"
}

func (s scene) role(id string) string {
	if s.ourRole(id) {
		return ourName
	}
	return "@" + cmp.Or(s.guild.Roles[id].Name, "role")
}

// clockTime is a time that everybody is shown on their own clock.
func clockTime(seconds, otherwise string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return otherwise
	}
	return time.Unix(n, 0).UTC().Format("2006-01-02 15:04 UTC")
}

// maxQuoted is how much is quoted of another message, in runes: a whole one, also of
// those who may write long ones
// (https://docs.discord.com/developers/resources/message#create-message).
const maxQuoted = 4000

func quote(text string) string {
	return "> " + strings.ReplaceAll(reading.Shorten(text, maxQuoted), "\n", "\n> ")
}
