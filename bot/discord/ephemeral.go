package discord

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// ephemerals are our own messages for one person, as the gateway delivers them. Create
// Followup Message takes no nonce and nothing lists what it made, so this is how one is
// known to exist whose receipt was lost
// (https://docs.discord.com/developers/events/gateway-events#messages: ephemeral
// messages are sent to the user and to the bot).
type ephemerals struct {
	mu            sync.Mutex
	byInteraction kit.Recent[[]ephemeral] // by interaction
}

type ephemeral struct {
	id, text string
	known    bool // its receipt came, or it was found
}

// add takes a message that the gateway delivers, if it is ephemeral.
func (w *ephemerals) add(m wireMessage) {
	if m.Invocation.ID == "" || m.Flags&flagLoading != 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all, _ := w.byInteraction.Get(m.Invocation.ID)
	if !slices.ContainsFunc(all, func(o ephemeral) bool { return o.id == m.ID }) {
		w.byInteraction.Set(m.Invocation.ID, append(all, ephemeral{id: m.ID, text: strings.TrimSpace(m.Content)}))
	}
}

func (w *ephemerals) markKnown(interaction, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, _ := w.byInteraction.Get(interaction)
	for i := range all {
		if all[i].id == id {
			all[i].known = true
			return
		}
	}
	w.byInteraction.Set(interaction, append(all, ephemeral{id: id, known: true}))
}

// find is the message of an interaction with this text that is not known, and from then
// on is; "" if there is none.
func (w *ephemerals) find(interaction, text string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, _ := w.byInteraction.Get(interaction)
	for i := range all {
		if !all[i].known && all[i].text == strings.TrimSpace(text) {
			all[i].known = true
			return all[i].id
		}
	}
	return ""
}

const (
	echoLooks = 100 // for a message that the gateway delivers
	echoPause = 20 * time.Millisecond
)

// postEphemeral posts a follow-up for one person, unless it exists.
func (a *Adapter) postEphemeral(ctx context.Context, i *interaction, m message) (got wireMessage, err error) {
	if got.ID = a.ephemerals.find(i.ID, m.Content); got.ID != "" {
		return got, nil
	}
	m.Flags |= flagEphemeral
	err = a.call(ctx, http.MethodPost, i.path(), m, &got)
	var later *platform.RetryError
	if err == nil || errors.Is(err, platform.ErrUndeliverable) || errors.As(err, &later) {
		if err == nil && isID(got.ID) {
			a.ephemerals.markKnown(i.ID, got.ID)
		}
		return got, err
	}
	for n := 0; n < echoLooks && kit.Pause(ctx, echoPause) == nil; n++ {
		if got.ID = a.ephemerals.find(i.ID, m.Content); got.ID != "" {
			return got, nil
		}
	}
	return got, err
}
