package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
)

// readmeExamples are the commands of the README that end by themselves, and what each answers without a model and with one.
var readmeExamples = map[string][2]string{
	"threadkeeper check --example":                                                                            {"✗ After the storm", "✗ After the storm"},
	"threadkeeper check answer.md contract.pdf":                                                               {"✓ The new roaster costs €38,700.", "✓ The new roaster costs €38,700."},
	`threadkeeper ask "What does the new roaster cost?" docs/testdata/sample.pdf`:                             {"€38,700, to be delivered", "[1] sample.pdf, page 6: "},
	`cat minutes.txt | threadkeeper "What was decided?"`:                                                      {"We decided to buy the roaster.", "[1] standard-input.txt, line 1: "},
	`threadkeeper -c "And who voted against it?"`:                                                             {"Ada voted against it.", "[1] standard-input.txt, line 2: "},
	`printf 'What does the new roaster cost?\n' | threadkeeper chat --json --attach docs/testdata/sample.pdf`: {`"document":"sample.pdf","page":6`, `"document":"sample.pdf","page":6`},
}

// TestTheReadmesExamplesRun as they stand there, in its order, without a model and with one.
func TestTheReadmesExamplesRun(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := fakemodel.Parse(readmeModel)
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start(fakemodel.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	for i, environ := range [][]string{nil, {"MODEL=test-model", "JUDGE_MODEL=off", "MODEL_WINDOW=8192", "OPENAI_BASE_URL=" + model.URL()}} {
		dir := newcomersFolder(t)
		ran := 0
		for line := range strings.Lines(string(readme)) {
			command, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
			command = strings.TrimPrefix(command, "$ ")
			want, known := readmeExamples[command]
			if !indented || !known {
				if indented && strings.Contains(command, "threadkeeper ") && !endless(command) {
					t.Errorf("not tried: %s", command)
				}
				continue
			}
			ran++
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			start := program(t.Context(), t, dir)
			cmd.Dir = dir
			cmd.Env = append(start.Env, append(environ, "PATH="+dir+":"+os.Getenv("PATH"))...)
			out, err := cmd.Output()
			if !strings.Contains(string(out), want[i]) || err != nil && !strings.Contains(command, "--example") {
				t.Errorf("%s\n%v: no %q in\n%s", command, err, want[i], out)
			}
		}
		if ran != len(readmeExamples) {
			t.Errorf("%d of %d examples stand in the README", ran, len(readmeExamples))
		}
	}
}

// endless reports whether a command is one that waits for people or servers.
func endless(command string) bool {
	return strings.HasPrefix(command, "git clone") || strings.HasSuffix(command, " serve") || strings.Contains(command, " init ")
}

// newcomersFolder has what the README's examples name.
func newcomersFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sample, err := os.ReadFile("../../docs/testdata/sample.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "docs/testdata"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"docs/testdata/sample.pdf": string(sample), "contract.pdf": string(sample),
		"answer.md": "The new roaster costs €38,700.\n", "minutes.txt": "We decided to buy the roaster.\nAda voted against it.\n"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readmeModel answers the questions of the README.
const readmeModel = `when /What does the new roaster cost/ on prompt:
say: ANSWER
  It costs €38,700 [d1 p6 "12-kilogram electric roaster from Ferrum & Sons for €38,700"].

when /who voted against it/ on prompt:
say: ANSWER
  Ada voted against it [d1 p1 "Ada voted against it"].

when /What was decided/ on prompt:
say: ANSWER
  They decided to buy the roaster [d1 p1 "We decided to buy the roaster"].
`
