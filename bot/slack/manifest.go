package slack

import (
	_ "embed"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// need is a scope or an event subscription, and what does not work without it.
type need struct {
	Name  string
	Costs string
}

// scopes are what the bot token must be granted.
var scopes = []need{
	{"app_mentions:read", "it does not see mentions in channels"},
	{"assistant:write", "no status line, titles or suggested prompts"},
	{"channels:history", "no follow-ups or earlier messages in public channels"},
	{"channels:read", "it cannot tell public channels from private ones"},
	{"chat:write", "it cannot answer anything"},
	{"commands", "no /memory, /docs or shortcuts"},
	{"files:read", "it cannot read files"},
	{"files:write", "no page pictures or exports"},
	{"groups:history", "no follow-ups or earlier messages in private channels"},
	{"groups:read", "it cannot look up private channels"},
	{"im:history", "it does not see direct messages"},
	{"im:write", "it cannot send a file to one person"},
	{"mpim:history", "it does not see group direct messages"},
	{"mpim:read", "it cannot look up group direct messages"},
	{"users:read", "no names or time zones, and nothing is recalled across channels, for guests cannot be recognised"},
}

// events are what the app must be subscribed to.
var events = []need{
	{"agent_session_stopped", "Slack's own stop button does not stop an answer"},
	{"agent_session_title_changed", "a title that somebody gives a conversation is replaced when its first message is erased"},
	{"app_home_opened", "the Home tab stays empty"},
	{"app_mention", "it does not see mentions in channels"},
	{"app_uninstalled", "it notices late that the app was uninstalled"},
	{"channel_archive", "it does not check who can read a channel after it is archived"},
	{"channel_deleted", "messages of a deleted public channel are kept"},
	{"channel_id_changed", "a private channel starts over when it is shared with another workspace"},
	{"channel_left", "after the bot is removed from a public channel, its messages stay open to others for a while"},
	{"channel_shared", "it notices a shared channel only at the other workspace's first message"},
	{"channel_unarchive", "it does not check who can read a channel after it is unarchived"},
	{"channel_unshared", "it notices late that a channel is no longer shared"},
	{"file_deleted", "documents are kept after their file is deleted"},
	{"file_unshared", "documents are kept after their file is removed from a channel"},
	{"group_archive", "it does not check who can read a private channel after it is archived"},
	{"group_deleted", "messages of a deleted private channel are kept"},
	{"group_left", "it notices late that it was removed from a private channel"},
	{"group_unarchive", "it does not check who can read a private channel after it is unarchived"},
	{"member_joined_channel", "no welcome message in channels"},
	{"member_left_channel", "the Home tab of somebody who left a private channel shows it until they open the tab again"},
	{"message.channels", "no follow-ups, edits or deletions in public channels"},
	{"message.groups", "no follow-ups, edits or deletions in private channels"},
	{"message.im", "it does not see direct messages"},
	{"message.mpim", "it does not see group direct messages"},
	{"tokens_revoked", "it notices late that a token was revoked"},
}

// families describe the slash commands: the first words of the registry's commands
// that have two.
var families = say.Families["en"]

type shortcut struct{ ID, Name, About string }

var shortcuts = []shortcut{
	{askMessage, "Ask about this message", "Ask me about this message; everyone there sees the answer"},
	{checkMessage, "Check this", "Check this message against the documents here"},
	{threadMemory, "Memory of this thread", "What I remember of this message's thread"},
}

// ManifestOptions describe the app.
type ManifestOptions struct {
	Name string // at most 35 characters
	URL  string // where Slack's HTTP requests reach us; "" for Socket Mode
}

//go:embed manifest.yaml.tmpl
var manifestText string

var manifestTemplate = template.Must(template.New("manifest").Funcs(template.FuncMap{"q": quoteYAML}).Parse(manifestText))

// Manifest returns the manifest, in YAML, of an app with everything the adapter
// needs for these commands (https://docs.slack.dev/reference/app-manifest).
func Manifest(o ManifestOptions, commands []platform.Command) (string, error) {
	name := strings.TrimSpace(o.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > 35 || strings.ContainsFunc(name, unicode.IsControl) {
		return "", fmt.Errorf("slack: manifest: the name %q has not 1 to 35 characters", o.Name)
	}
	if o.URL != "" {
		if u, err := url.Parse(o.URL); err != nil || u.Scheme != "https" || u.Host == "" {
			return "", fmt.Errorf("slack: manifest: %q is not an address like https://bot.example.com/slack: Slack wants https", o.URL)
		}
	}
	var b strings.Builder
	err := manifestTemplate.Execute(&b, map[string]any{
		"Name": name, "URL": o.URL,
		"Commands": slashCommands(commands), "Shortcuts": shortcuts,
		"Scopes": scopes, "Events": events,
	})
	if err != nil {
		return "", fmt.Errorf("slack: manifest: %w", err) // unreachable: the template is well formed
	}
	return b.String(), nil
}

type slashCommand struct{ Name, About, Hint string }

// slashCommands are the families among the commands, with the second words as hint, and those that stand for a
// message.
func slashCommands(commands []platform.Command) []slashCommand {
	var all []slashCommand
	for _, c := range commands {
		family, word, ok := strings.Cut(c.Name, " ")
		if !ok {
			continue
		}
		i := slices.IndexFunc(all, func(s slashCommand) bool { return s.Name == "/"+family })
		if i < 0 {
			all = append(all, slashCommand{Name: "/" + family, About: families[family], Hint: word})
			continue
		}
		all[i].Hint += " | " + word
	}
	for _, c := range say.Asking("en") {
		all = append(all, slashCommand{Name: "/" + c.Name, About: c.Summary, Hint: c.Options[0].Summary})
	}
	return all
}

// quoteYAML is a string as a YAML scalar: every JSON string is one (YAML 1.2, 10.2).
func quoteYAML(s string) string { return fmt.Sprintf("%q", s) }
