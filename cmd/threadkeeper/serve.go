package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/access"
	"threadkeeper/bot/discord"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// serveCmd is there in Slack and Discord.
type serveCmd struct{}

// Run runs every platform whose tokens are set until a signal comes or the last of
// them has ended for good.
func (serveCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	if err := cfg.Slack(); err != nil {
		return usageError("these settings are wrong:\n" + err.Error())
	}
	if cfg.SlackBotToken == "" && cfg.DiscordToken == "" {
		return usageError("no platform is set. For Slack set SLACK_BOT_TOKEN and SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET), for Discord DISCORD_TOKEN;\n" +
			"threadkeeper init --for slack and threadkeeper init --for discord show how to get them and set them. threadkeeper chat needs no token")
	}
	p, err := open(ctx, sys, cfg, memory.For("serve"), memory.Shared())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()

	b := newBot(p, cfg)
	if b.Access, err = parseAccess(cfg); err != nil {
		return err
	}
	if b.Report, err = weekly(p.store, cfg.ReportTo); err != nil {
		return err
	}
	var ended atomic.Int32
	stops := make(map[platform.Platform]context.CancelFunc)
	var introduced sync.WaitGroup
	defer introduced.Wait()
	for _, platform := range platforms(cfg, p.log) {
		release, err := p.store.Hold(titles[platform.Name()])
		if err != nil {
			return fmt.Errorf("%w\nOne process is enough: stop the other one first", err)
		}
		defer release()
		b.Platforms = append(b.Platforms, platform)
		introducing, stop := context.WithCancel(ctx)
		defer stop()
		stops[platform] = stop
		introduced.Go(func() { introduce(introducing, sys, platform) })
	}
	b.Ended = func(platform platform.Platform, err error) {
		ended.Add(1)
		stops[platform]()
		if err == nil {
			notify(sys, titles[platform.Name()]+" ended; the log says why")
			return
		}
		notify(sys, fmt.Sprintf("%s stopped for good: %v", titles[platform.Name()], err))
	}
	if cfg.Model == "" {
		notify(sys, notes(cfg)[0])
	}
	err = b.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return nil // it was asked to end, and did
	case int(ended.Load()) == len(b.Platforms):
		return errors.New("no platform is left")
	}
	return err
}

// newBot is the bot of serve, without platforms.
func newBot(p *parts, cfg *config.Config) *bot.Bot {
	b := p.bot(cfg)
	b.Announce, b.Follow, b.Reply, b.Models = true, hearing.Follow(cfg.Follow), bot.Reply(cfg.Reply), p.chain.Names()
	b.PerMinute, b.AtOnce, b.MaxWaiting = cfg.MessagesPerMinute, cfg.TurnsPerPerson, cfg.QueuePerPerson
	b.ExternalDocuments, b.GoneGrace = cfg.ExternalDocuments, cfg.GoneGrace
	return b
}

// parseAccess reads who may use the assistant and where.
func parseAccess(cfg *config.Config) (l access.Lists, err error) {
	if l.Allow, err = access.ParseList(cfg.Allow); err != nil {
		return l, usageError("ALLOW: " + err.Error())
	}
	if l.Deny, err = access.ParseList(cfg.Deny); err != nil {
		return l, usageError("DENY: " + err.Error())
	}
	return l, nil
}

// notify tells the person who started the program something, whatever the log's level is.
func notify(sys system, text string) { fmt.Fprintln(sys.Err, "threadkeeper:", text) }

// namedPlatform is a platform that can say who we are on it.
type namedPlatform interface {
	platform.Platform
	// Who is the workspace and the name we have there; it asks the platform.
	Who(ctx context.Context) (string, error)
}

// titles are the platforms' names for people.
var titles = map[string]string{"slack": "Slack", "discord": "Discord"}

// introduce says who we are on the platform, as soon as it can be reached.
func introduce(ctx context.Context, sys system, p namedPlatform) {
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		who, err := p.Who(ctx)
		if err == nil {
			notify(sys, titles[p.Name()]+": "+who)
			return
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// platforms are those whose tokens are set.
func platforms(cfg *config.Config, log *slog.Logger) []namedPlatform {
	var all []namedPlatform
	if cfg.SlackBotToken != "" {
		all = append(all, newSlack(cfg, log))
	}
	if cfg.DiscordToken != "" {
		all = append(all, newDiscord(cfg, log))
	}
	return all
}

func newSlack(cfg *config.Config, log *slog.Logger) *slack.Adapter {
	return slack.New(slack.Options{BotToken: string(cfg.SlackBotToken), AppToken: string(cfg.SlackAppToken), SigningSecret: string(cfg.SlackSigningSecret),
		APIURL: cfg.SlackAPIURL, Listen: cfg.SlackListen, AgentView: cfg.SlackAgentView, Log: log})
}

func newDiscord(cfg *config.Config, log *slog.Logger) *discord.Adapter {
	return discord.New(discord.Options{Token: string(cfg.DiscordToken), APIURL: cfg.DiscordAPIURL,
		Shard: cfg.DiscordShard, Shards: cfg.DiscordShards, Log: log})
}
