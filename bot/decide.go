package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/access"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Whether a message is for us.
const (
	Yes   = "yes"
	No    = "no"
	Maybe = "maybe" // only a model can tell; nobody sees that it is asked
)

// verdict is the decision on a message.
type verdict struct {
	Store  bool
	Answer string // Yes, No or Maybe
	Reason string
}

// Judge says whether a message is for us, Yes, No or Maybe, and by what rule. It stores nothing.
func (b *Bot) Judge(ctx context.Context, ev platform.Event) (answer, rule string, err error) {
	p, err := b.placeOf(ctx, ev)
	v := decide(ev, p)
	return v.Answer, v.Reason, err
}

// place is what we know about the conversation of a message.
type place struct {
	Joined bool // we were asked for an answer here before
	Follow Follow
	Asked  bool            // our open question waits for this author
	Alone  bool            // nobody but this author has spoken here
	Lines  []memory.Spoken // the last lines before, newest first
	Names  []string        // names that people call us by
	Heeds  bool            // administrators chose the author, a program, to be answered here
}

// decide says whether a message is answered, kept or ignored, and why. Rules decide the certain
// cases.
func decide(ev platform.Event, p place) verdict {
	if why := unusable(ev); why != "" {
		return verdict{false, No, why}
	}
	thread := ev.Key.Thread != ""
	_, listens := reading.Listening(ev.Text)
	switch {
	case ev.Author.Kind == memory.Bot && !p.Heeds:
		return verdict{p.Joined, No, "said by a program"}
	case ev.Channel.Kind == memory.DM:
		return verdict{true, Yes, "direct message"}
	case ev.Mention:
		return verdict{true, Yes, "mention"}
	case ev.ToOther:
		return verdict{p.Joined, No, "said to somebody else"}
	case p.Joined && thread && listens:
		return verdict{true, Yes, "says whether we are to listen here"}
	case p.Follow == FollowQuiet:
		return verdict{p.Joined, No, "only mentions are answered here"}
	case p.Joined && thread && ev.Message == ev.Key.Thread:
		return verdict{true, No, "said before we joined the thread on it"}
	case p.Asked:
		return verdict{true, Yes, "answers our question"}
	case onlyEmoji(ev.Text) && len(ev.Files) == 0:
		return verdict{p.Joined, No, "nothing but a sign of consent or mood"}
	case p.Follow == FollowAlways:
		return verdict{true, Yes, "every message of this channel is answered"}
	case p.Joined && thread && p.Follow != FollowMention && p.Alone:
		return verdict{true, Yes, "follow-up in a thread with nobody but us"}
	case p.Joined && thread && p.Follow != FollowMention:
		return amongOthers(ev, p.Lines, p.Names)
	case p.Joined:
		return verdict{true, No, "said beside us"}
	}
	return verdict{false, No, "not for us"}
}

// What programs say is context, and not answered, unless an administrator chose the program for the channel. Even then
// we answer only so many of their messages, of all in the channel, for two programs that answer each other never end.
const (
	programsFor     = time.Hour
	programsInARow  = 3  // in that time, since a person spoke in the channel
	programsAtLarge = 12 // in that time
)

// heeds reports whether a program is to be answered now. What cannot be read is no leave.
func (b *Bot) heeds(ctx context.Context, ev platform.Event) (bool, error) {
	value, err := b.Store.Setting(ctx, memory.ChannelScope(ev.Key), BotsSetting)
	if err != nil || value == "" {
		return false, wrap("read setting", err)
	}
	list, err := access.ParseList(value)
	if err != nil || !list.Names(ev.Author.ID) {
		return false, nil
	}
	all, row, err := b.Store.Queue.AskedByPrograms(ctx, ev.Key, b.Store.Now()-programsFor.Milliseconds())
	return err == nil && all < programsAtLarge && row < programsInARow, wrap("count what programs asked", err)
}

// nearBy is the number of lines after an answer of ours within which the person it answers may still be speaking to us.
const nearBy = 2

