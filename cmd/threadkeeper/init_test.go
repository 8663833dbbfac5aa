package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/config"
)

func TestInitKeepsWhatStandsInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(path, []byte("# mine\nWORKERS=3\nexport MODEL=old\nOPENAI_BASE_URL=http://old/v1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeEnv(path, map[string]string{"MODEL": "new", "OPENAI_BASE_URL": "", "DISCORD_TOKEN": "abc"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "# mine\nWORKERS=3\nMODEL=new\n# Discord: the app's page \"Bot\".\nDISCORD_TOKEN=abc\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v", info.Mode())
	}
}

// TestInitNamesAllSettingsInANewFile, and gives them their values later.
func TestInitNamesAllSettingsInANewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	for _, set := range []map[string]string{{}, {"OPENAI_API_KEY": "k"}} {
		if err := writeEnv(path, set); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(got), "# "+envComments["MODEL"]+"\n# MODEL=\n") || strings.Count(string(got), "\n") != 2*len(envOrder) ||
		!strings.Contains(string(got), "\n# "+envComments["OPENAI_API_KEY"]+"\nOPENAI_API_KEY=k\n") {
		t.Errorf("%s, %v", got, err)
	}
}

// asked are answers typed by somebody.
func asked(t *testing.T, typed string, environ ...string) (*answers, *bytes.Buffer) {
	var out bytes.Buffer
	environ = append(environ, "OLLAMA_HOST=127.0.0.1:1")
	return &answers{ctx: t.Context(), sys: system{Out: &out, Err: io.Discard, Environ: environ}, lines: bufio.NewReader(strings.NewReader(typed))}, &out
}

func TestInitFindsOllama(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/tags" {
			t.Errorf("asked for %s", r.URL)
		}
		io.WriteString(w, `{"models":[{"name":"qwen3:8b"},{"name":"gemma3:4b"}]}`)
	}))
	defer server.Close()
	a, out := asked(t, "2\n")
	a.sys.Environ = []string{"OLLAMA_HOST=" + server.Listener.Addr().String()}
	set, err := chooseModel(a, &config.Config{})
	if err != nil || set["MODEL"] != "gemma3:4b" || set["OPENAI_BASE_URL"] != server.URL+"/v1" || !strings.Contains(out.String(), "qwen3:8b") {
		t.Errorf("%v, %v\n%s", set, err, out)
	}
}

func TestInitTakesAKeyThatIsSet(t *testing.T) {
	a, _ := asked(t, "\n")
	set, err := chooseModel(a, &config.Config{AnthropicAPIKey: "sk-ant"})
	if err != nil || set["MODEL"] != "claude-sonnet-4-5" || set["ANTHROPIC_API_KEY"] != "sk-ant" {
		t.Errorf("%v, %v", set, err)
	}
	a, _ = asked(t, "")
	a.yes = true
	if set, err = chooseModel(a, &config.Config{}); err != nil || set["MODEL"] != "" {
		t.Errorf("nothing found, nothing asked: %v, %v", set, err)
	}
}

// TestInitOfSlackIsTwoPastes: a wrong one is asked for again.
func TestInitOfSlackIsTwoPastes(t *testing.T) {
	a, out := asked(t, "xapp-wrong\nxoxb-1\nxapp-1\n")
	set := map[string]string{}
	if err := askSlack(a, &config.Config{}, set); err != nil || set["SLACK_BOT_TOKEN"] != "xoxb-1" || set["SLACK_APP_TOKEN"] != "xapp-1" {
		t.Errorf("%v, %v", set, err)
	}
	words := strings.Fields(out.String())
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "https://api.slack.com/apps?") })
	if i < 0 || !strings.Contains(out.String(), "should start with xoxb-") {
		t.Fatal(out)
	}
	link, err := url.Parse(words[i])
	if err != nil || link.Query().Get("new_app") != "1" || !strings.Contains(link.Query().Get("manifest_yaml"), "socket_mode_enabled: true") {
		t.Errorf("%s, %v", words[i], err)
	}
}

