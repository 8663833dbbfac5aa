package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Material for a request like "what did I miss": the messages of a period, from one channel, one thread, or
// everywhere the people here may read.

const (
	catchUpLines = 400 // messages looked at
	catchUpLine  = 150 // tokens of a message that a prompt shows
	catchUpWords = 14  // the most words of such a request

	// The period of a request that names none: since its author last spoke elsewhere, within these limits.
	catchUpLeast, catchUpMost, catchUpUsual = 24 * time.Hour, 14 * 24 * time.Hour, 7 * 24 * time.Hour
)

// catchingUp is what such a request is about.
type catchingUp struct {
	*memory.Digest
	place  string // its places, in words
	period reading.Period
	read   ReadBack
	noted  bool // the reply says how far it was read
}

const (
	// missed open a request that is for nothing else.
	missed = `what did i miss|what have i missed|what i missed|did i miss|catch me up|bring me up to speed|habe ich verpasst|ich verpasst habe|bring mich auf den neuesten stand|ai-je manque|j'ai manque|mets-moi a jour|me perdi|me he perdido|ponme al dia`
	// missedWord in a question is enough where a period or a channel is named.
	missedWord = `missed|verpasst|manque|perdido|perdi`
	// happened ask for the same where a period or a channel is named.
	happened = `what happened|what's new|whats new|what is new|any news|what was decided|what did we decide|what was discussed|what did we discuss|was ist passiert|was gibt's neues|was wurde beschlossen|was wurde besprochen|que s'est-il passe|quoi de neuf|qu'a-t-on decide|que ha pasado|que se decidio|que hay de nuevo`
)

// channelNamed is a channel that a request names.
var channelNamed = reading.Lazy(`(?:^|\s)#([\pL\pN][\pL\pN._-]{0,79})`)

// catchUp reads the messages that the request asks about. It leaves r.digest nil for any other request, for a thread that its
// history shows whole, and for a direct message when nothing is kept of elsewhere.
func (r *run) catchUp(ctx context.Context) error {
	text := r.request
	if r.turn.Overheard || r.quoted != "" || len(rank.Words(text)) > catchUpWords {
		return nil
	}
	period, name := reading.PeriodOf(text, r.turn.Now), ""
	if m := channelNamed.FindStringSubmatch(text); m != nil {
		name = strings.TrimRight(m[1], ".-_")
	}
	scoped := name != "" || period != (reading.Period{})
	switch {
	case len(r.library.named(text)) > 0, len(r.library.of(r.turn.New)) > 0:
		return nil
	case reading.HasPhrase(text, missed), scoped && (r.sums(text) || reading.HasPhrase(text, happened)), scoped && reading.IsQuestion(text) && reading.HasPhrase(text, missedWord):
	default:
		return nil
	}
	a, s := r.turn.Audience, r.turn.Session
	q := memory.DigestQuery{Audience: a, Before: r.turn.Messages[0].ID, Limit: catchUpLines}
	c := &catchingUp{place: "#" + plainName(a.Channel.Name), period: period}
	switch {
	case name != "":
		c.place = "#" + neutral(name)
	case a.Channel.Kind == memory.DM:
		c.place = r.say.everywhere
	case s.Thread != "" && len(r.history.Messages) > 0:
		if !scoped {
			return nil
		}
		q.Session, c.place = s.ID, r.say.thisThread
	default:
		q.Channel = a.Channel.ID
		if a.Channel.Name == "" {
			c.place = r.say.thisChannel
		}
	}
	if period == (reading.Period{}) {
		last, err := r.Store.LastSpoke(ctx, a, q.Before)
		if err != nil {
			return fmt.Errorf("look when the asker spoke last: %w", err)
		}
		now := r.turn.Now
		from := now.Add(-catchUpUsual).UnixMilli()
		if last > 0 {
			from = min(max(last+1, now.Add(-catchUpMost).UnixMilli()), now.Add(-catchUpLeast).UnixMilli())
		}
		c.period = reading.Period{From: from, To: now.UnixMilli() + 1}
	}
	q.Period = c.period
	var err error
	if q.Session == 0 && r.turn.ReadBack != nil {
		if c.read, err = r.turn.ReadBack(ctx, name, c.period.From); err != nil {
			return err
		}
	}
	if name != "" {
		channel, err := r.Store.VisibleChannel(ctx, a, name)
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return fmt.Errorf("look for a channel: %w", err)
		}
		q.Channel = -1 // nothing of it may be shown here
		if err == nil {
			q.Channel = channel.ID
		}
	}
	if c.Digest, err = r.Store.Digest(ctx, q); err != nil {
		return err
	}
	c.withoutRequests(a.Channel)
	if len(c.Lines) == 0 && !scoped && a.Channel.Kind == memory.DM { // the messages here are all there is
		return nil
	}
	r.digest = c
	for _, l := range c.Lines {
		r.place(l)
	}
	return nil
}