// exchange is how many lines two people have spoken in turn when they are talking to each other.
const exchange = 4

// amongOthers judges a line of one of several people in a thread that we joined, by its form and by who spoke
// before.
func amongOthers(ev platform.Event, lines []memory.Spoken, names []string) verdict {
	since := slices.IndexFunc(lines, func(l memory.Spoken) bool { return l.Ours })
	next, answered := since == 0, since >= 0 && lines[since].Person == ev.Author.ID
	marked, requests := reading.AsksByForm(ev.Text), reading.Requests(ev.Text)
	asks := marked || requests || reading.IsQuestion(ev.Text)
	asked := len(lines) > 0 && !next && lines[0].Person != ev.Author.ID && lines[0].Asks
	switch {
	case callsUs(ev.Text, names) && callsAnother(ev, lines):
		return verdict{true, Maybe, "begins with a name that we share with somebody here"}
	case callsUs(ev.Text, names):
		return verdict{true, Yes, "says our name"}
	case callsAnother(ev, lines) || turnsToAnother.MatchString(ev.Text):
		return verdict{true, No, "calls somebody else"}
	case next && answered && lines[0].Asks && strings.TrimSpace(ev.Text) != "":
		return verdict{true, Yes, "answers what we asked"}
	case len(ev.Files) > 0 || len(lines) == 0:
		return verdict{true, Maybe, "one of several people in a thread we joined"}
	case reading.Acknowledges(ev.Text):
		return verdict{true, No, "nothing but a sign of consent or mood"}
	case next && answered && asks:
		return verdict{true, Yes, "asks on, right after our answer to the same person"}
	case reading.AsksPeople(ev.Text):
		return verdict{true, No, "asks any of the people here"}
	case !asked && reading.RequestsText(ev.Text):
		return verdict{true, Yes, "asks for a text, a list or a sum"}
	case asked && !marked && !requests:
		return verdict{true, No, "answers what somebody else has just asked"}
	case asks && reading.NamesSource(ev.Text):
		return verdict{true, Maybe, "asks what a document says"}
	case !requests && (heated.MatchString(ev.Text) || smiles.MatchString(ev.Text)):
		return verdict{true, No, "asks in heat, or in jest"}
	case !requests && inExchange(ev.Author.ID, lines):
		return verdict{true, No, "two people talk to each other"}
	case next && (answered || asks):
		return verdict{true, Maybe, "said right after our answer"}
	case since >= 0 && since <= nearBy && reading.FindsFault(ev.Text):
		return verdict{true, Maybe, "may find fault with our answer"}
	case !next && !requests && reading.Echoes(ev.Text):
		return verdict{true, No, "takes up what somebody else has just said"}
	case answered && !asks && reading.States(ev.Text):
		return verdict{true, No, "tells the others something"}
	case answered && (since <= nearBy || !asks && since <= 2*nearBy):
		return verdict{true, Maybe, "said by whom we have just answered"}
	case asks:
		return verdict{true, Maybe, "a question among several people"}
	}
	return verdict{true, No, "said among people, and asks nothing"}
}

// turnsToAnother matches a sentence that begins by mentioning somebody, after another sentence.
var turnsToAnother = reading.Lazy(`[.!?。？！…\n]\s*<?@`)

// heated are marks that are doubled.
var heated = reading.Lazy(`[?？!！]\s?[?？]|[?？][!！]`)

// smiles are laughing or winking faces, in Unicode or by their names between colons.
var smiles = reading.Lazy(`[😂🤣😅😆😇😉😎😏😛😜😝🙃🤪]|:(?:joy|rofl|laughing|sweat_smile|innocent|wink|sunglasses|smirk|stuck_out_tongue\w*|upside_down_face|zany_face):`)

// inExchange reports whether an author and one other person have spoken the last lines in turn.
func inExchange(author string, lines []memory.Spoken) bool {
	if len(lines) < exchange-1 {
		return false
	}
	other := lines[0].Person
	for i, l := range lines[:exchange-1] {
		if l.Ours || i%2 == 0 && (l.Person != other || other == author) || i%2 == 1 && l.Person != author {
			return false
		}
	}
	return true
}

