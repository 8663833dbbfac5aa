package discord

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

// command is an application command
// (discord.com/developers/docs/interactions/application-commands).
type command struct {
	Name         string            `json:"name"`
	Names        map[string]string `json:"name_localizations,omitempty"` // by locale
	Description  string            `json:"description,omitempty"`
	Localized    map[string]string `json:"description_localizations,omitempty"` // by locale
	Type         int               `json:"type"`
	Options      []option          `json:"options,omitempty"`
	Integrations []int             `json:"integration_types"`
	Contexts     []int             `json:"contexts"`
	Permissions  string            `json:"default_member_permissions,omitempty"` // who sees it in Discord, until a server's administrator changes that; "" for everybody
}

type option struct {
	Type         int               `json:"type"`
	Name         string            `json:"name"`
	Names        map[string]string `json:"name_localizations,omitempty"` // by locale
	Description  string            `json:"description"`
	Localized    map[string]string `json:"description_localizations,omitempty"`
	Required     bool              `json:"required,omitempty"`
	Autocomplete bool              `json:"autocomplete,omitempty"`
	Choices      []choice          `json:"choices,omitempty"`
	Options      []option          `json:"options,omitempty"`
}

const (
	commandTyped     = 1
	commandOnMessage = 3 // in a message's menu
	inGuilds         = 0 // installed to, and used in, guilds
	inBotDMs         = 1
)

// registration is how the registry looks on Discord: the commands that stand for a message, the entries of a
// message's menu, a command for each name of
// one word, and for each first word of two a command with the second words under it.
func registration(registry []platform.Command) []command {
	var all []command
	for _, c := range say.Asking("en") {
		all = append(all, newCommand(c.Name, c.Summary, options(c)))
	}
	all[0].Options = append(all[0].Options, option{Type: optionAttachment, Name: askFile, Description: say.AsksIn["en"].File})
	for _, name := range []string{askAbout, checkThis, memoryOf} {
		c := newCommand(name, "", nil)
		c.Type = commandOnMessage
		all = append(all, c)
	}
	at := make(map[string]int)
	for _, c := range registry {
		family, sub, two := strings.Cut(c.Name, " ")
		if !two {
			one := newCommand(c.Name, c.Summary, options(c))
			if c.Direct {
				one.Contexts = []int{inBotDMs}
			}
			all = append(all, one)
			continue
		}
		i, ok := at[family]
		if !ok {
			i = len(all)
			at[family] = i
			all = append(all, newCommand(family, say.Families["en"][family], nil))
			if family == "settings" {
				all[i].Permissions = strconv.Itoa(manageGuild)
			}
		}
		all[i].Options = append(all[i].Options, option{Type: optionSubcommand, Name: sub, Description: c.Summary, Options: options(c)})
	}
	localize(all)
	return all
}

func newCommand(name, summary string, o []option) command {
	return command{Name: name, Description: summary, Type: commandTyped, Options: o,
		Integrations: []int{inGuilds}, Contexts: []int{inGuilds, inBotDMs}}
}

func options(c platform.Command) []option {
	var all []option
	for _, o := range c.Options {
		with := option{Type: optionString, Name: o.Name, Description: o.Summary, Required: o.Required, Autocomplete: o.Suggest}
		for _, v := range o.Values {
			with.Choices, with.Autocomplete = append(with.Choices, choice{Name: v, Value: v}), false
		}
		if o.Number {
			with.Type = optionInteger
		}
		all = append(all, with)
	}
	return all
}

const maxRegister = time.Minute // between two attempts

// register makes Discord's list of our commands that of the registry, in one
// request, unless it is so already. It tries until it has succeeded.
func (a *Adapter) register(ctx context.Context, registry []platform.Command) {
	defer a.caught("register commands")
	for wait := a.timing.retry; ; wait = min(2*wait, maxRegister) {
		err := a.registerOnce(ctx, registration(registry))
		if err == nil || ctx.Err() != nil {
			return
		}
		a.Log.Warn("could not register commands", "error", err)
		var later *platform.RetryError
		switch {
		case errors.Is(err, platform.ErrUndeliverable):
			return
		case errors.As(err, &later):
			wait = max(wait, later.After)
		}
		if kit.Pause(ctx, wait) != nil {
			return
		}
	}
}

func (a *Adapter) registerOnce(ctx context.Context, want []command) error {
	me, err := a.identify(ctx)
	if err != nil {
		return err
	}
	path := "/applications/" + me.Application + "/commands"
	var have []command
	err = a.call(ctx, "GET", path+"?with_localizations=true", nil, &have)
	switch {
	case err != nil && !errors.Is(err, platform.ErrUndeliverable): // a proxy may let us write the list and not read it
		return err
	case err == nil && same(have, want):
		return nil
	}
	if err := a.call(ctx, "PUT", path, want, nil); err != nil {
		return err
	}
	a.Log.Info("commands registered", "commands", len(want))
	return nil
}

// same reports whether two lists hold the same commands in any order. No options and an
// empty list of them are the same.
func same(have, want []command) bool {
	if len(have) != len(want) {
		return false
	}
	named := make(map[string]string, len(have))
	for _, c := range have {
		named[c.Name] = c.wire()
	}
	for _, c := range want {
		if named[c.Name] != c.wire() {
			return false
		}
	}
	return true
}

func (c command) wire() string {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}