// withoutRequests leaves out requests to be caught up, and messages of this direct message.
func (c *catchingUp) withoutRequests(here memory.Channel) {
	n := len(c.Lines)
	c.Lines = slices.DeleteFunc(c.Lines, func(l memory.DigestLine) bool {
		return here.Kind == memory.DM && l.ChannelID == here.ID || len(rank.Words(l.Text)) <= catchUpWords && reading.HasPhrase(l.Text, missed)
	})
	c.Messages -= int64(n - len(c.Lines))
}

// place records the place of a line, for the prompt's line of it and for a link to it.
func (r *run) place(l memory.DigestLine) {
	if r.places == nil {
		r.places = map[int64]string{}
	}
	var parts []string
	if l.Channel != "" {
		parts = append(parts, "#"+oneLine(l.Channel))
	}
	if link := r.turn.link(l.Key, l.PlatformID); link != "" {
		parts = append(parts, link)
		r.links, r.addresses = append(r.links, link), nil
	}
	for _, p := range parts {
		r.places[l.ID] += " | " + p
	}
}

// link is where people see a message, "" if that is not known.
func (t Turn) link(key memory.Key, message string) string {
	if t.Link == nil {
		return ""
	}
	return t.Link(key, message)
}

// recallDigest puts as much of the digest into the prompt as there is room for: what decides something first, then the
// newest.
func (r *run) recallDigest() {
	points := map[int64]bool{}
	for _, p := range r.digest.Points {
		points[p.MessageID] = true
	}
	room := r.documentRoom(pagesRoom)
	for _, telling := range []bool{true, false} {
		for _, l := range slices.Backward(r.digest.Lines) {
			if points[l.ID] != telling || r.inPast[l.ID] && l.SessionID == r.turn.Session.ID {
				continue
			}
			f := memory.Recalled{Message: &l.Message}
			cost := memory.Count(r.recalledLine(f)) + 2
			if cost > room {
				return
			}
			room -= cost
			r.recalled = append(r.recalled, f)
		}
	}
}

func (r *run) digestHint() string {
	c := r.digest
	from, to := c.days(r)
	if len(c.Lines) == 0 {
		return fmt.Sprintf("a catch-up: nothing is kept of %s from %s to %s, or none of it may be told here", c.place, from, to)
	}
	return fmt.Sprintf("a catch-up: the lines above are %d of the %d messages kept of %s from %s to %s; tell what was decided, what is to be done, what is open, and who said so; behind each point put the link of its line, as [source](link)",
		len(r.recalled), c.Messages, c.place, from, to)
}

// readNote says of what places the digest tells, and how far back.
func (r *run) readNote() string {
	read := r.digest.read
	zone := r.turn.zone()
	since := r.say.date(read.From, zone) + ", " + time.UnixMilli(read.From).In(zone).Format("15:04")
	switch {
	case read == ReadBack{}:
		return r.say.keptOnly
	case read.Failed:
		return r.say.notRead
	case read.Channels != "":
		return fmt.Sprintf(r.say.readSome, plainName(read.Channels), since)
	case read.Cut:
		return fmt.Sprintf(r.say.readPart, read.Messages, since)
	}
	return fmt.Sprintf(r.say.readBack, since)
}

