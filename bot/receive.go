package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// request is the part of an event that its inbox row stores: where an answer goes and
// how to read the event. It holds no text of a message.
type request struct {
	platform.Event
	Question int64 `json:"question,omitempty"` // the clarifying question it answers
	Choice   int   `json:"choice,omitempty"`   // as in agent.Turn

	Picked *picked `json:"picked,omitempty"` // the document that a command changes, once it is known
}

func (r request) encode() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}

func decodeRequest(row *memory.Inbox) (request, error) {
	var r request
	if err := json.Unmarshal([]byte(row.Payload), &r); err != nil {
		return r, fmt.Errorf("bot: read inbox row %d: %w", row.ID, err)
	}
	return r, nil
}

// receive stores an event. Once it returns nil the event will be handled.
func (b *Bot) receive(ctx context.Context, p platform.Platform, ev platform.Event) error {
	ev.Key.Platform = p.Name()
	hearing.Tidy(&ev, b.Store.Now())
	if uses(ev) && ev.Author.ID == "" && ev.Action != platform.StopAction && ev.Kind != platform.EventJoin {
		b.Log.Warn("a command or click of nobody ignored", "platform", p.Name(), "event", ev.ID)
		return nil
	}
	if ev.Kind == platform.EventCommand {
		ev.Command, ev.Args = resolve(ev.Command, ev.Args)
	}
	b.noticeMove(ctx, p, ev)
	completed, calls := ev.Kind == platform.EventEdit, false // once: that changes the text
	if completed {
		more, late, err := b.beginEdit(ctx, p, &ev)
		if err != nil || !more {
			return err
		}
		calls = late
	}
	setReplyAddress(&ev)
	log := b.Log.With("platform", p.Name(), "event", ev.ID, "kind", string(ev.Kind))
	if (ev.Kind == platform.EventEdit || ev.Kind == platform.EventDelete) && ev.Message != "" { // what we posted goes with it
		if err := b.readSinceBackup(ctx, p, ev.Key, ev.Message); err != nil {
			return err
		}
	}
	switch ev.Kind {
	case platform.EventMessage:
		return b.receiveMessage(ctx, p, ev, completed)
	case platform.EventAudience:
		log.Info("a channel's audience may have changed", "channel", ev.Key.Channel, "kind", string(ev.Channel.Kind), "external", ev.Channel.External)
		return b.doubtAudience(ctx, ev)
	}
	if ev.Kind == platform.EventJoin { // events from while we were out of it were not delivered
		if err := b.doubtAudience(ctx, platform.Event{Key: ev.Key, Channel: memory.Channel{Unheard: true}}); err != nil {
			return err
		}
	}
	if !completed {
		complete(ctx, p, &ev, true)
	}
	rules, err := b.access(ctx, ev.Key)
	if err != nil {
		return err
	}
	may := rules.Of(ev.Key, ev.Channel.Kind, ev.Author)
	if manages(ev.Command, ev.Author) {
		may = rules.Owner.Of(ev.Key, ev.Channel.Kind, ev.Author)
	}
	if uses(ev) && may != access.Open && !forgets(ev) {
		return b.turnAway(ctx, p, ev, rules)
	}
	switch ev.Kind {
	case platform.EventEdit:
		in := incoming(ev)
		in.Answer = calls
		in.Payload = request{Event: ev}.encode() // if its answer was erased, it is asked again
		return b.edit(ctx, in, ev, may)
	case platform.EventDelete:
		if ev.Message == "" {
			return b.eraseConversation(ctx, ev.Key)
		}
		r, err := b.Store.Queue.ReceiveErase(ctx, incoming(ev), ev.Message)
		b.erasures.ring()
		return b.changed(r, err)
	case platform.EventCommand:
		if err := b.route(ctx, &ev); err != nil { // one about a message at the top of a channel
			return err
		}
		return b.receiveQuick(ctx, ev)
	case platform.EventClick:
		return b.receiveQuick(ctx, ev)
	case platform.EventFile:
		return b.receiveFile(ctx, ev)
	case platform.EventTitle:
		session, err := b.Store.SessionByKey(ctx, ev.Key)
		if gone(err) {
			return nil
		}
		if err != nil {
			return wrap("find session", err)
		}
		return wrap("keep a title", b.Store.SetSetting(ctx, sessionScope(session.ID), titledSetting, "yes"))
	case platform.EventMove:
		from := ev.Key
		from.Channel = ev.Message
		return b.move(ctx, memory.ChannelMove{From: from, To: ev.Key, External: ev.Channel.External})
	case platform.EventJoin:
		ev.Channel.Unchecked = true // there may be guests who say nothing
		session, _, err := b.Store.Locate(ctx, ev.Key, ev.Channel, person(ev.Author))
		if err != nil {
			return fmt.Errorf("bot: join channel: %w", err)
		}
		log.Info("joined a channel")
		b.audiences[p.Name()].ask(ev.Key.Workspace, session.ChannelID)
		return b.announce(ctx, session, ev)
	}
	log.Warn("event of unknown kind ignored")
	return nil
}

