package discord

import (
	"context"
	"net/http"

	"github.com/bwmarrin/discordgo"
)

// settle takes the buttons from the message that was clicked, once: it offers nothing
// any more. A question's are taken by the bot when the question is closed.
func (a *Adapter) settle(ctx context.Context, i interaction) {
	if done, _ := a.settled.get(i.ID); done || !a.open(i) {
		return
	}
	a.settled.set(i.ID, true)
	m := newMessage("")
	body := rowsOnly{m.Components, m.AllowedMentions}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	if a.acks.wait(ctx, i.ID) != nil {
		return
	}
	if err := a.call(ctx, http.MethodPatch, i.path()+"/messages/"+original, body, nil); err != nil {
		a.Log.Debug("end what a click was for", "error", err)
	}
}

// rowsOnly changes nothing of a message but its rows.
type rowsOnly struct {
	Components      []discordgo.MessageComponent     `json:"components"`
	AllowedMentions discordgo.MessageAllowedMentions `json:"allowed_mentions"`
}
