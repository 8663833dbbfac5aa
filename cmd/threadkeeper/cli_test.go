package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"threadkeeper/bot/console"
)

// TestAWrongCommandLineNamesTheHelpToRead of the command that was meant, and no value that nobody can type.
func TestAWrongCommandLineNamesTheHelpToRead(t *testing.T) {
	for line, want := range map[string]string{
		"--nosuch":                "(see threadkeeper --help)",
		"chekc":                   `did you mean "check"? (see threadkeeper --help)`,
		"import --threed":         "(see threadkeeper import --help)",
		"manifest teams":          "(see threadkeeper manifest --help)",
		"What does it cost":       `unexpected argument What. A question goes in quotes: threadkeeper "What does it cost" (see threadkeeper --help)`,
		"what does it cost":       `unexpected argument what. A question goes in quotes: threadkeeper "what does it cost" (see threadkeeper --help)`,
		"what does it cost r.pdf": `A question goes in quotes: threadkeeper "what does it cost" r.pdf (see threadkeeper --help)`,
		"memory status":           "memory is a command in a conversation: threadkeeper chat, then /memory status (see threadkeeper --help)",
		"tour":                    "tour is a command in a conversation: threadkeeper chat, then /tour (",
		"models":                  "there is no command models; as a question: threadkeeper ask models (see threadkeeper --help)",
		"run llama3":              "there is no command run; as a question: threadkeeper ask run (",
		"chat Why?":               `chat takes no question: threadkeeper "question" asks one (see threadkeeper chat --help)`,
		"chat --thread":           "--thread needs a value (see threadkeeper chat --help)",
		"ask Why? --file r.pdf":   `unknown flag --file; files follow the question: threadkeeper "question" report.pdf (see threadkeeper ask --help)`,
		"ask":                     `ask needs a question: threadkeeper ask "What does the roaster cost?" report.pdf (see threadkeeper ask --help)`,
		"restore":                 "restore needs a file: threadkeeper restore monday.db (see threadkeeper restore --help)",
		"--db x.db chekc":         `did you mean "check"? (see threadkeeper --help)`,
		"-m x models":             "there is no command models; as a question: threadkeeper ask models (",
		"ask Why? -x":             "unknown flag -x (see threadkeeper ask --help)",
		"ask Why? -m":             "needs a value",
		"ask Why? --as":           "--as needs a value (see threadkeeper ask --help)",
		"-c":                      `-c needs a question: threadkeeper -c "And then?" (see threadkeeper --help)`,
		"usage --days x":          `expected a whole number but got "x" (see threadkeeper usage --help)`,
		"init --for teams":        `one of "terminal", "slack", "discord" but got "teams" (see threadkeeper init --help)`,
	} {
		if _, errs, code := told(t, strings.Fields(line)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", line, code, errs)
		}
	}
}

// TestAFileWhereNoneIsTaken is answered with the command line that takes it.
func TestAFileWhereNoneIsTaken(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"-report.txt", "report.txt", "import"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("Sales rose.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"report.txt":           `report.txt is a file: threadkeeper "question" report.txt asks about it (`,
		"report.txt Why?":      `report.txt is a file: threadkeeper "question" report.txt asks about it (`,
		"ask report.txt Why?":  `The question comes first: threadkeeper ask "What does it cost?" report.txt`,
		"ask Why? -report.txt": "unknown flag -r; the file of that name is ./-report.txt (",

		"ask Why? report.txt -report.txt": "unknown flag -r; the file of that name is ./-report.txt (",
		"ask Why? --jsn -report.txt":      "unknown flag --jsn, did you mean",
		"import --threed x":               "unknown flag --threed, did you mean",
	} {
		var errs bytes.Buffer
		code := run(t.Context(), strings.Fields(line), system{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir}})
		if code != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: %d %s", line, code, &errs)
		}
	}
}

