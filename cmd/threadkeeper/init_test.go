package main

import (
	"bufio"
	"bytes"
	"errors"
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

// TestInitWritesTheFileThatALinkNames, which others go on reading unless a key is in it.
func TestInitWritesTheFileThatALinkNames(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "shared.env"), filepath.Join(dir, ".env")
	if err := errors.Join(os.WriteFile(file, []byte("PORT=80\n"), 0o644), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		set  map[string]string
		mode os.FileMode
	}{{map[string]string{"MODEL": "m"}, 0o644}, {map[string]string{"OPENAI_API_KEY": "k"}, 0o600}} {
		if err := writeEnv(link, tt.set); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		text, err := os.ReadFile(file)
		if info, statErr := os.Stat(file); err != nil || statErr != nil || info.Mode().Perm() != tt.mode || !strings.HasPrefix(string(text), "PORT=80\n") || !strings.Contains(string(text), "\nMODEL=m\n") {
			t.Errorf("%v: %q, %v", tt.set, text, info)
		}
	}
}

// TestInitSaysAtOnceThatItCannotWrite, before it asks anything.
func TestInitSaysAtOnceThatItCannotWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	code, shown := initialised(t, dir, nil)
	if want := "threadkeeper: cannot write " + filepath.Join(dir, ".env") + ": there is no such file or folder\n"; code != exitFailed || shown != want {
		t.Errorf("%d %s", code, shown)
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
		io.WriteString(w, `{"models":[{"name":"nomic-embed-text"},{"name":"all-minilm","details":{"family":"bert"}},{"name":"qwen3:8b"},{"name":"gemma3:4b"}]}`)
	}))
	defer server.Close()
	a, out := asked(t, "2\n")
	a.sys.Environ = []string{"OLLAMA_HOST=" + server.Listener.Addr().String()}
	set, err := chooseModel(a, &config.Config{})
	if err != nil || set["MODEL"] != "gemma3:4b" || set["OPENAI_BASE_URL"] != server.URL+"/v1" || !strings.Contains(out.String(), "qwen3:8b") {
		t.Errorf("%v, %v\n%s", set, err, out)
	}
}

// TestInitAsksAgainForAnEndpoint: with an address that is none, every command would refuse the settings, init too.
func TestInitAsksAgainForAnEndpoint(t *testing.T) {
	a, out := asked(t, "3\n\nlocalhost:8000\nhttp://localhost:8000/v1\n\nqwen\n\n")
	set, err := chooseModel(a, &config.Config{})
	if err != nil || set["OPENAI_BASE_URL"] != "http://localhost:8000/v1" || set["MODEL"] != "qwen" || !strings.Contains(out.String(), `"localhost:8000" is not a web address like `) {
		t.Errorf("%v, %v\n%s", set, err, out)
	}
}

// TestInitForEveryFolder: another folder has the model and its key then, and this one no file.
func TestInitForEveryFolder(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	dir := t.TempDir()
	environ := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR=" + cacheDir(), "DATABASE_URL=t.db", "MODEL=m", "OPENAI_BASE_URL=http://127.0.0.1:1/v1", "OPENAI_API_KEY=k"}
	var out bytes.Buffer
	run(t.Context(), []string{"init", "--yes", "--global"}, system{In: strings.NewReader(""), Out: &out, Err: &out, Environ: environ, Dir: dir})
	c, err := config.Load(config.Sources{Environ: environ[:2], Dir: t.TempDir()})
	if err != nil || c.Model != "m" || c.OpenAIBaseURL != "http://127.0.0.1:1/v1" || c.OpenAIAPIKey != "k" || !strings.Contains(out.String(), "every folder") {
		t.Errorf("%+v, %v\n%s", c, err, &out)
	}
	if _, err := os.Stat(filepath.Join(dir, ".env")); err == nil {
		t.Error("it wrote into this folder too")
	}
}

