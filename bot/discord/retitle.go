package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Retitle takes the name of a thread that we opened away if the message it began on says something else by now. Discord shows a
// new name in a message that nobody can delete, so none is made of words that may be erased later. Discord allows two new names
// in ten minutes: a third is a *platform.RetryError.
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
	if now.Name == untitled || respelt(now.Name, cmp.Or(name, untitled)) {
		return nil
	}
	body := struct {
		Name string `json:"name"`
	}{untitled}
	return a.awake(ctx, spot{channel: key.Thread}, func() error { return a.call(ctx, http.MethodPatch, "/channels/"+key.Thread, body, nil) })
}

// respelt reports whether two names differ at most by a mistyped letter in each longer word.
func respelt(x, y string) bool {
	return slices.EqualFunc(strings.Fields(strings.ToLower(x)), strings.Fields(strings.ToLower(y)), func(v, w string) bool {
		return v == w || utf8.RuneCountInString(w) > 4 && !strings.ContainsFunc(v+w, unicode.IsDigit) && reading.Mistypings(v, w) == 1
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
