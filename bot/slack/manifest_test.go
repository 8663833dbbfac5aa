package slack

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	slackapi "github.com/slack-go/slack"
	"go.yaml.in/yaml/v3"

	"threadkeeper/bot/say"
)

// readManifest is a manifest as Slack's own structure reads it; unknown fields fail.
func readManifest(t *testing.T, o ManifestOptions) slackapi.Manifest {
	t.Helper()
	text, err := Manifest(o, say.Commands("en"))
	if err != nil {
		t.Fatal(err)
	}
	var m slackapi.Manifest
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return m
}

func TestManifestOfSocketMode(t *testing.T) {
	m := readManifest(t, ManifestOptions{Name: `Ask "me"`})
	if m.Display.Name != `Ask "me"` || m.Features.BotUser.DisplayName != `Ask "me"` {
		t.Errorf("name %q, bot %q", m.Display.Name, m.Features.BotUser.DisplayName)
	}
	if !m.Settings.SocketModeEnabled || m.Settings.EventSubscriptions.RequestUrl != "" || m.Settings.Interactivity.RequestUrl != "" {
		t.Errorf("settings %+v", m.Settings)
	}
	if m.Features.AgentView == nil || m.Features.AssistantView != nil || !m.Features.AppHome.HomeTabEnabled || !m.Features.AppHome.MessagesTabEnabled {
		t.Errorf("features %+v", m.Features)
	}
	if !m.Settings.Interactivity.IsEnabled || len(m.Features.Shortcuts) != len(shortcuts) {
		t.Errorf("no buttons or shortcuts: %+v", m)
	}
	if len(m.OAuthConfig.Scopes.Bot) != len(scopes) {
		t.Errorf("scopes %q", m.OAuthConfig.Scopes.Bot)
	}
}

func TestManifestOfHTTP(t *testing.T) {
	const at = "https://bot.example.com/slack"
	m := readManifest(t, ManifestOptions{Name: "Keeper", URL: at})
	if m.Settings.SocketModeEnabled || m.Settings.EventSubscriptions.RequestUrl != at || m.Settings.Interactivity.RequestUrl != at {
		t.Errorf("settings %+v", m.Settings)
	}
	for _, c := range m.Features.SlashCommands {
		if c.Url != at {
			t.Errorf("%s goes to %q", c.Command, c.Url)
		}
	}
}

func TestManifestHasEveryCommand(t *testing.T) {
	m := readManifest(t, ManifestOptions{Name: "Keeper"})
	hints := map[string]string{}
	for _, c := range m.Features.SlashCommands {
		hints[c.Command] = c.UsageHint
		if c.Description == "" || !c.ShouldEscape {
			t.Errorf("%+v", c)
		}
	}
	for _, c := range say.Commands("en") {
		if family, word, ok := strings.Cut(c.Name, " "); ok && !strings.Contains(hints["/"+family], word) {
			t.Errorf("%s is not in %q", c.Name, hints["/"+family])
		}
	}
}

// Slack's limits: docs.slack.dev/reference/app-manifest, and the schema of
// github.com/slackapi/manifest-schema, which has more of them.
func TestManifestKeepsToSlacksLimits(t *testing.T) {
	m := readManifest(t, ManifestOptions{Name: strings.Repeat("n", 35)})
	for what, c := range map[string]struct {
		text string
		most int
	}{
		"description":       {m.Display.Description, 140},
		"agent description": {m.Features.AgentView.AgentDescription, 300},
		"shortcut name":     {m.Features.Shortcuts[0].Name, 24},
		"shortcut about":    {m.Features.Shortcuts[0].Description, 150},
	} {
		if n := utf8.RuneCountInString(c.text); n == 0 || n > c.most {
			t.Errorf("%s has %d characters, at most %d are allowed", what, n, c.most)
		}
	}
	if n := len(m.Features.AgentView.SuggestedPrompts); n == 0 || n > 4 {
		t.Errorf("%d suggested prompts, at most 4 are allowed", n)
	}
	if n := len(m.Features.SlashCommands); n == 0 || n > 50 {
		t.Errorf("%d commands, at most 50 are allowed", n)
	}
	for _, c := range m.Features.SlashCommands {
		if len(c.Command) > 32 || utf8.RuneCountInString(c.Description) > 2000 || c.UsageHint == "" || utf8.RuneCountInString(c.UsageHint) > 1000 {
			t.Errorf("%+v is too long", c)
		}
	}
	for _, name := range []string{"", " ", strings.Repeat("n", 36), "a\nb"} {
		if _, err := Manifest(ManifestOptions{Name: name}, nil); err == nil {
			t.Errorf("the name %q was accepted", name)
		}
	}
	for _, at := range []string{"http://bot.example.com", "bot.example.com", "https://"} {
		if _, err := Manifest(ManifestOptions{Name: "n", URL: at}, nil); err == nil {
			t.Errorf("the address %q was accepted", at)
		}
	}
}

// handled are the event types that event.go has a case for.
func handled(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(gotoken.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "callback" && fn.Name.Name != "other" {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					if lit, ok := e.(*ast.BasicLit); ok {
						name, err := strconv.Unquote(lit.Value)
						if err != nil {
							t.Fatal(err)
						}
						all = append(all, name)
					}
				}
			}
			return true
		})
	}
	return all
}

// TestSubscriptionsAreWhatIsHandled: an event that is handled and not subscribed to
// never comes, and one that is subscribed to and not handled is noise.
func TestSubscriptionsAreWhatIsHandled(t *testing.T) {
	unasked := []string{"event_callback", "app_rate_limited"} // envelopes
	known := handled(t)
	var subscribed []string
	for _, n := range events {
		kind, _, _ := strings.Cut(n.Name, ".") // message.im is told as message
		subscribed = append(subscribed, kind)
		if !slices.Contains(known, kind) {
			t.Errorf("%s is subscribed to and not handled", n.Name)
		}
	}
	for _, k := range known {
		if !slices.Contains(subscribed, k) && !slices.Contains(unasked, k) {
			t.Errorf("%s is handled and not subscribed to", k)
		}
	}
}
