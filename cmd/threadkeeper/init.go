package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"threadkeeper/bot/console"
	"threadkeeper/bot/discord"
	"threadkeeper/bot/say"
	"threadkeeper/bot/slack"
	"threadkeeper/config"
)

// initCmd sets the program up.
type initCmd struct {
	For    string `enum:"terminal,slack,discord," default:"" placeholder:"PLACE" help:"terminal, slack or discord; asked for if not given."`
	Yes    bool   `help:"Ask nothing: use the flags, the environment and what it finds."`
	Global bool   `help:"Write the settings for every folder without a model, key or token of its own, not for this one."`

	given config.Sources // the settings among its flags are written too
}

// Help returns what --help says below the summary.
func (*initCmd) Help() string {
	return `It writes .env here, with the settings that you give as flags, readable only by you if a key or token is in it, and keeps what is already there. The settings count in this folder, or with --global in every folder without a model, key or token of its own. You can run it again at any time.`
}

// Run asks, writes .env, and ends in doctor and a first answer.
func (c *initCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	where, database := "this folder", databaseFile(sys, cfg)
	if c.Global {
		file := config.Sources{Environ: sys.Environ}.UserFile()
		if file == "" {
			return usageError("there is no folder for the settings of every folder: set HOME or XDG_CONFIG_HOME")
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		sys.Dir, where = filepath.Dir(file), "every folder without a model, key or token of its own"
	}
	path := fromDir(sys, ".env")
	if err := tryEnv(path); err != nil {
		return err
	}
	a := &answers{ctx: ctx, sys: sys, yes: c.Yes, elsewhere: c.Global || config.Sources{Environ: sys.Environ, Dir: sys.Dir}.UserFileCounts(), lines: bufio.NewReader(sys.In)}
	place, err := c.place(a)
	if err != nil {
		return err
	}
	set, err := chooseModel(a, cfg)
	if err != nil {
		return err
	}
	switch place {
	case "slack":
		err = askSlack(a, cfg, set)
	case "discord":
		err = askDiscord(a, cfg, set)
	}
	if err != nil {
		return err
	}
	for setting, value := range c.given.Flags {
		if name := strings.ToUpper(setting); set[name] == "" && envComments[name] == "" {
			set[name] = value
		}
	}
	if set["DATABASE_URL"] != "" {
		set["DATABASE_URL"] = database
	}
	var stays []string
	if !c.Yes && !c.Global { // a script's environment may end with it; of the user's file an endpoint counts only beside its key
		stays = withoutEnvironment(set, sys.Environ)
	}
	if err := writeEnv(path, set); err != nil {
		return err
	}
	readers := ""
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 == 0 {
		readers = ", which only you can read"
	}
	fmt.Fprintf(sys.Out, "\nThe settings are in %s%s; they count in %s. Testing them now.\n\n", path, readers, where)
	if len(stays) > 0 {
		fmt.Fprintf(sys.Out, "Not copied from the environment: %s.\n\n", strings.Join(stays, ", "))
	}
	sources := config.Sources{Environ: sys.Environ, Dir: sys.Dir, File: c.given.File}
	if others := config.Overridden(sources, set); len(others) > 0 {
		fmt.Fprintf(sys.Out, "What you just chose is overridden by %s; change or remove it there.\n\n", strings.Join(others, " and "))
	}
	if cfg, err = config.Load(sources); err != nil {
		return usageError("these settings are wrong:\n" + err.Error())
	}
	if err := (&doctorCmd{}).Run(ctx, sys, cfg); err != nil {
		return fmt.Errorf("%w: fix what is listed above, and run threadkeeper init again", err)
	}
	if place != "terminal" {
		fmt.Fprintf(sys.Out, "\nStart it with threadkeeper serve, then mention it in a channel or send it a direct message.\n")
		return nil
	}
	report, _, err := samples(cfg.CacheDir)
	if err != nil {
		return err
	}
	const question = "What does the new roaster cost, and when is it delivered?"
	fmt.Fprintf(sys.Out, "\nA first answer, from an invented café's annual report:\n› %s\n\n", question)
	quiet := sys
	quiet.InTerminal, quiet.In = true, strings.NewReader("")
	if err := (&askCmd{Question: question, Files: []string{report}}).Run(ctx, quiet, cfg); err != nil {
		return err
	}
	fmt.Fprintf(sys.Out, "\nThat is all. In %s, threadkeeper opens a conversation; threadkeeper \"question\" file.pdf asks one question.\n", where)
	if !c.Global {
		fmt.Fprintln(sys.Out, "threadkeeper init --global sets it up for every folder.")
	}
	return nil
}

// withoutEnvironment takes the keys and tokens out of settings that the environment sets likewise, and returns their names.
func withoutEnvironment(set map[string]string, environ []string) (names []string) {
	for _, name := range envOrder {
		if isSecret(name) && set[name] != "" && slices.Contains(environ, name+"="+set[name]) {
			delete(set, name)
			names = append(names, name)
		}
	}
	return names
}

// place is where the assistant shall be.
func (c *initCmd) place(a *answers) (string, error) {
	places := []string{"terminal", "slack", "discord"}
	if c.For != "" || c.Yes {
		return cmp.Or(c.For, places[0]), nil
	}
	i, err := a.choose("Where should it talk?", "this terminal", "Slack", "Discord")
	return places[i], err
}

// answers asks the person who sets the program up.
type answers struct {
	ctx       context.Context
	sys       system
	yes       bool
	elsewhere bool // the settings are not written where those stand that count now: keys come along
	lines     *bufio.Reader
}

// line is what is typed, without blanks around it.
func (a *answers) line(prompt string) (string, error) {
	fmt.Fprint(a.sys.Out, prompt)
	text, err := console.Within(a.ctx, func() (string, error) { return a.lines.ReadString('\n') })
	if a.ctx.Err() != nil {
		fmt.Fprintln(a.sys.Out)
		return "", a.ctx.Err()
	}
	if err != nil && (text == "" || !errors.Is(err, io.EOF)) {
		fmt.Fprintln(a.sys.Out)
		return "", errors.New("nothing was changed: there is no one to answer questions; use --yes --for PLACE to set it up without asking")
	}
	return strings.TrimSpace(text), nil
}

// choose is which of the choices is taken; the first one if nothing is typed.
func (a *answers) choose(question string, choices ...string) (int, error) {
	if a.yes {
		return 0, nil
	}
	fmt.Fprintln(a.sys.Out, question)
	for i, c := range choices {
		fmt.Fprintf(a.sys.Out, "  %d  %s\n", i+1, c)
	}
	for {
		text, err := a.line("Number [1]: ")
		if err != nil || text == "" {
			return 0, err
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(choices) {
			return n - 1, nil
		}
		fmt.Fprintf(a.sys.Out, "Please type a number from 1 to %d.\n", len(choices))
	}
}

// secret is a key or token, which is not shown while it is typed. What is known already stays if nothing is typed. One that
// try refuses is asked for again; try may be nil.
func (a *answers) secret(name, prefix string, known config.Secret, try func(config.Secret) error) (string, error) {
	if a.yes || known != "" && !a.sys.InTerminal {
		if known == "" {
			return "", usageError(name + " is not set: set it in the environment, or leave out --yes")
		}
		return string(known), nil
	}
	for {
		prompt := name + ": "
		if known != "" {
			prompt = name + " (Enter keeps the current one): "
		}
		text, err := a.typeSecret(prompt)
		switch {
		case err != nil:
			return "", err
		case text == "" && known != "":
			return string(known), nil
		case text != "" && strings.HasPrefix(text, prefix):
			if try == nil {
				return text, nil
			}
			known = config.Secret(text)
			refused := try(known)
			if refused == nil {
				return text, nil
			}
			fmt.Fprintln(a.sys.Out, refused)
		case prefix != "":
			fmt.Fprintf(a.sys.Out, "That does not look right: it should start with %s.\n", prefix)
		}
	}
}

func (a *answers) typeSecret(prompt string) (string, error) {
	file, ok := a.sys.In.(*os.File)
	if !ok || !a.sys.InTerminal {
		return a.line(prompt)
	}
	fmt.Fprint(a.sys.Out, prompt)
	shown, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", err
	}
	text, err := console.Within(a.ctx, func() ([]byte, error) { return term.ReadPassword(int(file.Fd())) })
	fmt.Fprintln(a.sys.Out)
	return strings.TrimSpace(string(text)), errors.Join(err, term.Restore(int(file.Fd()), shown))
}

// refused is what a check of a platform reports of a token under a name; nil if the platform was not reached, as doctor says then.
func refused(ctx context.Context, look func(ctx context.Context, report func(name, found string, err error)), name string) (err error) {
	look(ctx, func(reported, _ string, failed error) {
		if reported == name {
			err = failed
		}
	})
	var unreachable net.Error
	if errors.As(err, &unreachable) {
		return nil
	}
	return err
}

// chooseModel asks which model answers, of those that are found, and returns its settings.
func chooseModel(a *answers, cfg *config.Config) (set map[string]string, err error) {
	type choice struct {
		words    string
		settings map[string]string
		secret   string // that is asked for
		known    config.Secret
	}
	var all []choice
	if cfg.Model != "" {
		current := map[string]string{"MODEL": cfg.Model}
		if !a.elsewhere {
			current["OPENAI_BASE_URL"] = cfg.OpenAIBaseURL
		} else if cfg.OpenAIAPIKey != "" || cfg.OpenAIBaseURL != "" { // a key stays with its endpoint
			current["OPENAI_API_KEY"], current["OPENAI_BASE_URL"] = string(cfg.OpenAIAPIKey), cfg.OpenAIBaseURL
		}
		if a.elsewhere && cfg.AnthropicAPIKey != "" {
			current["ANTHROPIC_API_KEY"], current["ANTHROPIC_BASE_URL"] = string(cfg.AnthropicAPIKey), cfg.AnthropicBaseURL
		}
		all = append(all, choice{words: cfg.Model + " (currently set)", settings: current})
	}
	base, names := findOllama(a.ctx, a.sys.Environ)
	for _, name := range names[:min(len(names), 5)] {
		all = append(all, choice{words: name + " on Ollama, on this machine", settings: map[string]string{"MODEL": name, "OPENAI_BASE_URL": base + "/v1"}})
	}
	openAI := choice{words: "gpt-5-mini from OpenAI", settings: map[string]string{"MODEL": "gpt-5-mini", "OPENAI_BASE_URL": ""}, secret: "OPENAI_API_KEY", known: cfg.OpenAIAPIKey}
	claude := choice{words: "claude-sonnet-4-5 from Anthropic", settings: map[string]string{"MODEL": "claude-sonnet-4-5"}, secret: "ANTHROPIC_API_KEY", known: cfg.AnthropicAPIKey}
	if cfg.OpenAIBaseURL != "" { // the key is that of another endpoint
		openAI.known = ""
	}
	if a.elsewhere {
		claude.settings["ANTHROPIC_BASE_URL"] = ""
	}
	if cfg.AnthropicBaseURL != "" {
		claude.known = ""
	}
	none := choice{words: "none: answers will be quotes with their pages", settings: map[string]string{"MODEL": ""}}
	for _, c := range []*choice{&openAI, &claude} {
		if c.known != "" {
			c.words += " (its key is set)"
			all = append(all, *c)
		}
	}
	if a.yes {
		all = append(all, none)
	}
	for _, c := range []choice{openAI, claude} {
		if c.known == "" {
			all = append(all, c)
		}
	}
	all = append(all, choice{words: "another OpenAI-compatible endpoint"}, none)
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.words
	}
	i, err := a.choose("\nWhich model should answer?", words...)
	if err != nil {
		return nil, err
	}
	set = all[i].settings
	switch {
	case set == nil:
		set = map[string]string{}
		for wrong := errors.New(""); wrong != nil; {
			if set["OPENAI_BASE_URL"], err = a.line("Its address, including /v1: "); err != nil {
				return nil, err
			}
			if wrong = config.WebAddress(set["OPENAI_BASE_URL"]); wrong != nil {
				fmt.Fprintln(a.sys.Out, wrong)
			}
		}
		for set["MODEL"] == "" {
			if set["MODEL"], err = a.line("The model's name there: "); err != nil {
				return nil, err
			}
		}
		set["OPENAI_API_KEY"], err = a.typeSecret("Its key (Enter if it needs none): ")
	case all[i].secret != "":
		set[all[i].secret], err = a.secret(all[i].secret, "", all[i].known, nil)
	}
	return set, err
}