// TestInitForEveryFolderKeepsAKeyAtItsEndpoint: only the model that is set brings its key and endpoint along.
func TestInitForEveryFolderKeepsAKeyAtItsEndpoint(t *testing.T) {
	cfg := &config.Config{Model: "gpt-5-mini", OpenAIAPIKey: "A", AnthropicAPIKey: "C", AnthropicBaseURL: "http://claude"}
	a, _ := asked(t, "4\nhttp://proxy/v1\ngpt-5-mini\nK\n")
	a.elsewhere = true
	if set, err := chooseModel(a, cfg); err != nil || set["OPENAI_BASE_URL"] != "http://proxy/v1" || set["OPENAI_API_KEY"] != "K" || set["ANTHROPIC_API_KEY"] != "" {
		t.Errorf("another endpoint: %v, %v", set, err)
	}
	a, _ = asked(t, "1\n")
	a.elsewhere = true
	if set, err := chooseModel(a, cfg); err != nil || set["OPENAI_API_KEY"] != "A" || set["ANTHROPIC_API_KEY"] != "C" || set["ANTHROPIC_BASE_URL"] != "http://claude" {
		t.Errorf("the one that is set: %v, %v", set, err)
	}
	a, _ = asked(t, "1\n")
	a.elsewhere = true
	set, err := chooseModel(a, &config.Config{Model: "claude-sonnet-4-5"})
	if _, deletes := set["ANTHROPIC_API_KEY"]; err != nil || deletes {
		t.Errorf("without a key: %v, %v", set, err)
	}
	// A key of the environment is written beside its endpoint: that would not count with a key that is not in the file.
	dir := t.TempDir()
	environ := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR=" + cacheDir(), "DATABASE_URL=t.db", "OPENAI_API_KEY=k"}
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("MODEL=m\nOPENAI_BASE_URL=http://127.0.0.1:1/v1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	run(t.Context(), []string{"init", "--global", "--for", "terminal"}, system{In: strings.NewReader("1\n"), InTerminal: true, Out: &out, Err: &out, Environ: environ, Dir: dir})
	c, err := config.Load(config.Sources{Environ: environ, Dir: t.TempDir()})
	if err != nil || c.Model != "m" || c.OpenAIBaseURL != "http://127.0.0.1:1/v1" || c.OpenAIAPIKey != "k" {
		t.Errorf("%+v, %v\n%s", c, err, &out)
	}
}

// TestInitHereKeepsTheKeyOfEveryFolder: a file that this folder has of its own puts the user's aside.
func TestInitHereKeepsTheKeyOfEveryFolder(t *testing.T) {
	home := t.TempDir()
	environ := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR=" + cacheDir(), "DATABASE_URL=t.db"}
	file := config.Sources{Environ: environ}.UserFile()
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("MODEL=m\nOPENAI_BASE_URL=http://127.0.0.1:1/v1\nOPENAI_API_KEY=k\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	dir := t.TempDir()
	run(t.Context(), []string{"init", "--yes", "--for", "terminal"}, system{In: strings.NewReader(""), Out: &out, Err: &out, Environ: environ, Dir: dir})
	c, err := config.Load(config.Sources{Environ: environ, Dir: dir})
	if err != nil || c.Model != "m" || c.OpenAIBaseURL != "http://127.0.0.1:1/v1" || c.OpenAIAPIKey != "k" {
		t.Errorf("%+v, %v\n%s", c, err, &out)
	}
}

// TestInitForEveryFolderNeedsAHome: the keys would go into this folder.
func TestInitForEveryFolderNeedsAHome(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	code := run(t.Context(), []string{"init", "--yes", "--global"}, system{In: strings.NewReader(""), Out: &out, Err: &out, Environ: []string{"DATABASE_URL=t.db", "CACHE_DIR=" + dir}, Dir: dir})
	if _, err := os.Stat(filepath.Join(dir, ".env")); code != exitUsage || err == nil || !strings.Contains(out.String(), "set HOME") {
		t.Errorf("%d %v\n%s", code, err, &out)
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
	nowhere := &config.Config{SlackAPIURL: "http://127.0.0.1:1/"} // no token is refused
	if err := askSlack(a, nowhere, set); err != nil || set["SLACK_BOT_TOKEN"] != "xoxb-1" || set["SLACK_APP_TOKEN"] != "xapp-1" {
		t.Errorf("%v, %v", set, err)
	}
	words := strings.Fields(out.String())
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "https://api.slack.com/apps?") })
	if i < 0 || !strings.Contains(out.String(), "should start with xoxb-") {
		t.Fatal(out)
	}
	link, err := url.Parse(words[i])
	if err != nil || link.Query().Get("new_app") != "1" || !strings.Contains(link.Query().Get("manifest_yaml"), "socket_mode_enabled: true\n") || strings.Contains(link.Query().Get("manifest_yaml"), " #") {
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

// TestInitSaysWhatOverridesIt: a variable in the environment beats the token that was just pasted, and settings that were just chosen.
func TestInitSaysWhatOverridesIt(t *testing.T) {
	slack := fakeslack.New(fakeslack.Options{AgentView: true})
	defer slack.Close()
	environ := []string{"SLACK_API_URL=" + slack.APIURL(), "SLACK_BOT_TOKEN=xoxb-old", "SLACK_APP_TOKEN=xapp-fake", "MODEL=old", "OPENAI_BASE_URL=http://127.0.0.1:1/v1",
		"OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR=" + cacheDir(), "DATABASE_URL=t.db"}
	var out bytes.Buffer
	const none = "5" // after the one that is set
	typed := []string{inSlack, none, "xoxb-fake", ""}
	dir := t.TempDir()
	run(t.Context(), []string{"init"}, system{In: strings.NewReader(strings.Join(typed, "\n") + "\n"), InTerminal: true, Out: &out, Err: &out, Environ: environ, Dir: dir})
	const want = "What you just chose is overridden by MODEL (environment) and SLACK_BOT_TOKEN (environment); change or remove it there.\n"
	if said, tested := strings.Index(out.String(), want), strings.Index(out.String(), "FAIL  Slack "); said < 0 || tested < said {
		t.Errorf("not said before the test:\n%s", out.String())
	}
	// A person has the environment's tokens in every shell, a script may lose them when it ends.
	const kept = "Not copied from the environment: SLACK_APP_TOKEN.\n"
	if env, err := os.ReadFile(filepath.Join(dir, ".env")); err != nil || !strings.Contains(string(env), "=xoxb-fake\n") || strings.Contains(string(env), "xapp-fake") || !strings.Contains(out.String(), kept) {
		t.Errorf("%s, %v\n%s", env, err, &out)
	}
	out.Reset()
	dir = t.TempDir()
	run(t.Context(), []string{"init", "--yes", "--for", "slack"}, system{In: strings.NewReader(""), Out: &out, Err: &out, Environ: environ, Dir: dir})
	if env, err := os.ReadFile(filepath.Join(dir, ".env")); err != nil || !strings.Contains(string(env), "SLACK_APP_TOKEN=xapp-fake\n") || strings.Contains(out.String(), kept) {
		t.Errorf("%s, %v\n%s", env, err, &out)
	}
	dir = t.TempDir()
	if code, shown := initialised(t, dir, environ[:1], inSlack, noModel, "xoxb-fake", "xapp-fake"); hasEngine() && code != exitOK || strings.Contains(shown, "overridden") {
		t.Errorf("nothing overrides it: %d\n%s", code, shown)
	}
	if err := os.WriteFile(filepath.Join(dir, config.DefaultFile), []byte("model: from-yaml\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := config.Overridden(config.Sources{Dir: dir}, map[string]string{"MODEL": "", "SLACK_BOT_TOKEN": "xoxb-fake"}); len(got) != 1 || !strings.HasSuffix(got[0], config.DefaultFile+": model") {
		t.Errorf("a file beats a choice of none: %q", got)
	}
}

// TestInitWritesTheSettingsOfItsFlags, which doctor and the first answer use then.
func TestInitWritesTheSettingsOfItsFlags(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	run(t.Context(), []string{"init", "--yes", "--db", "my notes.db", "--token-threshold", "5000"}, system{In: strings.NewReader(""), Out: &out, Err: &out,
		Environ: []string{"OLLAMA_HOST=127.0.0.1:1", "CACHE_DIR=" + cacheDir()}, Dir: dir})
	database := filepath.Join(dir, "my notes.db")
	cfg, err := config.Load(config.Sources{Dir: dir, Environ: []string{"HOME=" + dir}})
	if err != nil || cfg.DatabaseURL != database || cfg.TokenThreshold != 5000 || !strings.Contains(out.String(), "ok    database         "+database) {
		t.Errorf("%+v, %v\n%s", cfg, err, &out)
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

// walk is one run of init: what is typed after the place and no model, its exit code, and what is shown, in this order.
type walk struct {
	typed []string
	code  int
	shows []string
}

// walks runs init several times in one folder.
func walks(t *testing.T, place string, environ []string, all ...walk) {
	t.Helper()
	dir := t.TempDir()
	for i, w := range all {
		code, shown := initialised(t, dir, environ, append([]string{place, noModel}, w.typed...)...)
		if code != w.code {
			t.Fatalf("run %d ended with %d:\n%s", i+1, code, shown)
		}
		rest := shown
		for _, want := range w.shows {
			_, behind, ok := strings.Cut(rest, want)
			if !ok {
				t.Fatalf("run %d: %q is not there or too early:\n%s", i+1, want, shown)
			}
			rest = behind
		}
	}
}

const again = "run threadkeeper init again"

// TestInitOfSlack: each wrong token has its sentence and is asked for again; what cannot be put right there, doctor says.
func TestInitOfSlack(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	const good, other = "xapp-1-" + fakeslack.AppID + "-1-f00d", "xapp-1-" + fakeslack.OtherAppID + "-1-f00d"
	for name, c := range map[string]struct {
		options fakeslack.Options
		revoke  string
		walks   []walk
	}{
		"pasted wrong": {walks: []walk{
			{[]string{"xoxp-of-a-person", "xoxb-mistaken", "xoxb-fake", "xoxb-fake", "xapp-mistaken", "xapp-fake"}, exitOK, []string{
				"should start with xoxb-", "Slack does not recognise SLACK_BOT_TOKEN", "Enter keeps the current one", "should start with xapp-",
				"Slack does not recognise SLACK_APP_TOKEN", "ok    Slack events", "threadkeeper serve"}},
			{nil, exitOK, []string{"ok    Slack events"}}, // with what is in .env
		}},
		"revoked": {revoke: "token_revoked", walks: []walk{
			{[]string{"xoxb-fake", "", "xapp-fake"}, exitFailed, []string{"no longer valid: install the app again", "FAIL  Slack ", again}}}},
		"of another app": {options: fakeslack.Options{AppToken: other}, walks: []walk{
			{[]string{"xoxb-fake", other, ""}, exitFailed, []string{"SLACK_APP_TOKEN belongs to app " + fakeslack.OtherAppID, "FAIL  Slack events", again}}}},
		"without a scope": {options: fakeslack.Options{AppToken: good, Scopes: []string{"app_mentions:read", "chat:write", "files:read"}}, walks: []walk{
			{[]string{"xoxb-fake", good}, exitFailed, []string{"FAIL  Slack scopes", "files:write is missing", "install the app again", again}}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.AgentView = true
			slack := fakeslack.New(c.options)
			defer slack.Close()
			if c.revoke != "" {
				slack.Revoke(c.revoke)
			}
			walks(t, inSlack, []string{"SLACK_API_URL=" + slack.APIURL()}, c.walks...)
		})
	}
	slack := fakeslack.New(fakeslack.Options{})
	slack.Close()
	walks(t, inSlack, []string{"SLACK_API_URL=" + slack.APIURL()},
		walk{[]string{"xoxb-fake", "xapp-fake"}, exitFailed, []string{"FAIL  Slack ", "Slack cannot be reached from here", again}})
}

// TestInitOfDiscord likewise.
func TestInitOfDiscord(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	const token = "MTk4NjIyNDgz.Cl2FMQ.token"
	none := 0
	for name, privileged := range map[string]*int{"whole": nil, "without the intent": &none} {
		t.Run(name, func(t *testing.T) {
			discord := fakediscord.New(fakediscord.Options{Token: token, Privileged: privileged})
			defer discord.Close()
			environ := []string{"DISCORD_API_URL=" + discord.URL()}
			walks(t, inDiscord, environ, walk{[]string{"mistaken", token, ""}, exitFailed, []string{
				"DISCORD_TOKEN is wrong", "https://discord.com/oauth2/authorize?", "the bot is not on any server: open the link", again}})
			discord.AddChannel(discord.AddGuild("Workshop"), fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
			last := walk{[]string{token, ""}, exitOK, []string{"ok    Discord intents", "threadkeeper serve"}}
			if privileged != nil {
				last = walk{last.typed, exitFailed, []string{"FAIL  Discord intents", "Message Content Intent is off", "turn on", again}}
			}
			walks(t, inDiscord, environ, last)
		})
	}
}
