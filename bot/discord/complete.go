package discord

import (
	"context"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// How long Discord is asked for an author's membership, if they get an answer and if not.
const (
	lookTime   = 10 * time.Second
	glanceTime = 2 * time.Second
)

// Complete asks Discord for the membership of a message's author: their nickname and
// roles. Interactions include it, and so do most of the gateway's events, but not a
// message read through REST.
func (a *Adapter) Complete(ctx context.Context, ev *platform.Event, answer bool) {
	said := ev.Kind == platform.EventMessage || ev.Kind == platform.EventEdit
	if said {
		ctx, cancel := context.WithTimeout(ctx, glanceTime)
		kit.TakePasted(ctx, ev, a.Open)
		cancel()
	}
	if guildID := ev.Key.Workspace; said && ev.Author.Kind != memory.Bot && ev.Reply.Interaction == "" && isID(guildID) {
		wait := glanceTime
		if answer {
			wait = lookTime
		}
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		m := wireMessage{Author: &wireUser{ID: ev.Author.ID, Username: ev.Author.Name}}
		if err := a.member(ctx, guildID, &m); err != nil {
			a.Log.Warn("could not look up a member", "error", err)
			return
		}
		g, _ := a.places.guild(guildID)
		ev.Author = scene{at: wireChannel{GuildID: guildID}, guild: g}.author(*m.Author, m.Member)
	}
}
