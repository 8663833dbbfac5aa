package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata"
)

func TestAQuestionNeedsNoCommand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	commands := []string{"chat", "check", "serve", "ask"}
	for args, want := range map[string]bool{
		"What is it?|report.pdf": true, "What is it": true, "why?": true, "-c|And in 2024?": true, "-c|1": true, "-c|serv": false, "--json|--continue|How so?": true, "--model|large|--db=x.db|How so?": true,
		"": false, "chat": false, "chekc": false, "--json": false, "ask|What is it?": false, "--attach|my report.pdf": false, "--db=a b?": false, "--db|a b?": false, "--help|What is it?": false,
		"summarise|report.txt": true, "--json|summarise|report.txt": true, "summarise|missing.txt": false, "summarise": false, "chekc|report.txt": false,
	} {
		if got := asks(strings.Split(args, "|"), commands, system{Dir: dir}); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
	for args, want := range map[string]bool{
		"ask|why?": true, "-c|And in 2024?": true, "--json|ask|why?": true, "What is it?|report.pdf": true,
		"": false, "--json": false, "serve|--db|my files/x.db": false, "chat|--thread|ask": false, "--db=a b.db|serve": false,
	} {
		if got := asksAtOnce(strings.Split(args, "|")); got != want {
			t.Errorf("%s at once: %v", args, got)
		}
	}
	for args, want := range map[string]bool{"summarise": true, "serv": false} {
		if got := asks([]string{args}, commands, system{In: bufio.NewReader(strings.NewReader("a report"))}); got != want {
			t.Errorf("a report and %s: %v", args, got)
		}
	}
}

func TestPipedInputIsAFile(t *testing.T) {
	for data, want := range map[string]string{
		"some text": "standard-input.txt", "%PDF-1.7\n": "standard-input.pdf", "": "", " \n": "",
		"PK\x03\x04\x14\x00": "standard-input", "\x89PNG\r\n\x1a\n\x00": "standard-input.png", "<!doctype html><p>Hi": "standard-input", `{"a": 1}`: "standard-input.txt", "a\x00b": "standard-input", "BMW sells cars.": "standard-input",
	} {
		path, err := saveInput(t.Context(), strings.NewReader(data), t.TempDir(), 1)
		if err != nil || path == "" && want != "" || path != "" && filepath.Base(path) != want {
			t.Errorf("%q is saved as %q, %v", data, path, err)
		}
	}
	if _, err := saveInput(t.Context(), bytes.NewReader(make([]byte, 1<<20+1)), t.TempDir(), 1); err == nil || !strings.Contains(err.Error(), "MAX_FILE_MB") {
		t.Errorf("too much: %v", err)
	}
}

// TestOneQuestionSaysHowAFileIsAdded to it, and not at a prompt; not to who has just named one that is empty.
func TestOneQuestionSaysHowAFileIsAdded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "empty.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	const added = "name a file after the question"
	for _, tt := range []struct {
		args []string
		says bool
		code int
	}{
		{[]string{"ask", "What does the roaster cost?"}, true, exitOK},
		{[]string{"ask", "What does the roaster cost?", "empty.txt"}, false, exitPartly},
		{[]string{"ask", "summarise the document", "empty.txt"}, false, exitPartly},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), tt.args, system{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: []string{"HOME=" + dir, "CACHE_DIR=" + cacheDir()}})
		if code != tt.code || strings.Contains(out.String(), added) != tt.says || strings.Contains(out.String(), "/attach") || strings.Contains(out.String(), "no document here") != tt.says {
			t.Errorf("%s: %d %s%s", tt.args, code, out.String(), errs.String())
		}
	}
}

