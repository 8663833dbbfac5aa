package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

var _ platform.Titler = (*Adapter)(nil)

// Retitle renames a thread that we opened, after the message it began on. Discord allows two new names in ten
// minutes: a third is a *platform.RetryError.
func (a *Adapter) Retitle(ctx context.Context, key memory.Key, text, untitled string) error {
	if !isID(key.Channel) || !isID(key.Thread) {
		return nil
	}
	me, err := a.identify(ctx)
	if err != nil {
		return err
	}
	var now struct {
		Owner string `json:"owner_id"`
		Name  string `json:"name"`
	}
	err = a.call(ctx, http.MethodGet, "/channels/"+key.Thread, nil, &now)
	switch {
	case errors.Is(err, platform.ErrUndeliverable):
		return nil // there is no such thread
	case err != nil:
		return err
	case now.Owner != me.User:
		return nil
	}
	name := threadName(text, nil)
	var asked wireMessage
	if text != "" && a.call(ctx, http.MethodGet, "/channels/"+key.Channel+"/messages/"+key.Thread, nil, &asked) == nil {
		name = a.titleOf(ctx, key.Channel, asked)
	}
	if cmp.Or(name, untitled) == now.Name {
		return nil
	}
	return setName(name, untitled, func(name string) error {
		body := struct {
			Name string `json:"name"`
		}{name}
		return a.awake(ctx, spot{channel: key.Thread}, func() error { return a.call(ctx, http.MethodPatch, "/channels/"+key.Thread, body, nil) })
	})
}

func (a *Adapter) titleOf(ctx context.Context, channel string, m wireMessage) string {
	s, err := a.sceneOf(ctx, channel)
	if err != nil {
		a.Log.Debug("could not look up a thread's first message", "error", err)
		s.name = a.places.name
	}
	return s.title(m)
}