func setReplyAddress(ev *platform.Event) {
	ev.Reply.Key, ev.Reply.Event, ev.Reply.Asker = ev.Key, ev.ID, ev.Author.ID
	if ev.Reply.ReplyTo == "" {
		ev.Reply.ReplyTo = ev.Message
	}
}

// receiveMessage stores a message that is for us, or context, or the command
// it contains. A message at the top of a channel belongs to the thread that an answer
// opens, a command there to the channel.
func (b *Bot) receiveMessage(ctx context.Context, p platform.Platform, ev platform.Event, completed bool) error {
	key, reply := ev.Key, ev.Reply
	rules, err := b.access(ctx, ev.Key)
	if err != nil {
		return err
	}
	if err := b.route(ctx, &ev); err != nil {
		return err
	}
	if !completed && (rules.NeedRoles() || ev.Mention && rules.Of(ev.Key, ev.Channel.Kind, ev.Author) != access.Open) {
		complete(ctx, p, &ev, true)
		completed = true
	}
	may := rules.Of(ev.Key, ev.Channel.Kind, ev.Author)
	typed, _, is := b.parseCommand(ev.Text)
	if is = is && (ev.Mention || ev.Channel.Kind == memory.DM) && len(ev.Files) == 0; is && manages(typed, ev.Author) {
		may = rules.Owner.Of(ev.Key, ev.Channel.Kind, ev.Author)
	}
	if may == access.Closed && !(is && typed == "memory forget") {
		return b.turnAway(ctx, p, ev, rules)
	}
	place, err := b.placeOf(ctx, ev)
	if err != nil {
		return err
	}
	v, before := b.verdict(ev, place)
	if ev.Hidden {
		return b.noteNoContent(ctx, ev, v)
	}
	if v.Store && !completed {
		complete(ctx, p, &ev, v.Answer == hearing.Yes)
		if ev.Author.Kind == memory.Bot { // perhaps known only now
			if place.Heeds, err = b.heeds(ctx, ev); err != nil {
				return err
			}
			v, before = b.verdict(ev, place)
		}
	}
	b.Log.Debug("message", "platform", p.Name(), "event", ev.ID, "answer", v.Answer, "reason", v.Reason)
	if !v.Store {
		return nil
	}
	name, args, command := b.parseCommand(ev.Text) // whose text may be complete only now
	if may == access.Context && v.Answer != hearing.No && name != "memory forget" {
		v = hearing.Verdict{Store: place.Joined, Answer: hearing.No, Reason: "said by somebody who may not use us"}
		if err := b.turnAway(ctx, p, ev, rules); err != nil || !v.Store || command {
			return err
		}
	}
	if command && v.Answer == hearing.Maybe { // "stop", "help" may be said to somebody else
		command = strings.HasPrefix(strings.TrimSpace(ev.Text), "/")
	}
	if command && v.Answer != hearing.No && len(ev.Files) == 0 && ev.Author.Kind != memory.Bot {
		ev.Key, ev.Reply = key, reply
		ev.Kind, ev.Command, ev.Args = platform.EventCommand, name, args
		return b.receiveQuick(ctx, ev)
	}
	if may == access.Closed || before && b.typed(ev) { // nothing of theirs is kept, and no command
		return nil
	}
	busy, err := b.tooBusy(ctx, ev, v)
	if err != nil {
		return err
	}
	if busy != "" {
		v.Answer = hearing.No
	}
	in := incoming(ev)
	in.Answer, in.Overheard = v.Answer == hearing.Yes, v.Answer == hearing.Maybe
	in.Message = &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: ev.Author.Name, Text: ev.Text, At: ev.At}
	if in.Message.PlatformID == "" {
		in.Message.PlatformID = "event:" + ev.ID
	}
	in.Files = ev.Files
	if poster, ok := p.(platform.Poster); ok && ev.Shown {
		in.Ref = string(poster.RefOf(key, ev.Message))
	}
	in.Payload = request{Event: ev}.encode()
	r, err := b.store(ctx, in)
	if err == nil {
		err = b.keepQuoted(ctx, ev)
	}
	if err == nil && before {
		err = b.readBefore(ctx, p, ev, r)
	}
	if err != nil {
		return err
	}
	if r.New && busy != "" && ev.Author.Kind != memory.Bot {
		return b.noteTooBusy(ctx, r.Session, ev, busy)
	}
	if r.New && ev.Channel.Kind == memory.DM && r.Session.Thread == ev.Message {
		title := memory.Outbox{SessionID: r.Session.ID, Nonce: memory.TitleNonce(r.Session.ID), Kind: memory.PostTitle}
		if _, err := b.Store.Queue.OutboxAdd(ctx, title); err != nil {
			return err
		}
		b.posts.ring()
	}
	if r.New && r.Inbox.State == memory.InboxNew {
		b.turns.ring()
		if v.Answer == hearing.Yes {
			return b.announce(ctx, r.Session, ev)
		}
	}
	return nil
}