// ourNames are the names people call us where the platform does not know them; people leave out the first part, too.
var ourNames = []string{"threadkeeper", "keeper"}

// callsUs reports whether a text begins or ends with one of our names.
func callsUs(text string, names []string) bool {
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, ourNames[0]) }) {
		names = append(slices.Clone(ourNames), names...)
	}
	begin := strings.ToLower(strings.TrimLeft(text, " \t@"))
	end := strings.TrimRightFunc(begin, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(names, func(name string) bool {
		name = strings.ToLower(strings.TrimSpace(name))
		behind, begins := strings.CutPrefix(begin, name)
		next, _ := utf8.DecodeRuneInString(behind)
		return name != "" && (begins && !unicode.IsLetter(next) && !unicode.IsMark(next) && !unicode.IsDigit(next) && next != '\'' && next != '’' || strings.HasSuffix(end, ", "+name))
	})
}

// callsAnother reports whether a text begins with the first name of another person in this conversation.
func callsAnother(ev platform.Event, lines []memory.Spoken) bool {
	first := strings.TrimSuffix(reading.FirstWord(ev.Text), "さん")
	return first != "" && slices.ContainsFunc(lines, func(l memory.Spoken) bool {
		return !l.Ours && l.Person != ev.Author.ID && reading.FirstWord(l.Name) == first
	})
}

// unusable says why a message is ignored everywhere, "" if it is not.
func unusable(ev platform.Event) string {
	switch {
	case ev.Ours:
		return "said by us"
	case strings.TrimSpace(ev.Text) == "" && len(ev.Files) == 0 && !ev.Mention && !ev.Hidden:
		return "nothing in it"
	}
	return ""
}

// emojis matches one or several, in Unicode or by their names between colons.
var emojis = reading.Lazy(`^(?:\s|:[\pL\pN_+'-]+:|\p{So}|\p{Sk}|[\x{200d}\x{fe0f}\x{20e3}])*$`)

// onlyEmoji reports whether a text has content, but no words.
func onlyEmoji(text string) bool { return strings.TrimSpace(text) != "" && emojis.MatchString(text) }

// linesBefore is how many lines decide looks back: enough to see who is talking with whom.
const linesBefore = 20

// placeOf looks up the inputs of decide.
func (b *Bot) placeOf(ctx context.Context, ev platform.Event) (p place, err error) {
	follow, err := b.setting(ctx, ev.Key, FollowSetting, string(b.Follow))
	if err != nil {
		return p, err
	}
	p.Follow = Follow(follow)
	if ev.Author.Kind == memory.Bot {
		if p.Heeds, err = b.heeds(ctx, ev); err != nil {
			return p, err
		}
	}
	s, err := b.Store.SessionByKey(ctx, ev.Key)
	if errors.Is(err, memory.ErrNotFound) {
		if ev.Key.Thread == "" || ev.Opens != "" {
			return p, nil
		}
		p.Joined, err = b.isOnOurs(ctx, ev.Key)
		p.Alone = true
		return p, wrap("look at a thread", err)
	}
	if err != nil {
		return p, fmt.Errorf("bot: find session: %w", err)
	}
	p.Joined = s.Joined
	own, err := b.Store.Setting(ctx, sessionScope(s.ID), FollowSetting)
	if err != nil {
		return p, wrap("read setting", err)
	}
	if own != "" {
		p.Follow = Follow(own)
	}
	if p.Joined && ev.Key.Thread != "" && !ev.Mention {
		if p.Alone, err = b.Store.IsOnlySpeaker(ctx, s.ID, ev.Author.ID); err != nil {
			return p, wrap("look who has spoken", err)
		}
		if p.Lines, err = b.Store.LastLines(ctx, s.ID, linesBefore); err != nil {
			return p, wrap("look who has spoken", err)
		}
		if named, ok := b.byName(ev.Key.Platform).(platform.Named); ok {
			p.Names = named.OwnNames(ctx, ev.Key)
		}
	}
	q, err := b.Store.Queue.OpenQuestion(ctx, s.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("bot: look for a question: %w", err)
	}
	asker, err := b.Store.Person(ctx, q.PersonID)
	if err == nil {
		p.Asked = asker.PlatformID == ev.Author.ID
	} else if !errors.Is(err, memory.ErrNotFound) {
		return p, fmt.Errorf("bot: find person: %w", err)
	}
	return p, nil
}

