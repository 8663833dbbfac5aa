package discord

import (
	"context"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

// original is how an interaction's deferred answer is called.
const original = "@original"

// putHook creates message n of an answer to an interaction: the deferred answer
// takes the first, what follows are follow-ups. Follow-ups know no nonce.
func (a *Adapter) putHook(ctx context.Context, p place, n int, m message) (posted, error) {
	m.Nonce, m.EnforceNonce = "", false
	var got posted
	var err error
	switch {
	case n == 0 && (p.hook.Deferral == deferredPrivate || p.hook.Deferral == deferredPublic):
		err = a.call(ctx, http.MethodPatch, p.messagePath(original), m, &got)
	case p.only != "":
		got, err = a.whisper(ctx, p.hook, m)
	default:
		err = a.call(ctx, http.MethodPost, p.hook.path(), m, &got)
	}
	if err == nil && !isID(got.ID) {
		got.ID = original
	}
	return got, err
}

// lapsed reports whether an error says that an interaction cannot be answered any more.
func lapsed(err error) bool {
	return refusedWith(err, discordgo.ErrCodeUnknownWebhook, discordgo.ErrCodeInvalidWebhookTokenProvided, discordgo.ErrCodeUnknownInteraction)
}

// tidyTime bounds what is put in order after a post, which has succeeded already.
const tidyTime = 5 * time.Second

// tidy ends what an interaction shows once its request was answered by a post that
// is not the interaction's own: the "thinking…" of a command goes, and so do the
// buttons under the message that was clicked.
func (a *Adapter) tidy(ctx context.Context, to platform.Address, p place) {
	i, ok := readInteraction(to.Interaction)
	if !ok || p.hook != nil || to.EphemeralTo != "" || !a.open(i) {
		return
	}
	if i.Deferral == deferredClick {
		a.settle(ctx, i)
		return
	}
	if i.Deferral != deferredPrivate && i.Deferral != deferredPublic {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tidyTime)
	defer cancel()
	if err := a.acks.wait(ctx, i.ID); err != nil {
		return
	}
	if err := a.call(ctx, http.MethodDelete, i.path()+"/messages/"+original, nil, nil); err != nil {
		a.Log.Debug("tidy up after a command", "error", err)
	}
}
