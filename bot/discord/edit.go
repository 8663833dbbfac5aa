package discord

import (
	"context"
	"encoding/json"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

// Edit brings a post into a new form, with as many messages as that takes. A post
// that was deleted is undeliverable. What answered an interaction that has lapsed
// is said to its reader directly.
func (a *Adapter) Edit(ctx context.Context, name platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	r, err := parseRef(name)
	if err != nil {
		return "", err
	}
	w := &writer{a: a, kind: m.Kind, nonce: m.Nonce, place: a.placeOf(r), to: platform.Address{EphemeralTo: r.Only}}
	w.to.Key.Workspace, w.to.Key.Channel = r.Guild, r.Channel
	for _, id := range r.Messages {
		w.parts = append(w.parts, part{id: id})
	}
	if h := w.place.hook; h != nil && !a.open(*h) {
		if w.place.only == "" { // an answer for all is a message like any other
			w.place.hook = nil
		} else if m.Kind == platform.KindErased {
			return name, nil // it went with its reader's client
		} else if w.place, err = a.locate(ctx, w.to, m.Kind, false); err != nil {
			return "", err
		} else {
			w.parts = nil
		}
	}
	now, err := w.finish(ctx, m)
	if m.Kind == platform.KindErased && refusedWith(err, codeLocked) {
		return name, w.takeBack(ctx)
	}
	return now, err
}

// takeBack deletes the post: in a locked thread that is not archived nothing of ours may be
// changed, but deleted (https://docs.discord.com/developers/topics/threads#locked-threads).
func (w *writer) takeBack(ctx context.Context) error {
	for _, p := range w.parts {
		if err := w.a.remove(ctx, w.place, p.id); err != nil {
			return err
		}
	}
	return nil
}

// isGone reports whether an error says that a message does not exist any more.
func isGone(err error) bool {
	return refusedWith(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel)
}

// look is all that a reader sees of a message, to tell whether it changes.
func (m message) look() string {
	m.Nonce, m.EnforceNonce, m.Reference = "", false, nil
	b, err := json.Marshal(m)
	if err != nil {
		return "" // of components of ours, which cannot fail
	}
	return string(b)
}
