package discord

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

// Limits returns what Discord offers us.
func (a *Adapter) Limits() platform.Limits {
	return platform.Limits{EditInterval: editInterval, Streams: true, Whole: true, Ephemeral: true, Clicks: true, Asks: true, Replies: true}
}

// Post posts m. A post of several messages that fails midway is found by its
// nonce and then edited into its complete form.
func (a *Adapter) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if m.Kind != platform.KindNotice {
		to = inTheOpen(to)
	}
	w, err := a.writerFor(ctx, to, m.Kind, m.Nonce)
	if err != nil {
		return "", err
	}
	ref, err := w.finish(ctx, m)
	if to.EphemeralTo != "" && to.ReplyTo != "" && typed(to) && hasCode(err, discordgo.ErrCodeCannotSendMessagesToThisUser) {
		// They take no direct messages. What answers them is said where they asked; what stands beside an answer is private.
		if w.at, err = a.spotFor(ctx, inTheOpen(to), platform.KindCommand, true); err == nil {
			ref, err = w.finish(ctx, m)
		}
	}
	return ref, err
}

type writer struct {
	a     *Adapter
	to    platform.Address
	kind  platform.Kind
	nonce string
	at    spot
	parts []part

	adopted  bool // the message showed a status; the answer is worth a new one if it is gone
	withdraw func(ctx context.Context, message string) error
}

type part struct {
	id    string
	shown string // its content, "" if unknown
}

// writerFor begins a post, in place of the status that its turn shows, if any.
func (a *Adapter) writerFor(ctx context.Context, to platform.Address, kind platform.Kind, nonce string) (*writer, error) {
	w := &writer{a: a, to: to, kind: kind, nonce: nonce}
	if kind == platform.KindReply || kind == platform.KindError {
		if shown := a.statuses.take(to); shown != nil {
			shown.kind, shown.nonce = kind, nonce
			return shown, nil
		}
	}
	var err error
	w.at, err = a.spotFor(ctx, to, kind, true)
	return w, err
}

func (w *writer) finish(ctx context.Context, m platform.Outgoing) (platform.Ref, error) {
	w.withdraw = m.Withdraw
	if err := w.write(ctx, func(k mark) []message { return render(m, k) }); err != nil {
		if len(w.parts) == 0 && w.kind != platform.KindNotice && hasCode(err, noPermission...) {
			return "", w.a.cannotPost(w.to, err)
		}
		return "", err
	}
	w.a.finishInteraction(ctx, w.to, w.at)
	return w.ref(), nil
}

func (w *writer) ref() platform.Ref {
	if len(w.parts) == 0 {
		return ""
	}
	ids := make([]string, len(w.parts))
	for i, p := range w.parts {
		ids[i] = p.id
	}
	return w.at.ref(ids).String()
}

// write makes the messages of the post those that form gives, wherever it has to go.
func (w *writer) write(ctx context.Context, form func(mark) []message) error {
	want := form(w.at.mark(w.nonce))
	err := w.syncMessages(ctx, want)
	if err == nil {
		w.adopted = false
		return nil
	}
	inChannel, refused := w.at, false
	if want[len(want)-1].file == nil { // else it may be the file that is refused
		inChannel, refused = w.a.noThread(w.to, w.at, err)
	}
	switch {
	case w.at.interaction != nil && lapsed(err):
		// Those messages stay as they are; the whole is said again where it can be.
		w.a.Log.Info("could not answer an interaction, answering directly or in the channel", "error", err)
		w.parts = nil
		w.a.closed.Set(w.at.interaction.ID, true)
		if w.at, err = w.a.spotFor(ctx, w.to, w.kind, true); err != nil {
			return err
		}
	case refused && len(w.parts) == 0:
		w.at = inChannel
	case w.adopted && isGone(err):
		w.parts = nil
	default:
		return err
	}
	return w.syncMessages(ctx, form(w.at.mark(w.nonce)))
}

// syncMessages edits the messages there are, creates what is missing and deletes what is too
// much. Messages that somebody deleted are left so; if the first was, the post is
// gone.
func (w *writer) syncMessages(ctx context.Context, want []message) error {
	var gone error
	for i, m := range want {
		if i < len(w.parts) {
			err := w.edit(ctx, i, m)
			if isGone(err) {
				if i == 0 {
					gone = err
				}
				continue
			}
			if err != nil {
				return err
			}
			continue
		}
		if gone != nil {
			return gone
		}
		got, err := w.a.createMessage(ctx, w.at, i, m)
		if err != nil {
			return err
		}
		w.parts = append(w.parts, part{got.ID, m.look()})
		if w.at.interaction != nil && w.nonce != "" { // Find could not find it on Discord
			w.a.answers.Set(w.nonce, w.ref())
		}
	}
	for len(w.parts) > len(want) {
		last := len(w.parts) - 1
		var err error
		if w.withdraw != nil { // the gateway will tell that it is gone, and nobody must think that people deleted the answer
			err = w.withdraw(ctx, w.parts[last].id)
		}
		if err == nil {
			err = w.a.deleteMessage(ctx, w.at, w.parts[last].id)
		}
		if err != nil {
			return errors.Join(gone, err)
		}
		w.parts = w.parts[:last]
	}
	return gone
}

// edit changes part i if it does not look so already.
func (w *writer) edit(ctx context.Context, i int, m message) error {
	if w.parts[i].shown == m.look() {
		return nil
	}
	if err := w.a.editMessage(ctx, w.at, w.parts[i].id, m); err != nil {
		return err
	}
	w.parts[i].shown = m.look()
	return nil
}

var noPermission = []int{discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess}

// cannotPost is the error of a post that Discord lets us write neither in a thread nor in the channel.
func (a *Adapter) cannotPost(to platform.Address, err error) error {
	m := &platform.CannotPostError{Err: err}
	if to.Key.Workspace == directly {
		return m
	}
	in := to.Key.Channel
	if c, _ := a.places.channel(in); to.Key.Thread != "" && (to.Key.Thread != to.ReplyTo || c.posts()) {
		in = to.Key.Thread
	}
	m.Asked = jump(to.Key.Workspace, in, to.ReplyTo)
	a.Log.Warn("no permission to post in this channel", "channel", a.places.name(to.Key.Channel))
	return m
}