// TestADashIsWhatIsPipedIn, as for other commands.
func TestADashIsWhatIsPipedIn(t *testing.T) {
	var out, errs bytes.Buffer
	dir := t.TempDir()
	code := run(t.Context(), []string{"ask", "What is the retry budget?", "-"}, system{In: strings.NewReader("The retry budget is seven attempts.\n"), Out: &out, Err: &errs, Dir: dir,
		Environ: []string{"HOME=" + dir, "CACHE_DIR=" + cacheDir()}})
	if code != exitOK || !strings.Contains(out.String(), "seven attempts") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

// TestAnInputWithoutEndIsLeft when the program is stopped.
func TestAnInputWithoutEndIsLeft(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := saveInput(ctx, in, t.TempDir(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestASourceIsNamedAsItsReaderKnowsIt under an answer, in its object and by /page: by the row of a table, not by a page.
func TestASourceIsNamedAsItsReaderKnowsIt(t *testing.T) {
	dir := t.TempDir()
	var table, code strings.Builder
	table.WriteString("yard;manager\n")
	for i := range 400 {
		fmt.Fprintf(&table, "Y-%d;somebody else\n", i+2)
		fmt.Fprintf(&code, "// step %d does nothing\n", i+1)
	}
	table.WriteString("Y-402;Marguerite Oyelaran\n")
	code.WriteString("// The retry budget of the uploader is seven attempts.\n")
	for name, text := range map[string]string{"yards.csv": table.String(), "upload.go": code.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, stdin, want string }{
		{"ask|Where does Marguerite Oyelaran stand?|yards.csv", "", "[1] yards.csv, row 402: "},
		{"ask|Wo steht Marguerite Oyelaran in der Tabelle?|yards.csv", "", "[1] yards.csv, Zeile 402: "},
		{"ask|What is the retry budget of the uploader?|upload.go", "", "[1] upload.go, line 401: "},
		{"ask|--json|What is the retry budget of the uploader?|upload.go", "", `"place":"line 401"`},
		{"chat|--thread|t|--attach|upload.go", "What is the retry budget of the uploader?\n/page [1]\n", "[1] upload.go, line 401: “// The retry budget of the uploader is seven attempts"},
	} {
		cmd := program(t.Context(), t, dir, strings.Split(tt.args, "|")...)
		cmd.Stdin = strings.NewReader(tt.stdin)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v: no %q in\n%s", tt.args, err, tt.want, out)
		}
		if strings.Contains(string(out), "page 1") || strings.Contains(string(out), "no answer") {
			t.Errorf("%s:\n%s", tt.args, out)
		}
	}
}

// TestASectionIsNamedByItsHeading in the words of each language.
func TestASectionIsNamedByItsHeading(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `<document><body>
		<p><pPr><pStyle val="Heading1"/></pPr><r><t>Holidays</t></r></p><p><r><t>Everybody has thirty days of holidays.</t></r></p>
		<p><pPr><pStyle val="Heading1"/></pPr><r><t>Notice periods</t></r></p><p><r><t>The notice period of drivers is eleven weeks.</t></r></p>
		<p><pPr><pStyle val="Heading1"/></pPr><r><t>Kündigung</t></r></p><p><r><t>Die Kündigungsfrist der Fahrer beträgt elf Wochen.</t></r></p>
		</body></document>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	page := `<!doctype html><h1>Acme</h1><h2>Préavis</h2><p>Le préavis des chauffeurs est de onze semaines.<h2>Preaviso</h2><p>El preaviso de los conductores es de once semanas.`
	for _, tt := range []struct{ args, stdin, want string }{
		{"ask|What is the notice period of drivers?|handbook.docx", "", "[1] handbook.docx, “Notice periods”: "},
		{"ask|Wie lang ist die Kündigungsfrist der Fahrer?|handbook.docx", "", "[1] handbook.docx, „Kündigung“: "},
		{"ask|Quel est le préavis des chauffeurs ?|handbook.html", "", "[1] handbook.html, « Préavis »: "},
		{"ask|¿Cuál es el preaviso de los conductores?|handbook.html", "", "[1] handbook.html, «Preaviso»: "},
		{"ask|--json|What is the notice period of drivers?|handbook.docx", "", `"place":"“Notice periods”"`},
		{"chat|--thread|t|--attach|handbook.docx", "What is the notice period of drivers?\n/page [1]\n", "[1] handbook.docx, “Notice periods”: “The notice period of drivers"},
		{"chat|--thread|u|--attach|handbook.docx", "What is it about?\n", "\n- **Notice periods**: The notice period"},
		{"chat|--thread|v|--attach|handbook.docx", "What about the holidays and the notice periods?\n", "\n“Notice periods”:\n"},
	} {
		dir := t.TempDir() // nothing was asked before
		for name, data := range map[string][]byte{"handbook.docx": b.Bytes(), "handbook.html": []byte(page)} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := program(t.Context(), t, dir, strings.Split(tt.args, "|")...)
		cmd.Stdin = strings.NewReader(tt.stdin)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v: no %q in\n%s", tt.args, err, tt.want, out)
		}
	}
}

// TestAScanIsReadToItsEndBeforeItsAnswer, for as long as somebody wants to wait; the next question in its thread reads on.
func TestAScanIsReadToItsEndBeforeItsAnswer(t *testing.T) {
	dir := t.TempDir()
	engine := pdfium.New(pdfium.Options{CacheDir: cacheDir()})
	defer engine.Close()
	if !hasEngine() || engine.CanReadScans() != nil {
		t.Skip("this build reads no scans")
	}
	last, _, err := engine.Picture(t.Context(), testdata.Sample, 6, "", 150)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "scan.pdf"), testdata.Scan(150, nil, testdata.Grey(last)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, want string
		status     int
	}{
		{"ask|What is it about?|scan.pdf", "scan.pdf", 0},
		{"ask|-c|--scan-wait=1ms|Who supplies the roaster?", "(scan.pdf: not read yet, a scan: p. 2)", 3}, // of what was read in part
		{"ask|-c|Who supplies the roaster?", "[1] scan.pdf, page 2: ", 0},
	} {
		cmd := program(t.Context(), t, dir, strings.Split(tt.args, "|")...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != tt.status || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v: no %q in\n%s", tt.args, err, tt.want, out)
		}
		if tt.want == "scan.pdf" { // the page becomes one that was left
			db, err := sql.Open("sqlite", filepath.Join(dir, "data", "threadkeeper", "threadkeeper.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			for _, change := range []string{"UPDATE pages SET text = '', boxes = NULL WHERE number = 2", "DELETE FROM passages WHERE page = 2"} {
				if _, err := db.ExecContext(t.Context(), change); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// losesFile is standard output of a program whose database is taken away, as a full disk takes its room, once the answer has begun.
type losesFile struct {
	bytes.Buffer
	path string
}

func (w *losesFile) Write(p []byte) (int, error) {
	_ = os.Rename(w.path, w.path+".away") // again for what follows: it is not there any more
	return w.Buffer.Write(p)
}

// TestAnAnswerThatCannotBeStoredEndsTheProgram instead of being tried again for good: one question, and the lines of a pipe.
func TestAnAnswerThatCannotBeStoredEndsTheProgram(t *testing.T) {
	for args, in := range map[string]string{
		"ask|What is the retry budget?|-": "The retry budget is seven attempts.\n",
		"chat":                            "The retry budget is seven attempts.\nWhat is the retry budget?\n/memory status\n",
	} {
		dir := t.TempDir()
		out, errs := losesFile{path: filepath.Join(dir, "t.db")}, bytes.Buffer{}
		code := run(t.Context(), strings.Split(args, "|"), system{In: strings.NewReader(in), Out: &out, Err: &errs, Dir: dir,
			Environ: []string{"HOME=" + dir, "CACHE_DIR=" + cacheDir(), "DATABASE_URL=" + out.path}})
		if code != exitFailed || !strings.Contains(errs.String(), "\nthreadkeeper: nothing can be stored: ") && !strings.HasPrefix(errs.String(), "threadkeeper: nothing can be stored: ") {
			t.Errorf("%s: %d %s%s", args, code, out.String(), errs.String())
		}
	}
}

// TestAQuestionIsStoppedAtOnce, though its model says nothing more. What it said stands on lines of its own.
func TestAQuestionIsStoppedAtOnce(t *testing.T) {
	const said = "The tide comes with the moon."
	model, err := fakemodel.Start(fakemodel.Options{Script: []fakemodel.Rule{{Say: "ANSWER\n" + said + " It goes with it.",
		Fault: fakemodel.Fault{Kind: fakemodel.Held, After: len("ANSWER\n" + said + " It")}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	cmd := program(t.Context(), t, t.TempDir(), "ask", "Why are there tides?")
	cmd.Env = append(cmd.Env, "MODEL=test-model", "JUDGE_MODEL=off", "MODEL_WINDOW=8192", "OPENAI_BASE_URL="+model.URL())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	answer := bufio.NewReader(out)
	begun, err := answer.ReadString('.')
	if err != nil || begun != said {
		t.Fatalf("%q, %v", begun, err)
	}
	err = cmd.Process.Signal(os.Interrupt)
	rest, _ := io.ReadAll(answer)
	if err := errors.Join(err, cmd.Wait()); cmd.ProcessState.ExitCode() != exitFailed || strings.TrimLeft(string(rest), " ") != "\n" || errs.String() != "threadkeeper: stopped\n" {
		t.Errorf("%v: %q %s", err, rest, &errs)
	}
}
