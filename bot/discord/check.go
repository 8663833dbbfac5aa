package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Limits on the check of a bot that is in many places.
const (
	maxGuilds   = 20
	maxChannels = 200 // of one guild
	maxNamed    = 5   // channels named for one missing permission
)

// Flags of an application: it may read message content
// (https://discord.com/developers/docs/resources/application#application-object-application-flags).
const (
	messageContent        = 1 << 18
	messageContentLimited = 1 << 19
)

// Who returns our name.
func (a *Adapter) Who(ctx context.Context) (string, error) {
	var me wireUser
	if err := a.call(ctx, http.MethodGet, "/users/@me", nil, &me); err != nil {
		return "", fmt.Errorf("discord: ask who we are: %w", err)
	}
	return "as @" + me.Username, nil
}

// Check tests the set-up, and reports each result: what was found, or
// an error that says what will not work.
func (a *Adapter) Check(ctx context.Context, report func(name, found string, err error)) {
	var me wireUser
	if err := a.call(ctx, http.MethodGet, "/users/@me", nil, &me); err != nil {
		report("Discord", "", notReached(err))
		return
	}
	report("Discord", fmt.Sprintf("as @%s", me.Username), nil)
	found, err := a.checkIntents(ctx)
	report("Discord intents", found, err)
	found, err = a.checkSessions(ctx)
	report("Discord session", found, err)
	a.checkGuilds(ctx, me.ID, report)
}

// notReached says what to do if Discord does not say who we are.
func notReached(err error) error {
	var e *apiError
	switch {
	case errors.As(err, &e) && e.Status == http.StatusUnauthorized:
		return fmt.Errorf("%w\nDISCORD_TOKEN is wrong, so nothing will work: on the app's page \"Bot\" press \"Reset Token\" and copy the new one", err)
	case errors.As(err, &e):
		return fmt.Errorf("%w\nDiscord returned an error: try again later, and check DISCORD_API_URL if it is set", err)
	}
	return fmt.Errorf("%w\nDiscord cannot be reached: check the network, and DISCORD_API_URL if it is set", err)
}

func (a *Adapter) checkIntents(ctx context.Context) (string, error) {
	var app struct {
		Flags  uint64
		Public bool `json:"bot_public"`
	}
	if err := a.call(ctx, http.MethodGet, "/applications/@me", nil, &app); err != nil {
		return "", err
	}
	if app.Flags&(messageContent|messageContentLimited) == 0 {
		return "", fmt.Errorf("%s is off. %s", privileged, Intents())
	}
	if app.Public {
		return privileged + " is on; so is Public Bot: anyone can add the bot to their own server (turn it off on the app's page \"Bot\", or set ALLOW)", nil
	}
	return privileged + " is on", nil
}

// checkSessions looks at how often the bot may still connect
// (https://discord.com/developers/docs/topics/gateway#session-start-limit-object).
func (a *Adapter) checkSessions(ctx context.Context) (string, error) {
	var g struct {
		Shards int
		Limit  struct {
			Total, Remaining int
			ResetAfter       int64 `json:"reset_after"` // milliseconds
		} `json:"session_start_limit"`
	}
	if err := a.call(ctx, http.MethodGet, "/gateway/bot", nil, &g); err != nil {
		return "", err
	}
	if g.Limit.Remaining <= 0 {
		return "", fmt.Errorf("none of %d session starts are left: the bot cannot connect for %s", g.Limit.Total, (time.Duration(g.Limit.ResetAfter) * time.Millisecond).Round(time.Minute))
	}
	return fmt.Sprintf("%d of %d session starts left, %d shard recommended, %d set", g.Limit.Remaining, g.Limit.Total, g.Shards, max(1, a.Shards)), nil
}

type joined struct{ ID, Name string }

// checkGuilds looks at the permissions in the channels of every server, up to maxGuilds.
func (a *Adapter) checkGuilds(ctx context.Context, me string, report func(name, found string, err error)) {
	var guilds []joined
	if err := a.call(ctx, http.MethodGet, fmt.Sprintf("/users/@me/guilds?limit=%d", maxGuilds), nil, &guilds); err != nil {
		report("Discord servers", "", err)
		return
	}
	if len(guilds) == 0 {
		report("Discord servers", "", errors.New("the bot is not on any server: open the link that threadkeeper manifest discord prints"))
		return
	}
	for _, g := range guilds {
		found, err := a.checkGuild(ctx, me, g)
		report("Discord server", found, err)
	}
}

// checkGuild names the channels of a server where a permission is missing, and what
// that costs. Channels that the bot does not see are counted only: most are not for it.
func (a *Adapter) checkGuild(ctx context.Context, me string, g joined) (string, error) {
	at := "/guilds/" + url.PathEscape(g.ID)
	var roles []wireRole
	var self wireMember
	var channels []wireChannel
	err := errors.Join(
		a.call(ctx, http.MethodGet, at+"/roles", nil, &roles),
		a.call(ctx, http.MethodGet, at+"/members/"+url.PathEscape(me), nil, &self),
		a.call(ctx, http.MethodGet, at+"/channels", nil, &channels))
	if err != nil {
		return "", fmt.Errorf("%s: %w", g.Name, err)
	}
	everywhere := granted(g.ID, self.Roles, roles)
	seen, hidden, missing := 0, 0, make([][]string, len(permissions))
	for _, c := range channels {
		if !talks(c) || seen+hidden == maxChannels {
			continue
		}
		may := allowed(c, everywhere, g.ID, me, self.Roles)
		if may&c.toRead() != c.toRead() {
			hidden++
			continue
		}
		seen++
		for i, p := range permissions {
			if may&p.Bit == 0 && p.matters(c) {
				missing[i] = append(missing[i], "#"+c.Name)
			}
		}
	}
	found := fmt.Sprintf("%s: sees %d of %d channels", g.Name, seen, seen+hidden)
	var problems []string
	if self.Timeout.After(a.limits.clock()) && everywhere&administrator == 0 {
		problems = append(problems, fmt.Sprintf("the bot is timed out until %s: it reads but cannot answer", self.Timeout.UTC().Format("2006-01-02 15:04 UTC")))
	}
	for i, where := range missing {
		if n := len(where); n > maxNamed {
			where = append(where[:maxNamed:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
		}
		if len(where) > 0 {
			problems = append(problems, fmt.Sprintf("%s is missing in %s: %s", permissions[i].Name, strings.Join(where, ", "), permissions[i].Costs))
		}
	}
	if seen == 0 {
		problems = append(problems, permissions[0].Name+" is missing everywhere: only direct messages will be heard")
	}
	if len(problems) > 0 {
		return "", errors.New(found + "\n" + strings.Join(problems, "\n"))
	}
	return found, nil
}
