package config

import (
	"errors"
	"net"
	"strings"
)

// defaultListen is where HTTP events are served: the port of Slack's own samples.
const defaultListen = ":3000"

// platforms checks what the settings of Slack and Discord must be together, and
// brings them into their form.
func (c *Config) platforms() []problem { return append(c.slack(), c.discord()...) }

// slack checks the kinds of tokens by their prefixes
// (https://docs.slack.dev/authentication/tokens).
func (c *Config) slack() []problem {
	var problems []problem
	if c.SlackBotToken != "" && !strings.HasPrefix(string(c.SlackBotToken), "xoxb-") {
		problems = append(problems, wrong("slack_bot_token", `a bot token starts with xoxb- (once the app is installed, its page "OAuth & Permissions" shows it)`))
	}
	if c.SlackAppToken != "" && !strings.HasPrefix(string(c.SlackAppToken), "xapp-") {
		problems = append(problems, wrong("slack_app_token", `an app-level token starts with xapp- (create one on the app's page "Basic Information", with connections:write)`))
	}
	switch {
	case c.SlackAppToken == "" && c.SlackSigningSecret != "" && c.SlackListen == "":
		c.SlackListen = defaultListen
	case c.SlackListen != "" && c.SlackSigningSecret == "":
		problems = append(problems, wrong("slack_listen", "HTTP events need SLACK_SIGNING_SECRET"))
	}
	if _, _, err := net.SplitHostPort(c.SlackListen); c.SlackListen != "" && err != nil {
		problems = append(problems, wrong("slack_listen", "%q is not an address like :3000 or 127.0.0.1:3000", c.SlackListen))
	}
	if c.SlackAPIURL != "" && !strings.HasSuffix(c.SlackAPIURL, "/") {
		c.SlackAPIURL += "/"
	}
	return problems
}

// Slack names the missing token when only some of Slack's tokens are set. It returns nil
// if they are complete or if none is set. Load accepts an incomplete set: during set-up one
// token comes before the other, and the terminal needs neither.
func (c *Config) Slack() error {
	events := c.SlackAppToken != "" || c.SlackSigningSecret != ""
	switch {
	case c.SlackBotToken != "" && !events:
		return errors.New("SLACK_BOT_TOKEN: also set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP events)")
	case c.SlackBotToken == "" && events:
		return errors.New("SLACK_BOT_TOKEN: not set, but Slack needs it")
	}
	return nil
}

func (c *Config) discord() []problem {
	var problems []problem
	token := strings.TrimSpace(strings.TrimPrefix(string(c.DiscordToken), "Bot "))
	if strings.ContainsAny(token, " \t\r\n") {
		problems = append(problems, wrong("discord_token", `a bot token contains no spaces (the app's page "Bot" shows it once, after "Reset Token")`))
	}
	c.DiscordToken = Secret(token)
	if c.DiscordShards > 0 && c.DiscordShard >= c.DiscordShards {
		problems = append(problems, wrong("discord_shard", "there is no shard %d of %d: shards are counted from 0", c.DiscordShard, c.DiscordShards))
	}
	c.DiscordAPIURL = strings.TrimRight(c.DiscordAPIURL, "/")
	return problems
}
