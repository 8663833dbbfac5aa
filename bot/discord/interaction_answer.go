package discord

import (
	"context"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

const original = "@original"

// createAnswer creates message n of an answer to an interaction: the deferred answer
// takes the first, what follows are follow-ups. Follow-ups know no nonce.
func (a *Adapter) createAnswer(ctx context.Context, p spot, n int, m message) (wireMessage, error) {
	m.Nonce, m.EnforceNonce = "", false
	var got wireMessage
	var err error
	switch {
	case n == 0 && p.interaction.Deferral == deferredPrivate:
		err = a.call(ctx, http.MethodPatch, p.messagePath(original), m, &got)
	case p.onlyTo != "":
		got, err = a.postEphemeral(ctx, p.interaction, m)
	default:
		err = a.call(ctx, http.MethodPost, p.interaction.path(), m, &got)
	}
	if err == nil && !isID(got.ID) {
		got.ID = original
	}
	return got, err
}

func lapsed(err error) bool {
	return hasCode(err, discordgo.ErrCodeUnknownWebhook, discordgo.ErrCodeInvalidWebhookTokenProvided, discordgo.ErrCodeUnknownInteraction)
}

// finishTime limits the clean-up after a successful post.
const finishTime = 5 * time.Second

// finishInteraction ends what an interaction shows once its request was answered by a post that
// is not the interaction's own: the "thinking…" of a command goes, and so do the
// buttons under the message that was clicked.
func (a *Adapter) finishInteraction(ctx context.Context, to platform.Address, p spot) {
	i, ok := readInteraction(to.Interaction)
	if !ok || p.interaction != nil || to.EphemeralTo != "" || !a.open(i) {
		return
	}
	if i.Deferral == deferredClick {
		a.clearButtons(ctx, i)
		return
	}
	if i.Deferral != deferredPrivate {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, finishTime)
	defer cancel()
	if err := a.acks.wait(ctx, i.ID); err != nil {
		return
	}
	if err := a.call(ctx, http.MethodDelete, i.path()+"/messages/"+original, nil, nil); err != nil {
		a.Log.Debug("could not clean up after a command", "error", err)
	}
}

// clearButtons takes the buttons from the message that was clicked, once: it offers nothing
// any more. A question's are taken by the bot when the question is closed.
func (a *Adapter) clearButtons(ctx context.Context, i interaction) {
	if done, _ := a.buttonsDone.Get(i.ID); done || !a.open(i) {
		return
	}
	a.buttonsDone.Set(i.ID, true)
	body := map[string]any{"components": []any{}, "allowed_mentions": newMessage("").AllowedMentions}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if a.acks.wait(ctx, i.ID) != nil {
		return
	}
	if err := a.call(ctx, http.MethodPatch, i.path()+"/messages/"+original, body, nil); err != nil {
		a.Log.Debug("could not remove the buttons of a click", "error", err)
	}
}
