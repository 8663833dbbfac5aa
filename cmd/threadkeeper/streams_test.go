package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// TestAnswersAreOnStdoutAndErrorsOnStderr for every command: what works says nothing on standard error, what fails
// nothing on standard output.
func TestAnswersAreOnStdoutAndErrorsOnStderr(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"notes.txt": "The roaster costs 38,700 euros.\n", "answer.md": "The roaster costs 38,700 euros.\n",
		"talk.jsonl": `{"role":"user","author":"Ada","text":"We meet at nine."}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	slack, err := memory.Open(t.Context(), filepath.Join(dir, "slack.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = slack.Locate(t.Context(), memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1"}, memory.Channel{Kind: memory.Public}, memory.Person{PlatformID: "U1", Name: "Ada"})
	if err := errors.Join(err, slack.Close()); err != nil {
		t.Fatal(err)
	}
	// In this order: a command finds what those before it made. The second command of a pair fails.
	pairs := map[string][2]string{
		"import":   {"import --thread main talk.jsonl", "import none.jsonl"},
		"chat":     {"chat", "chat --attach none.txt"},
		"ask":      {"ask When? " + filepath.Join(dir, "notes.txt"), "ask When? none.txt"},
		"check":    {"check answer.md notes.txt", "check answer.md none.txt"},
		"threads":  {"threads", "threads --db none.db"},
		"export":   {"export", "export --thread none"},
		"backup":   {"backup copy.db", "backup copy.db"},
		"rebuild":  {"rebuild", "rebuild --thread none"},
		"usage":    {"usage", "usage --db none.db"},
		"report":   {"report", "report --db none.db"},
		"doctor":   {"doctor", "doctor --workers none"},
		"restore":  {"restore copy.db", "restore talk.jsonl"},
		"erase":    {"erase --db slack.db --workspace T1 --yes", "erase --db slack.db --workspace T2 --yes"},
		"manifest": {"manifest slack", "manifest none"},
		"help":     {"help json", "help none"},
		"version":  {"version", "version none"},
		"init":     {"init --yes --for terminal", "init --yes --for nowhere"},
		"serve":    {"", "serve"}, // it answers elsewhere
	}
	order := []string{"import", "chat", "ask", "check", "threads", "export", "backup", "rebuild", "usage", "report", "doctor", "restore", "erase", "manifest", "help", "version", "init", "serve"}
	for name := range examples {
		if !slices.Contains(order, strings.Fields(name)[0]) {
			t.Errorf("%s is not tried", name)
		}
	}
	for _, name := range order {
		for i, line := range pairs[name] {
			if line == "" {
				continue
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), strings.Fields(line), system{In: strings.NewReader("We meet at nine.\n"), Out: &out, Err: &errs, Dir: dir,
				Environ: []string{"HOME=" + dir, "DATABASE_URL=test.db", "CACHE_DIR=" + cacheDir()}})
			if works := i == 0; works != (code == exitOK) || works != (out.Len() > 0) || works != (errs.Len() == 0) {
				t.Errorf("%s: %d\nstandard output: %s\nstandard error: %s", line, code, &out, &errs)
			}
		}
	}
}

// TestAModelIsChosenForOneQuestion by --model, before or behind it, with the command's name or without.
func TestAModelIsChosenForOneQuestion(t *testing.T) {
	model, err := fakemodel.Start(fakemodel.Options{Script: []fakemodel.Rule{{Say: "ANSWER\nThe tide comes with the moon."}}})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	for i, args := range [][]string{
		{"--model", "large", "Why are there tides, in a few words?"},
		{"Why are there tides, in a few words?", "--model=large"},
		{"ask", "--model", "large", "Why are there tides, in a few words?"},
		{"-c", "--model", "large", "And why are there tides?"},
	} {
		cmd := program(t.Context(), t, t.TempDir(), args...)
		if i == 3 { // continues a thread
			first := program(t.Context(), t, cmd.Dir, "Why are there tides?")
			if out, err := first.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		cmd.Env = append(cmd.Env, "MODEL=small", "MODEL_WINDOW=8192", "OPENAI_BASE_URL="+model.URL())
		before := len(model.Requests())
		out, err := cmd.CombinedOutput()
		asked := model.Requests()[before:]
		if err != nil || !strings.Contains(string(out), "The tide comes with the moon.") || len(asked) == 0 ||
			slices.ContainsFunc(asked, func(r fakemodel.Request) bool { return r.Model != "large" }) {
			t.Errorf("%q: %v, %d calls\n%s", args, err, len(asked), out)
		}
	}
}
