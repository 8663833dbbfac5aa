package slack

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// errTooManyLookups is the error of an optional look-up while too many others are under way.
var errTooManyLookups = errors.New("slack: too many look-ups")

// maxName bounds the name of a person, in runes; Slack's own limit is 80
// (https://slack.com/help/articles/216360827).
const maxName = 80

type profile struct {
	platform.Author
	Team string // T…, their workspace
}

// person is who a user is. Without an answer of Slack they are who they were before,
// or a guest, who is shown the least.
func (a *Adapter) person(ctx context.Context, id string, urgent bool) platform.Author {
	if id == "" {
		return platform.Author{}
	}
	who, err := a.people.get(ctx, id, urgent)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, errTooManyLookups) {
			a.Log.Debug("could not look up a person", "user", id, "error", err)
		}
		return platform.Author{ID: id, Kind: memory.Unknown}
	}
	return who.Author
}

// authorOf returns the author of an event, looked up if Slack can say.
func (a *Adapter) authorOf(ctx context.Context, told platform.Author, urgent bool) platform.Author {
	if told.Kind == memory.Bot && !isUser(told.ID) {
		return told
	}
	who := a.person(ctx, told.ID, urgent)
	if told.Kind == memory.Bot && (who.Kind == memory.Unknown || who.Kind == memory.Bot) {
		return told
	}
	return who
}

// isUser reports whether an id is that of a user; a program without one has that of a bot.
func isUser(id string) bool { return strings.HasPrefix(id, "U") || strings.HasPrefix(id, "W") }

// Person looks up a user, as soon as Slack's limits let us ask.
func (a *Adapter) Person(ctx context.Context, _ memory.Key, id string) (platform.Author, error) {
	who, err := a.people.retry(ctx, id)
	return who.Author, err
}

// teamOf is the team of a user, ours if it is not known.
func (a *Adapter) teamOf(ctx context.Context, id, ours string) string {
	who, err := a.people.get(ctx, id, true)
	if err != nil || who.Kind != memory.Guest {
		return ours // or another one of our organisation
	}
	return cmp.Or(who.Team, ours)
}

func (a *Adapter) fetchPerson(ctx context.Context, id string) (profile, error) {
	us, err := a.identify(ctx)
	if err != nil {
		return profile{}, err
	}
	var u *slackapi.User
	err = a.callIdempotent(ctx, "users.info", func(ctx context.Context) (err error) {
		u, err = a.api.GetUserInfoContext(ctx, id)
		return err
	})
	if err != nil {
		return profile{}, err
	}
	return profile{member(id, u, us.Team), u.TeamID}, nil
}

func member(id string, u *slackapi.User, team string) platform.Author {
	who := platform.Author{ID: id, Kind: memory.Human, TimeZone: u.TZ, Locale: u.Locale, Admin: u.IsAdmin || u.IsOwner || u.IsPrimaryOwner}
	who.Name = plainName(cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name))
	switch {
	case u.IsBot || id == "USLACKBOT":
		who.Kind, who.Admin = memory.Bot, false
	case u.IsRestricted, u.IsUltraRestricted, u.IsStranger, foreign(u, team):
		who.Kind, who.Admin = memory.Guest, false
	}
	return who
}

func foreign(u *slackapi.User, team string) bool {
	return u.TeamID != "" && u.TeamID != team && !slices.Contains(u.Enterprise.Teams, team)
}

func plainName(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName])
	}
	return name
}