// verdict decides on a message. What was said before a backup was restored is not answered: it may have been.
func (b *Bot) verdict(ev platform.Event, place hearing.Place) (v hearing.Verdict, before bool) {
	v = hearing.Decide(ev, place)
	if before = v.Answer != hearing.No && ev.At < b.restored; before {
		v.Answer, v.Reason = hearing.No, "said before a backup was restored, and maybe answered"
	}
	return v, before
}

// access are the lists that say who may use us in a workspace: the one place that knows both. Without an answer of
// the store nobody is served.
func (b *Bot) access(ctx context.Context, key memory.Key) (access.Rules, error) {
	rules := access.Rules{Owner: b.Access}
	for name, list := range map[string]*access.List{memory.AllowSetting: &rules.Set.Allow, memory.DenySetting: &rules.Set.Deny} {
		text, err := b.Store.Setting(ctx, memory.WorkspaceScope(key), name)
		if err == nil {
			*list, err = access.ParseList(text)
		}
		if err != nil {
			return rules, wrap("read who may use us", err)
		}
	}
	return rules, nil
}

// manages reports whether a command is about settings and given by an administrator, who can always change what
// administrators set.
func manages(command string, a platform.Author) bool {
	return a.Admin && strings.HasPrefix(command, settingsFamily)
}

// uses reports whether an event other than a message makes us do something.
func uses(ev platform.Event) bool {
	return ev.Kind == platform.EventCommand || ev.Kind == platform.EventClick || ev.Kind == platform.EventJoin
}

// forgets reports whether an event erases its author's own messages, which everybody whose messages are stored may do.
func forgets(ev platform.Event) bool {
	return ev.Command == "memory forget" || strings.HasPrefix(ev.Action, platform.ForgetPrefix)
}

// tooBusy says, in words for its author, why a message gets no answer: they sent too many. It is "" if
// it gets one. Messages that arrive late, after a restart of ours, do not count.
func (b *Bot) tooBusy(ctx context.Context, ev platform.Event, v hearing.Verdict) (why string, err error) {
	if v.Answer == hearing.No {
		return "", nil
	}
	w, now := say.For(ev.Author.Locale, ev.Text), b.Store.Now()
	if b.MaxWaiting > 0 {
		n, err := b.Store.Queue.Waiting(ctx, ev.Key, ev.Author.ID)
		if err != nil {
			return "", wrap("look what waits", err)
		}
		if n >= b.MaxWaiting {
			return w.StillBusy, nil
		}
	}
	if ev.At > 0 && now-ev.At > time.Minute.Milliseconds() {
		return "", nil
	}
	if wait := b.rate.Take(strings.Join([]string{ev.Key.Platform, ev.Key.Workspace, ev.Author.ID}, "/"), ev.ID, now); wait > 0 {
		return fmt.Sprintf(w.TooMany, say.Pause(wait)), nil
	}
	return "", nil
}

