package discord

import (
	"context"
	"fmt"

	"threadkeeper/memory"
)

// identity is who we are according to READY, and before it GET /users/@me and
// /applications/@me.
type identity struct {
	User        string
	Application string
	Name        string // as people see it where a server gave us no other
}

func (a *Adapter) setIdentity(me identity) {
	if !isID(me.User) || !isID(me.Application) {
		return
	}
	a.who.Lock()
	defer a.who.Unlock()
	a.me = me
}

func (a *Adapter) us() string {
	a.who.Lock()
	defer a.who.Unlock()
	return a.me.User
}

// identify asks Discord who we are, unless we know; a failure is asked again the
// next time.
func (a *Adapter) identify(ctx context.Context) (identity, error) {
	a.who.Lock()
	defer a.who.Unlock()
	if a.me.User != "" {
		return a.me, nil
	}
	var user wireUser
	var application struct {
		ID string `json:"id"`
	}
	if err := a.call(ctx, "GET", "/users/@me", nil, &user); err != nil {
		return identity{}, fmt.Errorf("discord: ask who we are: %w", err)
	}
	if err := a.call(ctx, "GET", "/applications/@me", nil, &application); err != nil {
		return identity{}, fmt.Errorf("discord: ask which application we are: %w", err)
	}
	a.me = identity{User: user.ID, Application: application.ID, Name: called(user, nil)}
	return a.me, nil
}

// OwnNames returns our name and our nickname in the server.
func (a *Adapter) OwnNames(ctx context.Context, key memory.Key) []string {
	me, err := a.identify(ctx)
	if err != nil || me.Name == "" {
		return nil
	}
	names := []string{me.Name}
	if m, ok := a.people.get(key.Workspace, me.User); ok && m.Nick != "" {
		names = append(names, m.Nick)
	}
	return names
}
