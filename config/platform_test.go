package config

import (
	"strings"
	"testing"
)

// load reads settings from an environment.
func load(t *testing.T, environ ...string) (*Config, error) {
	t.Helper()
	return Load(Sources{Dir: t.TempDir(), Environ: append(environ, "HOME=/h")})
}

func TestPlatformSettings(t *testing.T) {
	c, err := load(t, "SLACK_BOT_TOKEN=xoxb-1", "SLACK_SIGNING_SECRET=s", "SLACK_API_URL=https://slack-gov.com/api", "SLACK_AGENT_VIEW=False",
		"DISCORD_TOKEN=Bot abc.def.ghi", "DISCORD_API_URL=http://127.0.0.1:9/", "DISCORD_SHARD=1", "DISCORD_SHARDS=2", "FOLLOW=Always", "REPLY=channel", "EXTERNAL_DOCUMENTS=1")
	if err != nil {
		t.Fatal(err)
	}
	if c.SlackListen != ":3000" || c.SlackAPIURL != "https://slack-gov.com/api/" || c.SlackAgentView {
		t.Errorf("Slack: %+v", *c)
	}
	if c.DiscordToken != "abc.def.ghi" || c.DiscordAPIURL != "http://127.0.0.1:9" || c.DiscordShard != 1 || c.DiscordShards != 2 {
		t.Errorf("Discord: %q %+v", string(c.DiscordToken), *c)
	}
	if c.Follow != "always" || c.Reply != "channel" || !c.ExternalDocuments {
		t.Errorf("policies: %+v", *c)
	}
	if c, err = load(t, "SLACK_BOT_TOKEN=xoxb-1", "SLACK_APP_TOKEN=xapp-1", "SLACK_SIGNING_SECRET=s"); err != nil || c.SlackListen != "" {
		t.Errorf("Socket Mode listens on %q, %v", c.SlackListen, err)
	}
}

func TestWrongPlatformSettings(t *testing.T) {
	for _, c := range []struct {
		want    string
		environ []string
	}{
		{"starts with xoxb-", []string{"SLACK_BOT_TOKEN=xoxp-1", "SLACK_APP_TOKEN=xapp-1"}},
		{"starts with xapp-", []string{"SLACK_BOT_TOKEN=xoxb-1", "SLACK_APP_TOKEN=xoxb-2"}},
		{"HTTP events need SLACK_SIGNING_SECRET", []string{"SLACK_BOT_TOKEN=xoxb-1", "SLACK_APP_TOKEN=xapp-1", "SLACK_LISTEN=:3000"}},
		{"HTTP events need SLACK_SIGNING_SECRET", []string{"SLACK_LISTEN=:3000"}},
		{"is not an address", []string{"SLACK_BOT_TOKEN=xoxb-1", "SLACK_SIGNING_SECRET=s", "SLACK_LISTEN=3000"}},
		{"contains no spaces", []string{"DISCORD_TOKEN=Bearer abc"}},
		{"DISCORD_SHARD (environment): there is no shard 2 of 2", []string{"DISCORD_SHARD=2", "DISCORD_SHARDS=2"}},
		{"DISCORD_SHARDS (environment): 0 is less than 1", []string{"DISCORD_SHARDS=0"}},
		{"FOLLOW (environment)", []string{"FOLLOW=sometimes"}},
		{`"perhaps" is not true or false`, []string{"EXTERNAL_DOCUMENTS=perhaps"}},
		{"SLACK_API_URL", []string{"SLACK_API_URL=slack.com"}},
	} {
		_, err := load(t, c.environ...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: no %q in %v", c.environ, c.want, err)
		}
		if err != nil && (strings.Contains(err.Error(), "xoxb-2") || strings.Contains(err.Error(), "xoxp-1")) {
			t.Errorf("a token is shown: %v", err)
		}
	}
}

// TestHalfOfSlack: who sets up an app has one token before the other.
func TestHalfOfSlack(t *testing.T) {
	for want, environ := range map[string][]string{
		"also set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET": {"SLACK_BOT_TOKEN=xoxb-1"},
		"SLACK_BOT_TOKEN: not set":                                       {"SLACK_APP_TOKEN=xapp-1"},
		"SLACK_BOT_TOKEN: not set, but Slack":                            {"SLACK_SIGNING_SECRET=s"},
	} {
		c, err := load(t, environ...)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Slack(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q in %v", environ, want, err)
		}
	}
	for _, environ := range [][]string{nil, {"SLACK_BOT_TOKEN=xoxb-1", "SLACK_APP_TOKEN=xapp-1"}, {"SLACK_BOT_TOKEN=xoxb-1", "SLACK_SIGNING_SECRET=s"}} {
		if c, err := load(t, environ...); err != nil || c.Slack() != nil {
			t.Errorf("%v: %v, %v", environ, err, c.Slack())
		}
	}
}
