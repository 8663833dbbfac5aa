package bot

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// forgetTime is how long a yes to an erasure, or a choice from a list, is accepted.
const forgetTime = 15 * time.Minute

const maxForgetList = 10

const unasked = "--yes"

// forgetOffer is the last question or list that a person was shown; it holds no text. It is
// stored in a setting of the person, so that it survives a restart.
type forgetOffer struct {
	Token   string  `json:"token,omitempty"` // of the question's buttons
	Session int64   `json:"session"`         // where it was asked
	All     bool    `json:"all,omitempty"`   // of every conversation there
	UpTo    int64   `json:"up_to,omitempty"` // the last message that was counted
	List    []int64 `json:"list,omitempty"`  // messages shown, by their numbers
	Facts   []int64 `json:"facts,omitempty"` // facts shown that rest on these messages, 0 for none
	Until   int64   `json:"until"`           // milliseconds UTC
	Row     int64   `json:"row,omitempty"`   // the click that answered it: another one is late
}

const (
	forgetQuestion = "forget.question"
	forgetList     = "forget.list"
)

func (c *call) offer(ctx context.Context, name string) (*forgetOffer, error) {
	value, err := c.Bot.Store.Setting(ctx, memory.PersonScope(c.Person.ID), name)
	if err != nil || value == "" {
		return nil, wrap("read an offer", err)
	}
	o := new(forgetOffer)
	return o, wrap("read an offer", json.Unmarshal([]byte(value), o))
}

func (c *call) setOffer(ctx context.Context, name string, o *forgetOffer) error {
	value, err := json.Marshal(o)
	if err == nil {
		err = c.Bot.Store.SetSetting(ctx, memory.PersonScope(c.Person.ID), name, string(value))
	}
	return wrap("store an offer", err)
}

func (c *call) offerEnd() int64 { return c.row.CreatedAt + forgetTime.Milliseconds() }