func (b *Bot) receiveFile(ctx context.Context, ev platform.Event) error {
	files, err := b.Store.FilesByPlatformID(ctx, ev.Key, ev.Message, ev.Kept...)
	if err != nil || len(files) == 0 {
		return wrap("look for files", err)
	}
	session, err := b.Store.Session(ctx, files[0].SessionID)
	if err != nil {
		return wrap("find session", err)
	}
	ev.Key = session.Key
	return b.receiveQuick(ctx, ev)
}

// receiveQuick stores a command, a click or the loss of a file, which is applied at once.
func (b *Bot) receiveQuick(ctx context.Context, ev platform.Event) error {
	in := incoming(ev)
	in.Command, in.Subject = true, ""
	if ev.Kind == platform.EventCommand {
		in.Subject = ev.Message // one command a message, whatever it is edited into
		if cmd, found := find(ev.Command); ev.Message != "" && (!found || incomplete(cmd.Command, split(cmd.Command, ev.Args))) {
			in.Subject = fmt.Sprintf("%s/%08x", ev.Message, crc32.ChecksumIEEE([]byte(ev.Command))) // which does nothing: an edit may mend it
		}
	}
	in.Payload = request{Event: ev}.encode()
	if _, err := b.store(ctx, in); err != nil {
		return err
	}
	b.commands.ring()
	return nil
}

// store stores an event, and asks the platform who may read its channel if that is not
// certain. In a new one there may be guests who say nothing.
func (b *Bot) store(ctx context.Context, in memory.Incoming) (*memory.Received, error) {
	in.Channel = b.ifNew(ctx, in.Key, in.Channel)
	r, err := b.Store.Queue.Receive(ctx, in)
	if err == nil && r.Unchecked {
		b.narrowed()
		b.audiences[in.Platform].ask(in.Key.Workspace, r.Session.ChannelID)
	}
	return r, err
}

func (b *Bot) changed(r *memory.Received, err error) error {
	if err != nil {
		return err
	}
	if r.New {
		b.narrowed() // others may have read it
		b.turns.ring()
		b.posts.ring()
		b.compactions.ring()
	}
	return nil
}

func incoming(ev platform.Event) memory.Incoming {
	return memory.Incoming{Platform: ev.Key.Platform, EventID: ev.ID, Kind: string(ev.Kind), Key: ev.Key,
		Channel: ev.Channel, Person: person(ev.Author)}
}

func person(a platform.Author) memory.Person {
	return memory.Person{PlatformID: a.ID, Name: hearing.Called(a.Name), Kind: a.Kind, Admin: a.Admin, TimeZone: a.TimeZone}
}

func gone(err error) bool { return errors.Is(err, memory.ErrNotFound) }

// route moves a message at the top of a channel into the thread that an answer to
// it opens, unless the channel itself is the session.
func (b *Bot) route(ctx context.Context, ev *platform.Event) error {
	if ev.Opens == "" || ev.Key.Thread != "" || ev.Channel.Kind == memory.DM {
		return nil
	}
	reply, err := b.setting(ctx, ev.Key, ReplySetting, string(b.Reply))
	if err != nil || Reply(reply) == ReplyChannel {
		return err
	}
	ev.Key.Thread = ev.Opens
	setReplyAddress(ev)
	return nil
}

func (b *Bot) eraseConversation(ctx context.Context, key memory.Key) error {
	if _, err := b.Store.EraseConversation(ctx, key); err != nil {
		return wrap("erase a conversation", err)
	}
	b.narrowed()
	b.erasures.ring()
	b.turns.ring()
	b.posts.ring()
	b.compactions.ring()
	return nil
}