// findOllama returns the address of an Ollama running on this machine, and its models; none if there is none.
func findOllama(ctx context.Context, environ []string) (base string, names []string) {
	base = "http://localhost:11434"
	for _, e := range environ {
		if host, ok := strings.CutPrefix(e, "OLLAMA_HOST="); ok && host != "" {
			base = strings.TrimSuffix(host, "/")
			if !strings.Contains(base, "://") {
				base = "http://" + base
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/tags", nil)
	if err != nil {
		return base, nil
	}
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		return base, nil
	}
	defer got.Body.Close()
	var list struct {
		Models []struct {
			Name    string
			Details struct{ Family string }
		}
	}
	if json.NewDecoder(io.LimitReader(got.Body, 1<<20)).Decode(&list) != nil {
		return base, nil
	}
	for _, m := range list.Models {
		if !strings.Contains(m.Name, "embed") && !strings.HasSuffix(m.Details.Family, "bert") { // those make vectors, not answers
			names = append(names, m.Name)
		}
	}
	return base, names
}

// askSlack has an app created, and asks for its tokens.
func askSlack(a *answers, cfg *config.Config, set map[string]string) (err error) {
	manifest, err := slack.Manifest(slack.ManifestOptions{Name: "Threadkeeper"}, say.Commands("en"))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.sys.Out, "\n1. Open this link, choose your workspace, press Create, then Install to Workspace:\n\n%s\n\n"+
		"2. Copy the Bot User OAuth Token (xoxb-…) from the page \"OAuth & Permissions\".\n", slackLink(manifest))
	known, log := *cfg, newLog(a.sys, cfg)
	if set["SLACK_BOT_TOKEN"], err = a.secret("SLACK_BOT_TOKEN", "xoxb-", cfg.SlackBotToken, func(token config.Secret) error {
		known.SlackBotToken = token
		return refused(a.ctx, newSlack(&known, log).Check, "Slack")
	}); err != nil {
		return err
	}
	fmt.Fprintf(a.sys.Out, "3. On the page \"Basic Information\", under App-Level Tokens, generate one with connections:write and copy it (xapp-…).\n")
	known.SlackBotToken = config.Secret(set["SLACK_BOT_TOKEN"])
	set["SLACK_APP_TOKEN"], err = a.secret("SLACK_APP_TOKEN", "xapp-", cfg.SlackAppToken, func(token config.Secret) error {
		known.SlackAppToken = token
		return refused(a.ctx, newSlack(&known, log).Check, "Slack events")
	})
	return err
}

// slackLink opens Slack's dialog for a new app with a manifest filled in, without its comments.
func slackLink(manifest string) string {
	var short strings.Builder
	for line := range strings.Lines(manifest) {
		line, _, _ = strings.Cut(line, " #")
		short.WriteString(strings.TrimRight(line, "\n") + "\n")
	}
	return "https://api.slack.com/apps?new_app=1&manifest_yaml=" + url.QueryEscape(short.String())
}

// askDiscord has a bot created, asks for its token, and says how it is invited.
func askDiscord(a *answers, cfg *config.Config, set map[string]string) (err error) {
	fmt.Fprintf(a.sys.Out, "\n1. Open https://discord.com/developers/applications and press New Application.\n"+
		"2. %s\n3. Press Reset Token and copy the token.\n", discord.Intents())
	known, log := *cfg, newLog(a.sys, cfg)
	if set["DISCORD_TOKEN"], err = a.secret("DISCORD_TOKEN", "", cfg.DiscordToken, func(token config.Secret) error {
		known.DiscordToken = token
		return refused(a.ctx, newDiscord(&known, log).Check, "Discord")
	}); err != nil {
		return err
	}
	known.DiscordToken = config.Secret(set["DISCORD_TOKEN"])
	link, err := discord.Invite(newDiscord(&known, log).ClientID(a.ctx))
	if err != nil {
		return usageError("Discord does not know this token: copy it again from the page \"Bot\", and run threadkeeper init again")
	}
	fmt.Fprintf(a.sys.Out, "4. Open this link and choose your server:\n\n%s\n\n", link)
	if !a.yes {
		_, _ = a.line("Press Enter once the bot is on your server. ") // doctor says it if it is not
	}
	return nil
}

// envComments stand before the settings that init writes.
var envComments = map[string]string{
	"MODEL":              "Model that answers; without one, answers are quotes.",
	"OPENAI_BASE_URL":    "OpenAI-compatible endpoint, if it is not OpenAI's own.",
	"OPENAI_API_KEY":     "Key of that endpoint.",
	"ANTHROPIC_API_KEY":  "Key for Anthropic's models.",
	"ANTHROPIC_BASE_URL": "Endpoint that speaks Anthropic's protocol, if it is not Anthropic's own.",
	"SLACK_BOT_TOKEN":    "Slack: the app's page \"OAuth & Permissions\".",
	"SLACK_APP_TOKEN":    "Slack: the app's page \"Basic Information\", App-Level Tokens, connections:write.",
	"DISCORD_TOKEN":      "Discord: the app's page \"Bot\".",
}

// envOrder is the order in which init writes them.
var envOrder = []string{"MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "DISCORD_TOKEN"}

func isSecret(name string) bool {
	return strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN")
}

// tryEnv fails if writeEnv would.
func tryEnv(path string) error {
	f, err := besideEnv(path, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// besideEnv makes the file that is to become a .env. Its error names the .env.
func besideEnv(path string, mode fs.FileMode) (*os.File, error) {
	temporary := path + ".new"
	_ = os.Remove(temporary) // what a crash has left may be readable by others
	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return nil, &fs.PathError{Op: "write", Path: path, Err: failed.Err}
	}
	return f, err
}

// writeEnv writes settings into a file, or into the one a link names: one that only its owner can read if it is new or a key or token is
// written. Other lines of it stay as they are; settings of
// the same name are replaced, and those that are set to nothing are left out. A new file names all of them, those without a
// value as comments.
func writeEnv(path string, set map[string]string) error {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	mode := fs.FileMode(0o600)
	secret := slices.ContainsFunc(envOrder, func(name string) bool {
		return set[name] != "" && isSecret(name)
	})
	if info, err := os.Stat(path); err == nil && !secret {
		mode = info.Mode().Perm()
	}
	var b strings.Builder
	written := map[string]bool{}
	for line := range strings.Lines(string(old)) {
		if name, is := strings.CutSuffix(strings.TrimSpace(line), "="); is && set[strings.TrimPrefix(name, "# ")] != "" {
			line = strings.TrimPrefix(name, "# ") + "=" // it had no value
		}
		name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "export ")), "=")
		value, ours := set[strings.TrimSpace(name)]
		switch {
		case !ours:
			b.WriteString(strings.TrimSuffix(line, "\n") + "\n")
		case value != "" && !written[name]:
			fmt.Fprintf(&b, "%s=%s\n", name, value)
		}
		written[name] = ours
	}
	for _, name := range envOrder {
		if set[name] != "" && !written[name] {
			fmt.Fprintf(&b, "# %s\n%s=%s\n", envComments[name], name, set[name])
		} else if len(old) == 0 {
			fmt.Fprintf(&b, "# %s\n# %s=\n", envComments[name], name)
		}
		written[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if set[name] != "" && !written[name] {
			fmt.Fprintf(&b, "%s=%s\n", name, set[name])
		}
	}
	f, err := besideEnv(path, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
