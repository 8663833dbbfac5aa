package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// eraseCmd erases all that is kept of a place.
type eraseCmd struct {
	Workspace string `required:"" placeholder:"ID" help:"Workspace or server to erase: T… for Slack, a number for Discord, @me for Discord's direct messages."`
	Channel   string `placeholder:"ID" help:"Only this channel, with all its threads."`
	Yes       bool   `help:"Do not ask."`
}

// Run needs the database alone: a running program may be answering from the messages to erase.
func (c *eraseCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	store, err := openStore(ctx, sys, cfg, memory.For("erase"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	p, held, err := c.find(ctx, store)
	if err != nil {
		return err
	}
	name := p.Platform + " " + p.Workspace
	if c.Channel != "" {
		name += ", channel " + c.Channel
	}
	fmt.Fprintf(sys.Out, "%s: %s, %s, %s, %s.\nAll of it is erased from the database, with summaries, facts, settings and the people known only from there. "+
		"It cannot be undone. What was posted stays on the platform, and copies of the database keep what they have.\n", name,
		say.Counted(held.Channels, "channel"), say.Counted(held.Conversations, "conversation"), say.Counted(held.Messages, "message"), say.Counted(held.Documents, "document"))
	if !c.Yes {
		if !sys.InTerminal || !sys.OutTerminal {
			return usageError("nothing was erased: there is nobody to ask; --yes erases without asking")
		}
		fmt.Fprint(sys.Out, "Erase it? [y/N] ")
		answer, _ := bufio.NewReader(sys.In).ReadString('\n')
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			fmt.Fprintln(sys.Out, "Nothing was erased.")
			return nil
		}
	}
	sessions, err := store.ErasePlace(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(sys.Out, "Erased %s: %s.\n", name, say.Counted(len(sessions), "conversation"))
	return nil
}

// find is the place that is meant, and how much is kept of it. No workspace of Slack has the id of one of Discord.
func (c *eraseCmd) find(ctx context.Context, store *memory.Store) (p memory.Key, held memory.PlaceCounts, err error) {
	var known []string
	for _, platform := range slices.Sorted(maps.Keys(titles)) {
		all, err := store.Workspaces(ctx, platform)
		if err != nil {
			return p, held, err
		}
		for _, w := range all {
			known = append(known, platform+" "+w)
		}
		at := memory.Key{Platform: platform, Workspace: c.Workspace, Channel: c.Channel}
		counts, err := store.CountPlace(ctx, at)
		if err != nil {
			return p, held, err
		}
		if counts != (memory.PlaceCounts{}) {
			p, held = at, counts
		}
	}
	switch {
	case held == (memory.PlaceCounts{}) && len(known) == 0:
		return p, held, errors.New("this database holds nothing from Slack or Discord")
	case held == (memory.PlaceCounts{}):
		return p, held, fmt.Errorf("nothing is stored for that place; workspaces in this database: %s", strings.Join(known, ", "))
	}
	return p, held, nil
}
