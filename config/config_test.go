package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDefaults(t *testing.T) {
	c, err := Load(Sources{Environ: []string{"HOME=/home/ada", "XDG_DATA_HOME=/data", "XDG_CACHE_HOME=/cache"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		ModelTimeout: 2 * time.Minute, TokenThreshold: 10_000, WindowInteractions: 10, Clarify: "when-it-helps", TurnTokens: 10_000, TurnTokensMax: 40_000,
		MaxPages: 1500, MaxFileMB: 50, PDFTimeout: 2 * time.Minute, PDFWorkers: 2, OCRLanguages: "eng", ScanWait: 10 * time.Minute, Workers: 8,
		TurnTimeout: 5 * time.Minute, LogLevel: "warn", LogFormat: "text",
		SlackAgentView: true, DiscordShards: 1, Follow: "thread", Reply: "thread", MessagesPerMinute: 20, TurnsPerPerson: 4, QueuePerPerson: 20, GoneGrace: 24 * time.Hour,
		DatabaseURL: filepath.Join("/data", "threadkeeper", "threadkeeper.db"),
		CacheDir:    filepath.Join("/cache", "threadkeeper"),
	}
	if *c != want {
		t.Errorf("got  %+v\nwant %+v", *c, want)
	}
	if c.Level() != slog.LevelWarn {
		t.Errorf("level %v", c.Level())
	}
}

func TestStrongerSourceWins(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, DefaultFile, "model: yaml\nworkers: 3\nmax_pages: 7\nclarify: never\n")
	write(t, dir, ".env", "MODEL=dotenv\nWORKERS=4\nMAX_PAGES=9\nSOMEBODY_ELSES=1\n")
	c, err := Load(Sources{
		Dir:     dir,
		Environ: []string{"HOME=/h", "MODEL=environment", "WORKERS=5", "MAX_PAGES="},
		Flags:   map[string]string{"model": "flag"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Model != "flag" || c.Workers != 5 || c.MaxPages != 9 || c.Clarify != "never" {
		t.Errorf("got model %q, workers %d, pages %d, clarify %q", c.Model, c.Workers, c.MaxPages, c.Clarify)
	}
}

// TestALineOfDotenvThatIsNone hides no other line, and what stands beside it stays secret.
func TestALineOfDotenvThatIsNone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".env", "export OOPS\nWORKERS=many\nLONG=\"one\ntwo\"\nMY-KEY=1\nOPENAI_API_KEY=sk-secret\nMODEL=\"never closed\nMAX_PAGES=-1\n")
	_, err := Load(Sources{Dir: dir, Environ: []string{"HOME=/h"}})
	want := ".env: line 1 is not NAME=value\n.env: line 5 is not NAME=value\n.env: line 7 is not NAME=value\n" +
		"MAX_PAGES (.env): -1 is less than 1\nWORKERS (.env): \"many\" is not a whole number"
	if fmt.Sprint(err) != want {
		t.Errorf("got\n%v", err)
	}
}

// TestAnErrorQuotesNoOtherSetting that stands in one line with the wrong one, or between its quotes.
func TestAnErrorQuotesNoOtherSetting(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".env", "WORKERS=4 OPENAI_API_KEY=sk-secret\nMAX_PAGES=\"9\nSLACK_BOT_TOKEN=xoxb-secret\"\n")
	_, err := Load(Sources{Dir: dir, Environ: []string{"HOME=/h", "LOG_FORMAT=json ANTHROPIC_API_KEY=sk-secret"}})
	for _, want := range []string{`WORKERS (.env): "4 …" is not`, `MAX_PAGES (.env): "9 …" is not`, `"json …" is not one of`} {
		if got := fmt.Sprint(err); !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestTheUsersOwnFile counts in every folder where neither .env nor threadkeeper.yaml says who answers.
func TestTheUsersOwnFile(t *testing.T) {
	home := t.TempDir()
	sources := Sources{Environ: []string{"HOME=/h", "XDG_CONFIG_HOME=" + home}}
	if err := os.MkdirAll(filepath.Dir(sources.UserFile()), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Dir(sources.UserFile()), ".env", "MODEL=mine\nWORKRES=3\n")
	for text, want := range map[string]string{"": "mine", "SOMEBODY_ELSES=1": "mine", "DATABASE_URL=postgres://h/d": "mine", "LOG_LEVEL=debug\nMAX_PAGES=4": "mine", "MODEL=here": "here", "OPENAI_API_KEY=k": ""} {
		sources.Dir = t.TempDir()
		write(t, sources.Dir, ".env", text+"\n")
		if c, err := Load(sources); err != nil || c.Model != want {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
		warned := strings.Contains(strings.Join(Warnings(sources), "\n"), sources.UserFile()+": WORKRES is not a setting, did you mean WORKERS?")
		if warned != (want == "mine") {
			t.Errorf("%q: it warns of %q", text, Warnings(sources))
		}
	}
	sources.Dir = t.TempDir()
	write(t, sources.Dir, DefaultFile, "discord_token: x\n")
	if c, err := Load(sources); err != nil || c.Model != "" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestTheUsersKeyStaysAtItsEndpoint: one from the environment or a flag is not mixed with it, either way.
func TestTheUsersKeyStaysAtItsEndpoint(t *testing.T) {
	home := t.TempDir()
	environ := []string{"HOME=/h", "XDG_CONFIG_HOME=" + home}
	file := Sources{Environ: environ}.UserFile()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const url = "http://mine/v1"
	write(t, filepath.Dir(file), ".env", "MODEL=mine\nOPENAI_API_KEY=K\nOPENAI_BASE_URL="+url+"\nANTHROPIC_API_KEY=A\n")
	for _, test := range []struct {
		environ, flag    string
		model, key, base string
		claude           Secret
		warns            string
	}{
		{"", "", "mine", "K", url, "A", ""},
		{"OPENAI_API_KEY=K", "", "mine", "K", url, "A", ""},
		{"OPENAI_API_KEY=other", "", "", "other", "", "A", file + ": not used with OPENAI_API_KEY (environment): OPENAI_BASE_URL, MODEL"},
		{"OPENAI_BASE_URL=http://other/v1", "", "mine", "", "http://other/v1", "A", file + ": not used with OPENAI_BASE_URL (environment): OPENAI_API_KEY"},
		{"", "http://other/v1", "mine", "", "http://other/v1", "A", file + ": not used with --openai-base-url: OPENAI_API_KEY"},
		{"ANTHROPIC_BASE_URL=http://other", "", "mine", "K", url, "", file + ": not used with ANTHROPIC_BASE_URL (environment): ANTHROPIC_API_KEY"},
	} {
		sources := Sources{Environ: append(slices.Clone(environ), test.environ), Dir: t.TempDir(), Flags: map[string]string{"openai_base_url": test.flag}}
		c, err := Load(sources)
		if err != nil || c.Model != test.model || string(c.OpenAIAPIKey) != test.key || c.OpenAIBaseURL != test.base || c.AnthropicAPIKey != test.claude {
			t.Errorf("%q %q: %+v, %v", test.environ, test.flag, c, err)
		}
		if got := strings.Join(Warnings(sources), "\n"); got != test.warns {
			t.Errorf("%q %q: it warns of %q", test.environ, test.flag, got)
		}
	}
}

// TestTheUsersModelOfAnotherProviderStays where only the endpoint of the other one is left out.
func TestTheUsersModelOfAnotherProviderStays(t *testing.T) {
	sources := Sources{Environ: []string{"HOME=/h", "XDG_CONFIG_HOME=" + t.TempDir(), "OPENAI_API_KEY=other"}, Dir: t.TempDir()}
	if err := os.MkdirAll(filepath.Dir(sources.UserFile()), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Dir(sources.UserFile()), ".env", "MODEL=claude-sonnet-4-5\nANTHROPIC_API_KEY=A\nFALLBACK_MODEL=qwen3\nJUDGE_MODEL=off\nOPENAI_BASE_URL=http://mine/v1\nMODELS=claude-haiku-4-5\n")
	c, err := Load(sources)
	if err != nil || c.Model != "claude-sonnet-4-5" || c.AnthropicAPIKey != "A" || c.FallbackModel != "" || c.JudgeModel != "off" || c.OpenAIBaseURL != "" || c.Models != "claude-haiku-4-5" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestEveryProblemAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "my.yaml", "modle: x\nworkers: 0\nclarify: [a]\n")
	_, err := Load(Sources{
		Dir:     dir,
		File:    filepath.Join(dir, "my.yaml"),
		Environ: []string{"HOME=/h", "MAX_PAGES=many", "MODEL_TIMEOUT=5", "OPENAI_BASE_URL=localhost:11434", "DATABASE_URL=postgres://x/y"},
		Flags:   map[string]string{"log_level": "loud"},
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`unknown setting "modle", did you mean "model"?`, "clarify: expected a single value", "my.yaml: workers: 0 is less than 1",
		`MAX_PAGES (environment): "many" is not a whole number`, `"5" is not a duration`, "OPENAI_BASE_URL",
		"SQLite only", `--log-level: "loud" is not one of debug, info, warn, error, trace, warning`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in:\n%v", want, err)
		}
	}
}

func TestFileThatMustBeThere(t *testing.T) {
	if _, err := Load(Sources{Environ: []string{"HOME=/h"}, File: filepath.Join(t.TempDir(), "none.yaml")}); err == nil {
		t.Error("a missing file was accepted")
	}
}

func TestDatabasePath(t *testing.T) {
	for address, want := range map[string]string{
		"a/b.db": "a/b.db", "sqlite:a.db": "a.db", "sqlite:///var/a.db": "/var/a.db", "file:/x.db": "/x.db",
		`C:\a.db`: `C:\a.db`, "odd:name.db": "odd:name.db",
	} {
		if got, err := databasePath(address); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", address, got, err, want)
		}
	}
	for _, address := range []string{"mysql://a/b", "sqlite:", "postgresql://a"} {
		if got, err := databasePath(address); err == nil {
			t.Errorf("%s was accepted as %q", address, got)
		}
	}
}

// TestAnotherProgramsDotenv is left alone: its database, its log level, and an empty file that is to become one.
func TestAnotherProgramsDotenv(t *testing.T) {
	home := []string{"HOME=/h", "XDG_DATA_HOME=/data"}
	const ours = "/data/threadkeeper/threadkeeper.db"
	for line, want := range map[string]string{
		"DATABASE_URL=file:./dev.db":           ours,
		"DATABASE_URL=sqlite:///app.db":        ours,
		"DATABASE_URL=postgres://u:p@h/d":      ours,
		"DATABASE_URL=mongodb+srv://h/d":       ours,
		"DATABASE_URL=empty.db":                ours,
		"DATABASE_URL=sqlite:empty.db":         ours,
		"LOG_LEVEL=verbose":                    ours,
		"DATABASE_URL=sqlite:new.db":           "new.db",
		"DATABASE_URL=new.db":                  "new.db",
		"DATABASE_URL=new.db\nLOG_LEVEL=trace": "new.db",
	} {
		dir := t.TempDir()
		write(t, dir, "empty.db", "")
		write(t, dir, ".env", line+"\n")
		sources := Sources{Dir: dir, Environ: home}
		c, err := Load(sources)
		if err != nil || c.DatabaseURL != want {
			t.Errorf("%s: %+v, %v", line, c, err)
		}
		if said := Warnings(sources); (len(said) == 1) != (want == ours) {
			t.Errorf("%s: it says %q", line, said)
		}
	}
	// Our lock beside a file says that it is ours, also where creating it was cut short.
	dir := t.TempDir()
	for _, address := range []string{"cut.db", "sqlite://" + filepath.ToSlash(filepath.Join(dir, "cut.db"))} {
		write(t, dir, "cut.db", "")
		write(t, dir, "cut.db.lock", "")
		write(t, dir, ".env", "DATABASE_URL="+address+"\n")
		if c, err := Load(Sources{Dir: dir, Environ: home}); err != nil || !strings.HasSuffix(c.DatabaseURL, "cut.db") || Warnings(Sources{Dir: dir, Environ: home}) != nil {
			t.Errorf("%s: %+v, %v", address, c, err)
		}
	}
	for _, line := range []string{"DATABASE_URL=postgres://x/y", "LOG_LEVEL=verbose"} {
		if _, err := Load(Sources{Dir: t.TempDir(), Environ: append(home, line)}); err == nil {
			t.Errorf("%s in the environment is meant for us and was accepted", line)
		}
	}
}

func TestLogLevelsOfOthers(t *testing.T) {
	for name, want := range map[string]slog.Level{"trace": slog.LevelDebug, "WARNING": slog.LevelWarn, "error": slog.LevelError} {
		c, err := Load(Sources{Dir: t.TempDir(), Environ: []string{"HOME=/h", "LOG_LEVEL=" + name}})
		if err != nil || c.Level() != want {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

func TestNoHome(t *testing.T) {
	if _, err := Load(Sources{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "DATABASE_URL") || !strings.Contains(err.Error(), "CACHE_DIR") {
		t.Errorf("got %v", err)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	c, err := Load(Sources{Dir: t.TempDir(), Environ: []string{"HOME=/h", "OPENAI_API_KEY=sk-very-secret"}})
	if err != nil {
		t.Fatal(err)
	}
	if string(c.OpenAIAPIKey) != "sk-very-secret" {
		t.Fatal("the key was lost")
	}
	var log bytes.Buffer
	lg := slog.New(slog.NewJSONHandler(&log, nil))
	lg.Info("start", "key", c.OpenAIAPIKey, "config", c)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{log.String(), string(asJSON), fmt.Sprintf("%v %+v %#v %s", c, *c, *c, c.OpenAIAPIKey)} {
		if strings.Contains(out, "very-secret") {
			t.Errorf("the key is in %s", out)
		}
		if !strings.Contains(out, hidden) {
			t.Errorf("no %s in %s", hidden, out)
		}
	}
}

// TestHelpHasEverySetting fails when a setting is missing from the table of help settings.
func TestHelpHasEverySetting(t *testing.T) {
	readme, err := os.ReadFile("../cmd/threadkeeper/help/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names() {
		if !strings.Contains(string(readme), "\n| `"+strings.ToUpper(name)+"` |") {
			t.Errorf("help/settings.md has no row for %s", strings.ToUpper(name))
		}
	}
}