// TestFilesThatCannotBeUsed get one sentence, which names the file and says what to do.
func TestFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"text.db": "no database\n", "empty.db": "", "answer.md": "Sales rose.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const another = "name another file with --db or DATABASE_URL"
	for line, want := range map[string]string{
		"restore text.db":                        "text.db is not a complete Threadkeeper backup: name a file that threadkeeper backup wrote",
		"restore empty.db":                       "empty.db is not a complete Threadkeeper backup",
		"usage --db empty.db":                    "empty.db is not a Threadkeeper database: " + another,
		"usage --db text.db":                     "it is damaged, or not a Threadkeeper database; restore a backup if it was one, or " + another,
		"import answer.md --db text.db":          "it is damaged, or not a Threadkeeper database",
		"export --db .":                          "it is a folder; " + another,
		"ask Why? --db .":                        "it is a folder; " + another,
		"ask Why? --db answer.md/t.db":           "a part of its path is not a folder; " + another,
		"check answer.md .":                      "is a folder: name files in it",
		"check answer.md none.pdf":               "there is no file ",
		"check answer.md answer.md --html no/x.": "cannot open " + filepath.Join(dir, "no", "x."),
	} {
		var errs bytes.Buffer
		code := run(t.Context(), strings.Fields(line), system{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir}})
		text := errs.String()
		if code == exitOK || !strings.Contains(text, want) || strings.Count(text, "\n") > 1 || strings.Contains(text, "memory:") {
			t.Errorf("%s: %d %s", line, code, text)
		}
	}
}

// TestPipedFilesAreNoConversation unless they are text.
func TestPipedFilesAreNoConversation(t *testing.T) {
	for _, data := range []string{"%PDF-1.7\nText\n", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n"} {
		var out, errs bytes.Buffer
		dir := t.TempDir()
		code := run(t.Context(), []string{"--db", "t.db"}, system{In: bufio.NewReader(strings.NewReader(data)), Out: &out, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir}})
		if code != exitUsage || out.Len() > 0 || errs.String() != "threadkeeper: this is not text; ask about it: threadkeeper \"question\" < report.pdf\n" {
			t.Errorf("%q: %d %s%s", data, code, out.String(), errs.String())
		}
	}
}

// closedOutput is an output that takes nothing.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// TestAnOutputThatIsLostIsAnError of commands that print line by line, too.
func TestAnOutputThatIsLostIsAnError(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{"version", "help json", "import - --db t.db", "ask hello? --db t.db"} {
		var errs bytes.Buffer
		code := run(t.Context(), strings.Fields(line), system{In: strings.NewReader(""), Out: closedOutput{}, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir}})
		if code != exitFailed || errs.String() != "threadkeeper: cannot write /dev/stdout: the disk is full\n" {
			t.Errorf("%s: %d %s", line, code, errs.String())
		}
	}
}

// TestAMissingFileIsNamed by every command that takes one, without the words of the system.
func TestAMissingFileIsNamed(t *testing.T) {
	for _, line := range []string{"check none.md none.pdf", "import none.jsonl", "restore none.db", "usage --config none.yaml", "ask Why? none.pdf", "chat --attach none.pdf"} {
		_, errs, code := told(t, strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(errs, "there is no file ") || strings.Contains(errs, "no such file") {
			t.Errorf("%s: %d %s", line, code, errs)
		}
	}
	if _, errs, code := told(t, "import", "."); code != exitUsage || !strings.Contains(errs, "is a folder") {
		t.Errorf("a folder: %d %s", code, errs)
	}
	for _, line := range []string{"ask --json Why? none.pdf", "chat --json --attach none.pdf"} {
		out, _, code := told(t, strings.Fields(line)...)
		var o console.Object
		if err := json.Unmarshal([]byte(out), &o); err != nil || code != exitUsage || o.Kind != "error" || o.Error == nil || *o.Error != "no_file" || !strings.Contains(o.Text, "none.pdf") {
			t.Errorf("%s: %d %s, %v", line, code, out, err)
		}
	}
}

// TestABackupIsAFile, and not a folder that --force could replace.
func TestABackupIsAFile(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"chat", "--db", "t.db"}, {"backup", "--db", "t.db", "."}, {"backup", "--db", "t.db", ""}} {
		var errs bytes.Buffer
		code := run(t.Context(), args, system{In: strings.NewReader("hello\n"), Out: io.Discard, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir}})
		if backup := args[0] == "backup"; (code != exitOK) != backup || strings.Contains(errs.String(), "is a folder: name a file") != backup || strings.Contains(errs.String(), "--force") {
			t.Errorf("%q: %d %s", args, code, errs.String())
		}
	}
}
