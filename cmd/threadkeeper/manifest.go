package main

import (
	"context"
	"fmt"

	"threadkeeper/bot/discord"
	"threadkeeper/bot/say"
	"threadkeeper/bot/slack"
	"threadkeeper/config"
)

// manifestCmd prints what a platform must be told.
type manifestCmd struct {
	Slack   manifestSlackCmd   `cmd:"" help:"Print the manifest of a Slack app, in YAML."`
	Discord manifestDiscordCmd `cmd:"" help:"Print the link that adds the bot to a Discord server."`
}

type manifestSlackCmd struct {
	Name string `default:"Threadkeeper" placeholder:"NAME" help:"Name of the app, at most 35 characters (${default})."`
	HTTP string `name:"http" placeholder:"URL" help:"Use HTTP events instead of Socket Mode: the https address where Slack reaches this program."`
}

func (c *manifestSlackCmd) Run(_ context.Context, sys system, _ *config.Config) error {
	text, err := slack.Manifest(slack.ManifestOptions{Name: c.Name, URL: c.HTTP}, say.Commands("en"))
	if err != nil {
		return usageError(err.Error())
	}
	_, err = fmt.Fprint(sys.Out, text)
	return err
}

type manifestDiscordCmd struct {
	ClientID string `placeholder:"ID" help:"Application id, if DISCORD_TOKEN is not set."`
}

// Run prints only the link on standard output, and the remaining steps on standard error.
func (c *manifestDiscordCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	id := c.ClientID
	if id == "" && cfg.DiscordToken != "" {
		id = newDiscord(cfg, newLog(sys, cfg)).ClientID(ctx)
	}
	if id == "" && cfg.DiscordToken != "" {
		return usageError("the application's id is not known: DISCORD_TOKEN is not a Discord token (copy it again from the app's page \"Bot\"), or give --client-id (the page \"General Information\" shows it)")
	}
	if id == "" {
		return usageError("the application's id is not known: set DISCORD_TOKEN, or give --client-id (the app's page \"General Information\" shows it)")
	}
	link, err := discord.Invite(id)
	if err != nil {
		return usageError(err.Error())
	}
	_, err = fmt.Fprintln(sys.Out, link)
	notify(sys, discord.Intents())
	return err
}
