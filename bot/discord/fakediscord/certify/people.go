package main

import (
	"context"
	"fmt"
	"time"

	"threadkeeper/bot/discord/fakediscord"
)

// people are those on the other side of the fake.
type people struct {
	s                   *fakediscord.Server
	guild, channel, ada string
	last                *fakediscord.Interaction
}

func newPeople() *people {
	s := fakediscord.New(fakediscord.Options{RespondWithin: time.Minute}) // a busy machine is not what is judged
	p := &people{s: s, guild: s.AddGuild("Workshop"), ada: s.AddUser("Ada").ID}
	s.AddMember(p.guild, p.ada)
	p.channel = s.AddChannel(p.guild, fakediscord.Channel{Name: "general"})
	return p
}

// wish is one line of client.mjs.
type wish struct {
	Do      string `json:"do"`
	Text    string `json:"text"`
	Channel string `json:"channel"` // "" for the first one, "dm"
	ID      string `json:"id"`
	Option  string `json:"option"`
	Value   string `json:"value"`
	File    string `json:"file"`
}

func (w wish) file() fakediscord.File {
	return fakediscord.File{Name: w.File, Data: []byte("content of " + w.File)}
}

func (p *people) do(ctx context.Context, w wish) (reply map[string]any, err error) {
	use := fakediscord.Use{User: p.ada, Channel: p.channel, Command: w.Text, Options: map[string]string{w.Option: w.Value}, Focused: w.Option}
	switch w.Do {
	case "say":
		p.say(w)
	case "edit":
		p.s.Edit(p.channel, w.ID, w.Text)
	case "purge":
		var ids []string
		for _, m := range p.s.Messages(p.channel, "") {
			ids = append(ids, m.ID)
		}
		p.s.Delete(p.channel, ids...)
	case "archive":
		p.s.SetThread(w.ID, true, false)
	case "suggest":
		return p.suggest(ctx, use)
	case "command":
		if w.File != "" {
			use.Options, use.Files = nil, map[string]fakediscord.File{w.Option: w.file()}
		}
		p.last, err = p.s.Command(use)
	case "click":
		err = p.click(w)
	case "submit":
		p.last, err = p.last.Submit(map[string]string{w.Option: w.Value})
	case "read":
		var seen []string
		for _, m := range p.s.Messages(p.channel, p.ada) {
			seen = append(seen, m.Content)
		}
		return map[string]any{"seen": seen}, nil
	case "cut":
		p.s.Cut()
		p.say(w)
	case "reconnect":
		p.s.Reconnect()
	case "limit":
		p.s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages", Status: 429, RetryAfter: 300 * time.Millisecond})
	case "end":
	default:
		err = fmt.Errorf("nobody knows how to %s", w.Do)
	}
	return map[string]any{}, err
}

func (p *people) say(w wish) {
	d := fakediscord.Said{User: p.ada, Channel: w.Channel, Text: w.Text}
	switch w.Channel {
	case "":
		d.Channel = p.channel
	case "dm":
		d.Channel = p.s.DM(p.ada)
	}
	if w.File != "" {
		d.Files = []fakediscord.File{w.file()}
	}
	p.s.Say(d)
}

func (p *people) suggest(ctx context.Context, use fakediscord.Use) (map[string]any, error) {
	choices, err := p.s.Suggest(ctx, use)
	var names []string
	for _, c := range choices {
		names = append(names, c.Name)
	}
	return map[string]any{"choices": names}, err
}

func (p *people) click(w wish) (err error) {
	var values []string
	if w.Value != "" {
		values = []string{w.Value}
	}
	for _, m := range p.s.Messages(p.channel, p.ada) {
		if m.ID == w.ID {
			p.last, err = p.s.Click(p.ada, p.channel, m.Message, w.Text, values...)
			return err
		}
	}
	return fmt.Errorf("no message %s", w.ID)
}
