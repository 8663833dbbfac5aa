package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// writeSummary writes what a session's memory knows: its facts, numbered, and the narrative.
func (c *call) writeSummary(ctx context.Context, b *strings.Builder, v *memory.View, o *forgetOffer) error {
	facts, err := c.Bot.Store.Views.Facts(ctx, c.Session.ID)
	if err != nil {
		return wrap("load facts", err)
	}
	if v.Snapshot == nil && len(facts) == 0 {
		b.WriteString(c.say.NotSummarised + "\n")
		return nil
	}
	if err := c.writeFacts(ctx, b, facts, o); err != nil {
		return err
	}
	if v.Snapshot != nil {
		var told memory.SnapshotJSON
		if err := json.Unmarshal([]byte(v.Snapshot.JSON), &told); err != nil {
			return wrap("read a snapshot", err)
		}
		if told.Narrative != "" {
			writeHeading(b, c.say.FactKinds["narrative"])
			b.WriteString(reading.Unlinked(told.Narrative) + "\n")
		}
	}
	return nil
}

// shownKinds are the kinds of facts that a word after memory show selects.
var shownKinds = map[string][]memory.FactKind{
	"decisions": {memory.Decision}, "todos": {memory.Todo}, "questions": {memory.OpenQuestion}, "facts": {memory.KeyFact},
	"preferences": {memory.Preference, memory.Constraint},
}

// showFacts shows the facts of a kind or a person, or after "new" what the last fold took and what the next one will find.
func (c *call) showFacts(ctx context.Context, v *memory.View, what string) (platform.Outgoing, error) {
	stated, isNew := c.Bot.Store.Views.Stated, what == "new"
	if isNew {
		stated = c.Bot.Store.Views.New
	}
	facts, err := stated(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load facts", err)
	}
	kinds, byKind := shownKinds[what]
	authors := make(map[int64]string)
	for _, m := range v.Messages {
		authors[m.ID] = m.Author
	}
	facts = slices.DeleteFunc(facts, func(k memory.Known) bool {
		if byKind {
			return !slices.Contains(kinds, k.Kind) || k.State != memory.FactActive
		}
		return !isNew && !rank.HasWords(authors[k.MessageID], what)
	})
	if len(facts) == 0 {
		return commandText(c.say.NoFacts)
	}
	var b strings.Builder
	if err := c.listFacts(ctx, &b, facts); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(b.String())
}

func (c *call) newList() *forgetOffer {
	return &forgetOffer{Session: c.Session.ID, Until: c.offerEnd()}
}

// add appends a line: a message, and the fact that rests on it, 0 for none.
func (o *forgetOffer) add(message, fact int64) {
	o.List, o.Facts = append(o.List, message), append(o.Facts, fact)
}

func (c *call) listFacts(ctx context.Context, b *strings.Builder, facts []memory.Known) error {
	o := c.newList()
	if err := c.writeFacts(ctx, b, facts, o); err != nil {
		return err
	}
	return c.setOffer(ctx, forgetList, o)
}

// writeFacts writes facts under their headings as the next lines of a list.
func (c *call) writeFacts(ctx context.Context, b *strings.Builder, facts []memory.Known, o *forgetOffer) error {
	heading := ""
	for _, k := range facts {
		title := c.say.FactKinds[string(k.Heading())]
		if k.State == memory.FactQuarantined {
			title = c.say.FactKinds["held_back"]
		}
		if title != heading {
			writeHeading(b, title)
			heading = title
		}
		text := cutLine(k.Text, 240)
		m, err := c.Bot.Store.Message(ctx, k.MessageID)
		if err != nil {
			return wrap("load a message", err)
		}
		link, err := c.permalink(ctx, m)
		if err != nil {
			return err
		}
		if k.Pinned {
			text = "📌 " + text
		}
		o.add(k.MessageID, k.ID)
		fmt.Fprintf(b, "%d. %s (%s)\n", len(o.List), text, linked(c.day(k.AssertedAt), link))
		c.shows.Messages = append(c.shows.Messages, k.MessageID)
	}
	return nil
}

