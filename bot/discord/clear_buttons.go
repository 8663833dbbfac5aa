package discord

import (
	"context"
	"net/http"
)

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
