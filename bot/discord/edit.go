package discord

import (
	"context"
	"encoding/json"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

// Edit brings a post into a new form, with as many messages as needed. A deleted post
// is undeliverable. The new form of an answer whose interaction has expired
// is sent to its reader directly.
func (a *Adapter) Edit(ctx context.Context, name platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	r, err := parseRef(name)
	if err != nil {
		return "", err
	}
	w := &writer{a: a, kind: m.Kind, nonce: m.Nonce, at: a.spotOf(r), to: platform.Address{EphemeralTo: r.OnlyTo}}
	w.to.Key.Workspace, w.to.Key.Channel = r.Workspace, r.Channel
	for _, id := range r.Messages {
		w.parts = append(w.parts, part{id: id})
	}
	if h := w.at.interaction; h != nil && !a.open(*h) {
		if w.at.onlyTo == "" { // an answer for all is a message like any other
			w.at.interaction = nil
		} else if m.Kind == platform.KindErased {
			return name, nil // it went with its reader's client
		} else if w.at, err = a.spotFor(ctx, w.to, m.Kind, false); err != nil {
			return "", err
		} else {
			w.parts = nil
		}
	}
	now, err := w.finish(ctx, m)
	if m.Kind != platform.KindErased || !hasCode(err, codeLocked) {
		return now, err
	}
	// In a locked thread that is not archived nothing of ours may be changed, but deleted
	// (https://docs.discord.com/developers/topics/threads#locked-threads).
	for _, p := range w.parts {
		if err := a.deleteMessage(ctx, w.at, p.id); err != nil {
			return name, err
		}
	}
	return name, nil
}

func isGone(err error) bool {
	return hasCode(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel)
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