// listed is a line of a list: its message, and the fact that rests on it, 0 if it is not folded yet.
type listed struct{ message, fact int64 }

// line returns the line with a number in the list that the person was last shown here; nil if there is none.
func (c *call) line(ctx context.Context, number string) (listed, error) {
	o, err := c.offer(ctx, forgetList)
	n, notNumber := strconv.Atoi(strings.Trim(number, "#. "))
	if err != nil || notNumber != nil || o == nil || o.Session != c.Session.ID || c.row.CreatedAt > o.Until || n < 1 || n > len(o.Facts) {
		return listed{}, err
	}
	return listed{o.List[n-1], o.Facts[n-1]}, nil
}

// noLine says that there is no such line, or that it is held back, or can only be changed by somebody else, or elsewhere.
func (c *call) noLine(ctx context.Context, l listed) (platform.Outgoing, error) {
	if l.message > 0 {
		facts, err := c.Bot.Store.Views.Facts(ctx, c.Session.ID)
		if err != nil {
			return platform.Outgoing{}, wrap("load facts", err)
		}
		if slices.ContainsFunc(facts, func(k memory.Known) bool { return k.ID == l.fact && k.State == memory.FactQuarantined }) {
			return commandText(c.say.LineHeldBack)
		}
		if m, err := c.Bot.Store.Message(ctx, l.message); err == nil && m.SessionID == c.Session.ID && l.fact == 0 {
			return commandText(fmt.Sprintf(c.say.LineOfOthers, c.typed("memory remember")))
		}
		return commandText(c.say.LineElsewhere)
	}
	return commandText(fmt.Sprintf(c.say.NoLine, c.typed("memory show")))
}

func memoryWhy(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	messages, err := c.Bot.Store.Views.Said(ctx, c.Audience, l.fact, l.message)
	if err != nil {
		return platform.Outgoing{}, wrap("load a fact", err)
	}
	if len(messages) == 0 {
		return c.noLine(ctx, listed{})
	}
	var lines []string
	for _, m := range messages {
		link, err := c.permalink(ctx, m)
		if err != nil {
			return platform.Outgoing{}, err
		}
		lines = append(lines, fmt.Sprintf("%s, %s:\n> %s", c.speaker(m), linked(c.date(m.At), link), c.quoted(m, 600)))
		c.shows.Messages = append(c.shows.Messages, m.ID)
	}
	return commandText(strings.Join(lines, "\n\n"))
}

func memoryPin(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	if m, err := c.ownUnfolded(ctx, l); m != nil || err != nil {
		if err != nil {
			return platform.Outgoing{}, err
		}
		return c.keep(ctx, memory.Note{ID: m.PlatformID, Text: m.Text}, c.say.Pinned) // erased and edited with the message
	}
	pinned, err := c.Bot.Store.PinFact(ctx, c.Session.ID, l.fact)
	switch {
	case gone(err):
		return c.noLine(ctx, l)
	case err != nil:
		return platform.Outgoing{}, wrap("pin", err)
	case pinned:
		return commandText(c.say.Pinned)
	}
	return commandText(c.say.Unpinned)
}

func memoryCorrect(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	if m, err := c.ownUnfolded(ctx, l); m != nil || err != nil {
		if err != nil {
			return platform.Outgoing{}, err
		}
		return c.keep(ctx, memory.Note{Text: c.Args[1]}, c.say.Remembered) // what was said stays as it was said
	}
	if l.fact == 0 {
		return c.noLine(ctx, l)
	}
	if reading.Risky(c.Args[1]) {
		return commandText(c.say.NotRemembered)
	}
	err = c.remember(ctx, memory.Note{Text: c.Args[1], Corrects: l.fact})
	if gone(err) {
		return c.noLine(ctx, l)
	}
	if err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(c.say.Corrected)
}