// tellRead says below a digest of the model's how far back the channel was read.
func (r *run) tellRead(reply *Reply) {
	if r.digest == nil || r.digest.noted || r.digest.read == (ReadBack{}) || reply.Question != nil || reply.Silent || reply.Err != nil {
		return
	}
	r.add(reply, "\n\n_"+r.readNote()+"_")
}

func (c *catchingUp) days(r *run) (from, to string) {
	zone := r.turn.zone()
	return r.say.date(c.period.From, zone), r.say.date(min(c.period.To-1, r.turn.Now.UnixMilli()), zone)
}

// digestText makes a digest without a model: decisions, todos, open questions, what was said last, and in which conversations.
func (r *run) digestText(ctx context.Context) (string, error) {
	c := r.digest
	from, to := c.days(r)
	period := fmt.Sprintf(r.say.fromTo, from, to)
	if from == to {
		period = fmt.Sprintf(r.say.onDay, from)
	}
	c.noted = true
	if len(c.Lines) == 0 {
		return fmt.Sprintf(r.say.nothingSaid, c.place, period) + " " + r.readNote(), r.tell(ctx)
	}
	parts := []string{fmt.Sprintf(r.say.digestOf, c.place, period, c.Messages), r.record(c.Digest)}
	threads, err := r.threads(ctx, c.Digest)
	if err != nil {
		return "", err
	}
	if threads != "" {
		parts = append(parts, threads)
	}
	return strings.Join(append(parts, "_"+r.readNote()+"_"), "\n\n"), r.tell(ctx)
}

// toldThreads is how many conversations a digest lists at most.
const toldThreads = 5

// threads names the conversations of a digest, where there are several: those in which most was said, each with what it is
// about beyond what was told of it before.
func (r *run) threads(ctx context.Context, d *memory.Digest) (string, error) {
	first, lines := map[int64]memory.DigestLine{}, map[int64]int{}
	for _, l := range slices.Backward(d.Lines) {
		first[l.SessionID] = l
		lines[l.SessionID]++
	}
	all, err := r.Store.Views.ThreadsHolding(ctx, r.turn.Audience, slices.Collect(maps.Keys(lines)))
	if err != nil || len(all) < 2 {
		return "", err
	}
	slices.SortFunc(all, func(a, b memory.Thread) int {
		return cmp.Or(cmp.Compare(lines[b.ID], lines[a.ID]), cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID))
	})
	var told []string
	for _, t := range all[:min(len(all), toldThreads)] {
		gist, err := r.Store.Views.Gist(ctx, t.ID)
		if err != nil {
			return "", fmt.Errorf("say what a conversation is about: %w", err)
		}
		gist = slices.DeleteFunc(gist, func(l memory.GistLine) bool { return r.quotes[l.Message] })
		told = append(told, "- "+r.source(first[t.ID], reading.Shorten(t.Headline(), lastLineSize)))
		r.quote(&memory.Message{ID: t.BeganID, SessionID: t.ID, Role: memory.User, Text: t.Began})
		for _, l := range gist {
			told = append(told, "    - "+fenceLinks(reading.Shorten(l.Text, lastLineSize)))
			r.quote(&memory.Message{ID: l.Message, SessionID: t.ID, Role: memory.User, Text: l.Text})
		}
	}
	return "**" + r.say.threads + "**\n" + strings.Join(told, "\n"), nil
}

// sourced is a line, or words of it, behind who said it and when, with a link.
func (r *run) sourced(l memory.DigestLine, text string) string {
	return r.source(l, l.Author+", "+r.say.date(l.At, r.turn.zone())) + ": " + fenceLinks(reading.Shorten(reading.CollapseSpace(reading.PlainLines(text)), lastLineSize))
}

// source returns a text that links to a line, if possible. The reply repeats the line.
func (r *run) source(l memory.DigestLine, text string) string {
	r.quote(&l.Message)
	text = strings.NewReplacer("[", "(", "]", ")", "`", "'").Replace(neutral(oneLine(text)))
	link := r.turn.link(l.Key, l.PlatformID)
	if link == "" || len(reading.Addresses(text)) > 0 {
		return fenceLinks(text)
	}
	return "[" + text + "](" + link + ")"
}