// memoryForget erases the person's own messages: all of them once they have said yes,
// or one message of a list.
func memoryForget(ctx context.Context, c *call) (platform.Outgoing, error) {
	words := strings.Fields(c.Args[0])
	yes := slices.Contains(words, unasked)
	words = slices.DeleteFunc(words, func(w string) bool { return w == unasked })
	all := len(words) == 1 && strings.EqualFold(words[0], "all")
	overview, err := c.overview(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	scope := memory.ForgetScope{Audience: c.Audience, Session: c.Session.ID, Person: c.Person.ID}
	if all || overview {
		scope.Session = 0
	}
	if len(words) == 1 {
		if n, err := strconv.Atoi(strings.Trim(words[0], "#.")); err == nil {
			return c.forgetNumber(ctx, n)
		}
	}
	switch {
	case len(words) > 0 && !all:
		return c.forgetWords(ctx, scope, strings.Join(words, " "))
	case overview && !all:
		return threads(ctx, c, "memory forget")
	case yes:
		return c.forget(ctx, scope)
	}
	return c.askForget(ctx, scope, all)
}

func (c *call) forget(ctx context.Context, scope memory.ForgetScope) (platform.Outgoing, error) {
	more, err := c.Bot.Store.Forget(ctx, scope)
	if err != nil {
		return platform.Outgoing{}, wrap("forget", err)
	}
	c.Bot.narrowed()
	c.Bot.erasures.ring()
	if more {
		return platform.Outgoing{}, errContinue
	}
	n, err := c.Bot.Store.CountForgotten(ctx, scope, c.row.CreatedAt)
	if err != nil {
		return platform.Outgoing{}, wrap("forget", err)
	}
	if n == 0 {
		return commandText(c.say.NothingToForget)
	}
	return commandText(c.say.Count(c.say.Forgotten, n))
}

func (c *call) askForget(ctx context.Context, scope memory.ForgetScope, all bool) (platform.Outgoing, error) {
	n, err := c.Bot.Store.CountForgettable(ctx, scope)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if n.Messages == 0 {
		return commandText(c.say.NothingToForget)
	}
	o := &forgetOffer{Token: rand.Text()[:16], Session: c.Session.ID, All: all, UpTo: n.Last, Until: c.offerEnd()}
	if err := c.setOffer(ctx, forgetQuestion, o); err != nil {
		return platform.Outgoing{}, err
	}
	forms, command := c.say.Forget, "memory forget "+unasked
	if all {
		forms, command = c.say.ForgetEverywhere, "memory forget all "+unasked
	}
	text := []string{c.say.Count(forms, n.Messages, c.date(n.Since))}
	if n.Files > 0 {
		text = append(text, c.say.Count(c.say.ForgetFiles, n.Files))
	}
	out, err := commandText(strings.Join(append(text, c.say.ForgetMore), " "))
	action := fmt.Sprintf("%s%d:%s:", platform.ForgetPrefix, c.Person.ID, o.Token)
	out.Buttons = []platform.Button{{Label: c.say.Erase, Action: action + "yes"}, {Label: c.say.Keep, Action: action + "no"}}
	out.Confirm = c.typed(command)
	return out, err
}

func (c *call) forgetClicked(ctx context.Context) (platform.Outgoing, error) {
	parts := strings.Split(strings.TrimPrefix(c.Event.Action, platform.ForgetPrefix), ":")
	if len(parts) != 3 {
		return platform.Outgoing{}, nil
	}
	if parts[0] != strconv.FormatInt(c.Person.ID, 10) {
		return c.aside(c.say.NotYours), nil
	}
	o, err := c.offer(ctx, forgetQuestion)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if o == nil || o.Token != parts[1] || o.Row != 0 && o.Row != c.row.ID || c.row.CreatedAt > o.Until {
		return commandText(fmt.Sprintf(c.say.ForgetLate, c.typed("memory forget")))
	}
	if o.Row == 0 {
		o.Row = c.row.ID
		if err := c.setOffer(ctx, forgetQuestion, o); err != nil {
			return platform.Outgoing{}, err
		}
	}
	if parts[2] != "yes" {
		return commandText(c.say.Kept)
	}
	scope := memory.ForgetScope{Session: o.Session, Person: c.Person.ID, UpTo: o.UpTo}
	if scope.Audience, err = c.Bot.audience(ctx, o.Session, c.Person.ID); err != nil {
		return platform.Outgoing{}, err
	}
	if o.All {
		scope.Session = 0
	}
	return c.forget(ctx, scope)
}

func (c *call) forgetWords(ctx context.Context, scope memory.ForgetScope, words string) (platform.Outgoing, error) {
	found, err := c.Bot.Store.SaidWith(ctx, scope, words, maxForgetList)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if len(found) == 0 {
		return commandText(c.say.ForgetNone)
	}
	o := c.newList()
	lines := []string{fmt.Sprintf(c.say.ForgetList, c.typed("memory forget 1")), ""}
	for i, m := range found {
		o.add(m.ID, 0)
		c.shows.Messages = append(c.shows.Messages, m.ID)
		lines = append(lines, fmt.Sprintf("%d. %s: %s", i+1, c.date(m.At), c.quoted(m, 120)))
	}
	if err := c.setOffer(ctx, forgetList, o); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(strings.Join(lines, "\n"))
}

// forgetNumber erases one message of the list that the person was shown here, and all of theirs that say the same fact.
func (c *call) forgetNumber(ctx context.Context, n int) (platform.Outgoing, error) {
	l, err := c.line(ctx, strconv.Itoa(n))
	if err != nil {
		return platform.Outgoing{}, err
	}
	if l.message == 0 {
		return commandText(fmt.Sprintf(c.say.ForgetNoNumber, c.typed("memory forget")))
	}
	said, err := c.Bot.Store.Views.Said(ctx, c.Audience, l.fact, l.message)
	if err != nil {
		return platform.Outgoing{}, wrap("load a fact", err)
	}
	only := []int64{l.message}
	for _, m := range said {
		only = append(only, m.ID)
	}
	return c.forget(ctx, memory.ForgetScope{Audience: c.Audience, Person: c.Person.ID, Only: only})
}

// forgetSpoken matches requests in words to forget something of the person's, in each language
// that we have words in; the object follows.
var forgetSpoken = reading.Lazy(`(?i)^(?:please |bitte |por favor |s'il (?:te|vous) pla[iî]t,? )?(?:` +
	`(?:forget|erase) (?:what i (?:said|told you|wrote) about |that i (?:said|told you|wrote) |my )|` +
	`vergiss,? (?:was ich (?:über|zu) |meine?[nm]? )|` +
	`oublie[z]? (?:ce que j'ai (?:dit|écrit) (?:sur|de) |mon |ma |mes )|` +
	`olvid[ae] (?:lo que (?:dije|escribí) (?:sobre|de) |mis? ))([^,;:]+?)[.!]?$`)