// noteText is what a person wants to keep, and whether for the whole channel.
func noteText(args string) (text string, forChannel bool) {
	if text, forChannel = strings.CutSuffix(strings.TrimRight(args, ".! \n"), " for the channel"); forChannel {
		return text, true
	}
	return strings.TrimSpace(args), false
}

func memoryRemember(ctx context.Context, c *call) (platform.Outgoing, error) {
	var n memory.Note
	said := c.say.Remembered
	if n.Text, n.ForChannel = noteText(c.Args[0]); n.ForChannel {
		said = c.say.RememberedForChannel
	}
	return c.keep(ctx, n, said)
}

// keep stores a note that corrects nothing, and says so.
func (c *call) keep(ctx context.Context, n memory.Note, said string) (platform.Outgoing, error) {
	if reading.Risky(n.Text) {
		return commandText(c.say.NotRemembered)
	}
	if err := c.remember(ctx, n); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(said)
}

// ownUnfolded is the message of a line that no fact rests on, if the person said it in this conversation; else nil.
func (c *call) ownUnfolded(ctx context.Context, l listed) (*memory.Message, error) {
	if l.fact != 0 || l.message == 0 {
		return nil, nil
	}
	m, err := c.Bot.Store.Message(ctx, l.message)
	if err != nil {
		return nil, wrap("load a message", err)
	}
	if m.SessionID != c.Session.ID || m.PersonID != c.Person.ID || m.Role != memory.User || m.Text == "" || strings.HasPrefix(m.PlatformID, memory.NotePrefix) {
		return nil, nil
	}
	return m, nil
}

func (c *call) remember(ctx context.Context, n memory.Note) error {
	n.Session, n.Person = c.Session, c.Person
	switch {
	case n.ID != "":
	case c.Event.Kind == platform.EventCommand && c.Event.Message != "":
		n.ID = c.Event.Message
	default:
		n.ID = strconv.FormatInt(c.row.ID, 10)
	}
	if err := c.Bot.Store.Remember(ctx, n); err != nil {
		if gone(err) {
			return err
		}
		return wrap("remember", err)
	}
	return nil
}

// memoryProfile shows what the person has said about themselves that may be seen here, and switches on or off
// whether it follows into other conversations.
func memoryProfile(ctx context.Context, c *call) (platform.Outgoing, error) {
	store, scope := c.Bot.Store, memory.PersonScope(c.Person.ID)
	switch value := strings.ToLower(strings.TrimSpace(c.Args[0])); value {
	case "":
	case "on", "off":
		if err := store.SetSetting(ctx, scope, memory.ProfileSetting, value); err != nil {
			return platform.Outgoing{}, wrap("store setting", err)
		}
		if value == "off" {
			return commandText(c.say.ProfileOff)
		}
		return commandText(c.say.ProfileOn)
	default:
		return commandText(fmt.Sprintf(c.say.OneOf, "`on`, `off`"))
	}
	anywhere := c.Audience
	anywhere.Session = 0
	facts, err := store.Profile(ctx, anywhere)
	if err != nil {
		return platform.Outgoing{}, wrap("load a profile", err)
	}
	if len(facts) == 0 {
		return commandText(c.say.NoFacts)
	}
	known := make([]memory.Known, len(facts))
	for i, k := range facts {
		known[i] = k.Known
	}
	var b strings.Builder
	if err := c.listFacts(ctx, &b, known); err != nil {
		return platform.Outgoing{}, err
	}
	off, err := store.Setting(ctx, scope, memory.ProfileSetting)
	if err != nil {
		return platform.Outgoing{}, wrap("read setting", err)
	}
	switched := c.say.ProfileOn
	if off == "off" {
		switched = c.say.ProfileOff
	}
	return commandText(b.String() + "\n" + switched)
}
