package bot

import (
	"context"
	"strings"
	"time"

	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// pasteTime is how long an edit waits for the text that was pasted with its message, beyond the time of a Completer: without
// it the message would lose it.
const pasteTime = 20 * time.Second

// beginEdit applies an edit to the command or note that a message was, and to one that was only read. It reports whether there is
// more to do: the edit of a stored message, or a message that calls us only now, which the event is then. It calls late if it is to
// be answered.
func (b *Bot) beginEdit(ctx context.Context, p platform.Platform, ev *platform.Event) (more, late bool, err error) {
	b.reads.note(*ev) // before the store is asked: it may be stored meanwhile
	if ev.Edited > 0 && b.Store.Now()-ev.Edited > seenFor.Milliseconds() {
		if known, err := b.Store.EditedSince(ctx, ev.Key, ev.Message, ev.Edited); err != nil || known {
			return false, false, wrap("look for edits", err)
		}
	} else {
		ev.Edited = 0
	}
	held, err := b.Store.HasMessage(ctx, ev.Key, ev.Message)
	if err != nil {
		return false, false, wrap("look for a message", err)
	}
	noted, err := b.Store.HasMessage(ctx, ev.Key, memory.NotePrefix+ev.Message)
	if err != nil {
		return false, false, wrap("look for a note", err)
	}
	typed, err := b.typedIn(ctx, *ev)
	if err != nil || !held && !noted && typed == nil && !(ev.Mention && b.lately(*ev)) {
		return false, false, err
	}
	complete(ctx, p, ev, true)
	paste, cancel := context.WithTimeout(ctx, pasteTime)
	kit.TakePasted(paste, ev, p.Open)
	cancel()
	rules, err := b.access(ctx, ev.Key)
	if err != nil {
		return false, false, err
	}
	may := rules.Of(ev.Key, ev.Channel.Kind, ev.Author)
	if typed != nil && typed.State == memory.InboxCommand {
		if edited, err := b.editCommand(ctx, *ev, typed, may); err != nil || edited {
			return false, false, err
		}
		if noted, err = b.Store.HasMessage(ctx, ev.Key, memory.NotePrefix+ev.Message); err != nil { // it may have been run meanwhile
			return false, false, wrap("look for a note", err)
		}
	}
	if late, err = b.callsLate(ctx, *ev, typed != nil); err != nil {
		return false, false, err
	}
	if held && late {
		if held, err = b.editRead(ctx, *ev, may); err != nil {
			return false, false, err
		}
	}
	if !held && noted {
		if noted, err = b.editNote(ctx, *ev, may); err != nil || noted {
			return false, false, err
		}
	}
	if !held { // its own event may be stored: it was a command
		ev.Kind, ev.ID = platform.EventMessage, ev.ID+"/said"
	}
	return held || late, late, nil
}

// edit gives a stored message its new text. That of somebody who may not use us any more is not answered; of somebody of whom
// nothing is stored, the message is erased instead, for its old text is gone too.
func (b *Bot) edit(ctx context.Context, in memory.Incoming, ev platform.Event, may access.Access) (err error) {
	var r *memory.Received
	if may == access.Closed {
		r, err = b.Store.Queue.ReceiveErase(ctx, in, ev.Message)
	} else {
		if err = b.keepQuoted(ctx, ev); err != nil {
			return err
		}
		in.Answer, in.Quiet = in.Answer && may == access.Open, ev.Edited > 0 || may != access.Open
		busy := ""
		in.Refuse = func() (bool, error) {
			why, err := b.tooBusy(ctx, ev, hearing.Verdict{Answer: hearing.Yes})
			busy = why
			return why != "", err
		}
		r, err = b.Store.Queue.ReceiveEdit(ctx, in, ev.Message, ev.Text)
		if err == nil && r.New && busy != "" {
			err = b.noteTooBusy(ctx, r.Session, ev, busy)
		}
	}
	b.erasures.ring()
	return b.changed(r, err)
}

// editNote changes the note that was typed in a message, or erases it if the message is no such command any more or its author
// may not use us any more. It reports whether there was one to change.
func (b *Bot) editNote(ctx context.Context, ev platform.Event, may access.Access) (bool, error) {
	text, forChannel := "", false
	name, args, _ := b.parseCommand(ev.Text)
	switch name {
	case "memory remember":
		text, forChannel = noteText(args)
	case "memory correct":
		_, text, _ = strings.Cut(args, " ")
	}
	w := say.For(ev.Author.Locale, ev.Text)
	why := w.NoteForgotten
	if reading.Risky(text) {
		text, why = "", w.NotRemembered+" "+why
	}
	if may != access.Open {
		text = ""
	}
	r, err := b.Store.Queue.ReceiveNoteEdit(ctx, incoming(ev), ev.Message, text, forChannel)
	b.erasures.ring()
	if err = b.changed(r, err); err == nil && r.New && text == "" && may == access.Open {
		setReplyAddress(&ev)
		err = b.postNotice(ctx, r.Session, b.toAuthor(ev), platform.Outgoing{Text: why, Language: w.Code, Nonce: nonce("note/%q/%q", ev.Key.Platform, ev.ID)})
	}
	return name == "memory remember" || name == "memory correct", err
}

// editRead changes a message that is stored only because its channel was read, and reports whether it is stored for another
// reason: its author may call us now.
func (b *Bot) editRead(ctx context.Context, ev platform.Event, may access.Access) (held bool, err error) {
	read, err := b.Store.OnlyRead(ctx, ev.Key, ev.Message)
	if err != nil || !read {
		return true, wrap("look for a message", err)
	}
	return false, b.edit(ctx, incoming(ev), ev, may)
}

// lateTime is how long after an edit it may still count as a first mention: a platform's
// report of an older one is not something somebody has just done.
const lateTime = 10 * time.Minute

// lately reports whether a person has just made an edit.
func (b *Bot) lately(ev platform.Event) bool {
	return ev.Author.Kind != memory.Bot && ev.Edited == 0 && b.Store.Now()-ev.At < lateTime.Milliseconds()
}

// callsLate reports whether an edit asks for an answer: its author had forgotten to mention us, or their line is certainly for us
// only as it reads now. Whose line was typed as a command speaks to us, perhaps in other words now.
func (b *Bot) callsLate(ctx context.Context, ev platform.Event, typed bool) (bool, error) {
	if !b.lately(ev) || ev.Mention {
		return b.lately(ev), nil
	}
	if err := b.route(ctx, &ev); err != nil {
		return false, err
	}
	place, err := b.placeOf(ctx, ev)
	answer := hearing.Decide(ev, place).Answer
	if err != nil || !place.Joined || typed || answer != hearing.Yes {
		return place.Joined && typed && answer != hearing.No, err
	}
	ev.Text, err = b.Store.TextOf(ctx, ev.Key, ev.Message)
	return hearing.Decide(ev, place).Answer != hearing.Yes, wrap("look for a message", err)
}
