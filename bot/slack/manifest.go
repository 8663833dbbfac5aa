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
	{"app_mentions:read", "mentions in channels are not heard"},
	{"assistant:write", "no status line, titles and suggested prompts"},
	{"channels:history", "no follow-ups and no earlier messages in public channels"},
	{"channels:read", "public channels cannot be told from private ones"},
	{"chat:write", "nothing can be answered"},
	{"commands", "no /memory and /docs, no shortcuts"},
	{"files:read", "files cannot be read"},
	{"files:write", "no page pictures and no exports"},
	{"groups:history", "no follow-ups and no earlier messages in private channels"},
	{"groups:read", "private channels cannot be looked up"},
	{"im:history", "direct messages are not heard"},
	{"im:write", "files for one person cannot be sent to them"},
	{"mpim:history", "group direct messages are not heard"},
	{"mpim:read", "group direct messages cannot be looked up"},
	{"users:read", "no names, no time zones, and guests are not known as such"},
}

// events are what the app must be subscribed to.
var events = []need{
	{"agent_session_stopped", "Slack's own stop button does not stop an answer"},
	{"app_home_opened", "the Home tab stays empty"},
	{"app_mention", "mentions in channels are not heard"},
	{"app_uninstalled", "the end of an installation is noticed late"},
	{"channel_archive", "who may read a channel that is archived is not looked up"},
	{"channel_deleted", "what was said in a public channel stays when it is deleted"},
	{"channel_id_changed", "a private channel that is shared with another workspace begins anew"},
	{"channel_left", "a public channel that we were taken out of stays open to others for a while"},
	{"channel_shared", "that another workspace reads along is noticed with its first message"},
	{"channel_unarchive", "who may read a channel that is opened again is not looked up"},
	{"channel_unshared", "that another workspace reads along no more is noticed late"},
	{"file_deleted", "documents stay when their file is deleted"},
	{"file_unshared", "documents stay when their file is taken out of a channel"},
	{"group_archive", "who may read a private channel that is archived is not looked up"},
	{"group_deleted", "what was said in a private channel stays when it is deleted"},
	{"group_left", "that we were taken out of a private channel is noticed late"},
	{"group_unarchive", "who may read a private channel that is opened again is not looked up"},
	{"member_joined_channel", "no word of welcome in a channel"},
	{"message.channels", "no follow-ups, edits and deletions in public channels"},
	{"message.groups", "no follow-ups, edits and deletions in private channels"},
	{"message.im", "direct messages are not heard"},
	{"message.mpim", "group direct messages are not heard"},
	{"tokens_revoked", "the end of a token is noticed late"},
}

// families describe the slash commands: the first words of the registry's commands
// that have two.
var families = say.Families["en"]

// shortcut is an entry of a message's menu.
type shortcut struct{ ID, Name, About string }

var shortcuts = []shortcut{
	{askMessage, "Ask about this message", "Asks me something about the message, for everybody there"},
	{checkMessage, "Check this", "Checks what the message says against the documents here"},
	{threadMemory, "Memory of this thread", "What I keep of the thread this message is in"},
}

// ManifestOptions say which app is wanted.
type ManifestOptions struct {
	Name string // at most 35 characters
	URL  string // where Slack's HTTP requests reach us; "" for Socket Mode
}

//go:embed manifest.yaml.tmpl
var manifestText string

var manifestTemplate = template.Must(template.New("manifest").Funcs(template.FuncMap{"q": quoteYAML}).Parse(manifestText))

// Manifest is the app manifest, in YAML, of an app that has all that the adapter
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

// slashCommand is a family of commands, or one that stands for a message.
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
