package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/access"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const (
	authorTime = 20 * time.Second // to ask who a person is
	maxUnknown = 4                // attempts of a turn before it continues without them
)

// lookUpAuthors asks who wrote the turn's messages, if the wire did not say:
// until then they count as guests, whose files are not read.
func (t *turn) lookUpAuthors(ctx context.Context) error {
	p, ok := t.platform.(platform.Introducer)
	if !ok {
		return nil
	}
	asked := make(map[string]bool)
	for _, row := range t.rows {
		r, err := decodeRequest(row)
		if err != nil {
			return err
		}
		if id := r.Author.ID; r.Author.Kind == memory.Unknown && !asked[id] {
			asked[id] = true
			if err := t.lookUpAuthor(ctx, p, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *turn) lookUpAuthor(ctx context.Context, p platform.Introducer, id string) error {
	limit, cancel := context.WithTimeout(ctx, authorTime)
	defer cancel()
	who, err := p.Person(limit, t.session.Key, id)
	var later *platform.RetryError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &later) && t.attempts() < maxUnknown:
		return &retryLater{min(later.After, authorTime), fmt.Errorf("bot: ask who somebody is: %w", err)}
	default:
		t.log.Warn("person treated as a guest: their profile could not be read", "error", err)
		return nil
	}
	_, known, err := t.bot.Store.Locate(ctx, t.session.Key, memory.Channel{}, person(who))
	if err != nil {
		return err
	}
	if t.person != nil && t.person.ID == known.ID {
		t.person = known
	}
	return nil
}

// complete has the platform look up what its wire left out.
func complete(ctx context.Context, p platform.Platform, ev *platform.Event, answer bool) {
	if c, ok := p.(platform.Completer); ok {
		c.Complete(ctx, ev, answer)
	}
}

// audience returns the audience of a session with person asking, under the program's policy
// for documents.
func (b *Bot) audience(ctx context.Context, session, person int64) (memory.Audience, error) {
	a, err := b.Store.Audience(ctx, session, person)
	if err != nil {
		return a, fmt.Errorf("bot: load audience: %w", err)
	}
	a.NoDocuments = a.NoDocuments && !b.ExternalDocuments
	return a, nil
}

// lastWords is how many messages are examined for their language.
const lastWords = 20

// wordsIn returns the words for a person in a session, by the language of their last messages, else of
// texts, else of other people's messages, else of a locale.
func (b *Bot) wordsIn(ctx context.Context, session, person int64, locale string, texts ...string) *say.Words {
	own, others, err := b.Store.LastTexts(ctx, session, person, lastWords)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("could not look up a language", "error", err)
	}
	return say.For(locale, slices.Concat(own, texts, others)...)
}

const (
	backfillLimit = 1000             // messages of a thread that began before us
	backfillTime  = 20 * time.Second // how long one turn waits for them
)

// backfill stores the messages of a thread from before we were first mentioned in it. It
// is retried with each turn until it succeeds; the turn uses what could be read. An unanswered mention
// among them was lost, perhaps by a crash of ours: it is answered after this turn.
func (t *turn) backfill(ctx context.Context) error {
	missed := t.session.BackfilledAt == memory.BackfillMissed
	if !missed {
		if !t.request.Joined || t.session.BackfilledAt > 0 {
			return nil
		}
		// A thread on a message to us began with us.
		if began, err := t.bot.Store.SessionHasMessage(ctx, t.session.ID, t.session.Thread); err != nil || began {
			return wrap("look for the thread's first message", err)
		}
	}
	t.view.emit(agent.Progress{Status: t.say.ReadingThread})
	fetch, cancel := context.WithTimeout(ctx, backfillTime)
	defer cancel()
	events, err := t.platform.History(fetch, t.session.Key, "", backfillLimit)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.log.Warn("could not read all earlier messages", "messages", len(events), "error", err)
	}
	asked, failed := t.bot.Store.AskedSince(ctx, t.session.ID)
	if failed != nil {
		return wrap("look for the first request", failed)
	}
	rules, failed := t.bot.access(ctx, t.session.Key)
	if failed != nil {
		return failed
	}
	var past []memory.Incoming
	for i, ev := range events {
		tidy(&ev, t.bot.Store.Now())
		may := rules.Of(t.session.Key, t.request.Channel.Kind, ev.Author)
		if may == access.Closed && !ev.Ours {
			continue
		}
		in := incoming(ev)
		if may == access.Open && t.bot.lost(ev, events[i+1:], asked) {
			ev.Channel, ev.Opens, ev.Joined = memory.Channel{}, "", false
			setReplyAddress(&ev)
			in.Answer, in.Payload = true, request{Event: ev}.encode()
		}
		in.Message = &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: ev.Author.Name, Text: ev.Text, At: ev.At}
		if ev.Ours && (missed || ev.At >= t.messages[0].At) {
			continue // said after we joined, and stored with its answer
		}
		if ev.Ours {
			in.Person, in.Message.Role, in.Message.Author = memory.Person{}, memory.Assistant, ""
		}
		in.Files = ev.Files
		past = append(past, in)
	}
	n, failed := t.bot.Store.Backfill(ctx, t.session, past)
	t.bot.turns.ring()
	if failed == nil && err != nil {
		failed = t.bot.Store.MarkBackfillMissed(ctx, t.session)
	}
	if failed != nil {
		return failed
	}
	t.log.Info("joined a thread", "messages", n)
	return t.reload(ctx) // the messages have moved behind the older ones
}

// lost reports whether an old message asks for an answer of ours that never came: it mentions
// us, not longer ago than a platform's catch-up goes back, and we said nothing after it
// before the first request that we know of. A command is not run late.
func (b *Bot) lost(ev platform.Event, after []platform.Event, asked int64) bool {
	_, _, command := b.parseCommand(ev.Text)
	answered := slices.ContainsFunc(after, func(x platform.Event) bool { return x.Ours && x.At < asked })
	return ev.Mention && ev.Author.Kind != memory.Bot && unusable(ev) == "" && !answered && (!command || len(ev.Files) > 0) && b.Store.Now()-ev.At < seenFor.Milliseconds() && ev.At >= b.restored
}