// TestInitEndsInAnAnswer: one command, and the first answer stands there with its page.
func TestInitEndsInAnAnswer(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	dir := t.TempDir()
	for range 2 { // it can be run again
		cmd := program(t.Context(), t, dir, "init", "--yes", "--for", "terminal")
		cmd.Env = append(cmd.Env, "OLLAMA_HOST=127.0.0.1:1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "38,700") || !strings.Contains(string(out), "[1] sample.pdf, page 6") {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, ".env")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

// initialised runs init in a folder, typing these lines, and returns what it shows.
func initialised(t *testing.T, dir string, environ []string, typed ...string) (code int, shown string) {
	t.Helper()
	var out bytes.Buffer
	environ = append(environ, "OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR="+cacheDir(), "DATABASE_URL=t.db")
	code = run(t.Context(), []string{"init"}, system{In: strings.NewReader(strings.Join(typed, "\n") + "\n"), Out: &out, Err: &out, Environ: environ, Dir: dir})
	return code, out.String()
}

// Numbers that are typed in init.
const (
	inSlack   = "2"
	inDiscord = "3"
	noModel   = "4" // after those of two makers, and another endpoint
)

// TestInitOfSlackEndsInItsDoctor: a token that Slack does not know gets its sentence, and the next run puts it right.
func TestInitOfSlackEndsInItsDoctor(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	slack := fakeslack.New(fakeslack.Options{AgentView: true})
	defer slack.Close()
	environ, dir := []string{"SLACK_API_URL=" + slack.APIURL()}, t.TempDir()
	code, shown := initialised(t, dir, environ, inSlack, noModel, "xoxb-mistaken", slack.Options().AppToken)
	if code != exitFailed || !strings.Contains(shown, "Slack does not recognise SLACK_BOT_TOKEN") || !strings.Contains(shown, "run threadkeeper init again") {
		t.Fatalf("%d\n%s", code, shown)
	}
	os.Remove(filepath.Join(dir, ".env")) // what is set is not asked for outside of a terminal
	code, shown = initialised(t, dir, environ, inSlack, noModel, slack.Options().BotToken, slack.Options().AppToken)
	if code != exitOK || !strings.Contains(shown, "ok    Slack events") || !strings.Contains(shown, "threadkeeper serve") {
		t.Fatalf("%d\n%s", code, shown)
	}
	if code, shown = initialised(t, dir, environ, inSlack, noModel); code != exitOK {
		t.Errorf("with what is set: %d\n%s", code, shown)
	}
}

// TestInitOfDiscordEndsInItsDoctor likewise.
func TestInitOfDiscordEndsInItsDoctor(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	discord := fakediscord.New(fakediscord.Options{Token: "MTk4NjIyNDgz.Cl2FMQ.token"})
	defer discord.Close()
	environ, dir := []string{"DISCORD_API_URL=" + discord.URL()}, t.TempDir()
	code, shown := initialised(t, dir, environ, inDiscord, noModel, "mistaken")
	if code != exitUsage || !strings.Contains(shown, "copy it again from the page \"Bot\"") {
		t.Fatalf("%d\n%s", code, shown)
	}
	code, shown = initialised(t, dir, environ, inDiscord, noModel, "MTk4NjIyNDgz.Cl2FMQ.token", "")
	if code != exitFailed || !strings.Contains(shown, "the bot is not on any server: open the link") {
		t.Fatalf("%d\n%s", code, shown)
	}
	discord.AddChannel(discord.AddGuild("Workshop"), fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
	code, shown = initialised(t, dir, environ, inDiscord, noModel, "")
	if code != exitOK || !strings.Contains(shown, "https://discord.com/oauth2/authorize?") || !strings.Contains(shown, "ok    Discord intents") {
		t.Fatalf("%d\n%s", code, shown)
	}
}