// isOnOurs reports whether a thread began on a post of ours, so that we count as joined: on an answer, or on what told the
// channel of us and of what is stored.
func (b *Bot) isOnOurs(ctx context.Context, thread memory.Key) (bool, error) {
	ours, err := b.Store.IsOurPost(ctx, thread, thread.Thread)
	poster, ok := b.byName(thread.Platform).(platform.Poster)
	if ours || err != nil || !ok {
		return ours, err
	}
	told, err := b.Store.Queue.OutboxByNonce(ctx, announcement(thread))
	if gone(err) {
		return false, nil
	}
	return err == nil && slices.Contains(poster.Messages(platform.Ref(told.Ref)), thread.Thread), err
}

// meantWithin is how long before a bare mention a message may be for the mention
// to refer to it. A thread's first message is always meant.
const meantWithin = time.Hour

// isBareMention reports whether the turn has no content: somebody only said our name.
func (t *turn) isBareMention(ctx context.Context) (bool, error) {
	ids := make([]int64, len(t.messages))
	for i, m := range t.messages {
		if strings.TrimSpace(m.Text) != "" {
			return false, nil
		}
		ids[i] = m.ID
	}
	files, err := t.bot.Store.FilesOf(ctx, ids)
	return len(files) == 0, wrap("look for files", err)
}

// resolveBareMention makes a bare mention stand for the same person's latest messages here, if nobody
// answered them.
func (t *turn) resolveBareMention(ctx context.Context) error {
	bare, err := t.isBareMention(ctx)
	if err != nil || !bare {
		return err
	}
	mention := t.messages[0]
	said, err := t.bot.Store.UnansweredBefore(ctx, mention, burst.Rows)
	if err != nil {
		return err
	}
	said = slices.DeleteFunc(said, func(m *memory.Message) bool {
		return mention.At-m.At > meantWithin.Milliseconds() && m.PlatformID != t.session.Thread
	})
	if len(said) > 0 {
		t.mentions, t.messages = t.messages, said
	}
	return nil
}

// maxNamed is how many documents a greeting names.
const maxNamed = 5

// greeting answers a bare mention: what we can do, and what we know here.
func (t *turn) greeting(ctx context.Context) (string, error) {
	st, err := t.bot.Store.Views.Status(ctx, t.session.ID)
	if err != nil {
		return "", wrap("load status", err)
	}
	names, err := t.known(ctx)
	if err != nil {
		return "", err
	}
	text := t.say.Greeting
	if n := st.Verbatim + st.Compacted - len(t.messages); n > 0 || len(names) > 0 {
		text += "\n\n" + t.say.Count(t.say.Known, n)
	}
	if len(names) > 0 {
		text += " " + fmt.Sprintf(t.say.KnownDocuments, strings.Join(names, ", "))
	}
	return text, nil
}

// known returns the names of the documents that can be asked about here.
func (t *turn) known(ctx context.Context) ([]string, error) {
	if t.bot.Index == nil || t.person == nil {
		return nil, nil
	}
	a, err := t.bot.audience(ctx, t.session.ID, t.person.ID)
	if err != nil {
		return nil, err
	}
	all, err := t.bot.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var names []string
	for _, d := range slices.Backward(all) {
		if d.State != memory.DocumentReady || d.Picture {
			continue
		}
		if len(names) == maxNamed {
			return append(names, "…"), nil
		}
		names = append(names, say.Plain(d.Name))
	}
	return names, nil
}
