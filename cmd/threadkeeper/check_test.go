package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
)

// checks runs the check command in a folder that holds files, and returns what it says.
func checks(t *testing.T, in string, files map[string]string, args ...string) (code int, out, said string) {
	t.Helper()
	return checksWith(t, nil, in, files, args...)
}

func checksWith(t *testing.T, environ []string, in string, files map[string]string, args ...string) (code int, out, said string) {
	t.Helper()
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"check"}, args...), system{In: strings.NewReader(in), Out: &stdout, Err: &stderr, Dir: dir,
		Environ: append(environ, "CACHE_DIR="+cacheDir(), "DATABASE_URL="+filepath.Join(dir, "threadkeeper.db"))})
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "threadkeeper.db")); err == nil {
		t.Error("it has made the database")
	}
	return code, stdout.String(), stderr.String()
}

// TestTheReadmeShowsWhatTheExampleSays compares the block near its top with the program.
func TestTheReadmeShowsWhatTheExampleSays(t *testing.T) {
	code, out, said := checks(t, "", nil, "--example")
	if code != exitFailed || said != "" {
		t.Errorf("exit status %d, said %q", code, said)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var block strings.Builder
	for line := range strings.Lines("$ threadkeeper check --example\n" + out) {
		if strings.TrimSpace(line) != "" {
			block.WriteString("    ")
		}
		block.WriteString(line)
	}
	if !strings.Contains(string(readme), block.String()) {
		t.Errorf("README.md does not hold\n%s", block.String())
	}
}

// TestCheckTakesPatterns as ask does, for shells that leave them alone.
func TestCheckTakesPatterns(t *testing.T) {
	code, out, said := checks(t, "", map[string]string{"answer.md": "The rent is 1,450 euros a month.\n", "lease.txt": lease}, "--json", "answer.md", "*.txt")
	if code != exitOK || !strings.Contains(out, `"documents":["lease.txt"]`) {
		t.Errorf("%d %s%s", code, out, said)
	}
}

// TestCheckSaysWhatWasNotRead of a document.
func TestCheckSaysWhatWasNotRead(t *testing.T) {
	pdf, err := os.ReadFile("../../docs/testdata/bad-page.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if code, out, said := checks(t, "The rent is high.", map[string]string{"lease.pdf": string(pdf)}, "-", "lease.pdf"); code != exitOK || !strings.Contains(said, "lease.pdf: damaged: page ") {
		t.Errorf("%d %s%s", code, out, said)
	}
}

const lease = "The lease runs until 31 December 2028. The rent is 1,450 euros a month.\n\nEither party may end the lease with a notice period of six months.\n"

// TestWhatACheckSays are answers about a lease, good and hostile, and how the command ends.
func TestWhatACheckSays(t *testing.T) {
	pdfs, err := filepath.Abs("../../docs/testdata")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, answer string
		args         []string
		code         int
		says         string // on standard output, or where it fails on standard error
	}{
		{"what stands there", "The rent is 1,450 euros a month [1].\n", []string{"-", "lease.txt"}, exitOK, "1 supported, 0 contradicted, 0 not found"},
		{"what does not", "The notice period is three months (page 1).", []string{"-", "lease.txt"}, exitFailed, "line 3 says: “Either party may end the lease with a notice period of six months"},
		{"what is not there", "The landlord pays for the garden.", []string{"-", "lease.txt"}, exitOK, "0 supported, 0 contradicted, 1 not found"},
		{"a page that is not there", "The rent is 1,450 euros a month (page 1000000000) [d1 p99999].", []string{"-", "lease.txt"}, exitOK, "1 supported"},
		{"nothing but a question", "What is the rent?", []string{"-", "lease.txt"}, exitOK, "0 supported, 0 contradicted, 0 not found"},
		{"control characters", "The rent\x1b[2J is 1,450 euros a month.", []string{"-", "lease.txt"}, exitOK, "1 supported"},
		{"one line of 5 MB", strings.Repeat("the rent is high and ", 250_000), []string{"-", "lease.txt"}, exitOK, "was not checked"},
		{"no document", "The rent is high.", []string{"-"}, exitUsage, "which documents"},
		{"nothing at all", "", nil, exitUsage, "--example"},
		{"an empty answer", " \n", []string{"-", "lease.txt"}, exitUsage, "empty"},
		{"a PDF as the answer", "", []string{pdfs + "/sample.pdf", "lease.txt"}, exitUsage, "not text"},
		{"no such answer", "", []string{"nothere.md", "lease.txt"}, exitUsage, "nothere.md"},
		{"no such document", "The rent is high.", []string{"-", "nothere.pdf"}, exitUsage, "nothere.pdf"},
		{"a folder", "The rent is high.", []string{"-", "."}, exitUsage, "is a folder"},
		{"a document with a password", "The rent is high.", []string{"-", pdfs + "/encrypted.pdf"}, exitUsage, "password"},
		{"an empty document", "The rent is high.", []string{"-", pdfs + "/empty.pdf"}, exitUsage, "empty.pdf"},
		{"example and files", "", []string{"--example", "a.md", "lease.txt"}, exitUsage, "takes no files"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, said := checks(t, tt.answer, map[string]string{"lease.txt": lease}, tt.args...)
			if tt.code == exitUsage {
				out = said
			}
			if code != tt.code || !strings.Contains(strings.Join(strings.Fields(out), " "), tt.says) || strings.Contains(out, "\x1b") {
				t.Errorf("exit status %d, want %d; %.600q has no %q; %s", code, tt.code, out, tt.says, said)
			}
		})
	}
}

// TestACheckAsJSON holds its shape.
func TestACheckAsJSON(t *testing.T) {
	code, out, _ := checks(t, "# The lease\n\nThe notice period is three months.", map[string]string{"lease.txt": lease}, "-", "lease.txt", "--json")
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	var got checkedObject
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if code != exitFailed || got.Contradicted != 1 || len(got.Statements) != 2 || got.Statements[0].Finding != "no_claim" {
		t.Fatalf("exit status %d: %s", code, out)
	}
	if s := got.Statements[1]; s.Finding != "contradicted" || s.Document != "lease.txt" || s.Page != 1 || !strings.Contains(s.Quote, "six months") || s.Says == "" {
		t.Errorf("%+v", s)
	}
}

// TestWhatCannotBeCheckedIsAnObjectToo: a file that is not there, and one that cannot be read.
func TestWhatCannotBeCheckedIsAnObjectToo(t *testing.T) {
	files := map[string]string{"lease.txt": lease, "broken.pdf": "%PDF-1.4 nothing"}
	for code, args := range map[string][]string{"no_file": {"lease.txt", "none.pdf"}, "unreadable": {"lease.txt", "broken.pdf"}, "failed": {"lease.txt", "lease.txt", "--html=none/page.html"}} {
		exit, out, said := checks(t, "", files, append(args, "--json")...)
		var got checkedObject
		if err := json.Unmarshal([]byte(out), &got); err != nil || exit != exitUsage || got.Error != code || !strings.Contains(said, got.Text) || got.Text == "" {
			t.Errorf("%d %s%s%v", exit, out, said, err)
		}
	}
}

// TestAnAnswerThatMayNotBeReadIsNoFile: nothing stands below a file.
func TestAnAnswerThatMayNotBeReadIsNoFile(t *testing.T) {
	_, out, _ := checks(t, "", map[string]string{"lease.txt": lease}, "lease.txt/answer.md", "lease.txt", "--json")
	if !strings.Contains(out, `"error":"no_file"`) {
		t.Error(out)
	}
}

// TestACheckAsAPage: what people wrote is text there, pages are pictures, and nothing is fetched or run.
func TestACheckAsAPage(t *testing.T) {
	const name = "a<img src=x onerror=alert(1)>.txt"
	text := "The rent is 1,450 euros a month<script>alert(2)</script>.\n\nOat milk made up 31 % of all milk drinks."
	sample, err := filepath.Abs("../../docs/testdata/sample.pdf")
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if code, out, said := checks(t, text, map[string]string{name: lease}, "-", name, sample, "--html", page); code == exitUsage {
		t.Fatal(out, said)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	for _, bad := range []string{"<script", "<img src=x", "http://", "https://", "<link"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{"&lt;script&gt;", "default-src 'none'", `src="data:image/png;base64,`, "sample.pdf, page 5"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestACheckIsJudged by the model that is configured, unless that is off; the output says so, and so does the page that is written.
func TestACheckIsJudged(t *testing.T) {
	rules, err := fakemodel.Parse("when /Neither party/:\n" + `say: {"verdicts": [{"n": 1, "verdict": "contradicted", "page": "d1 p1", "quote": "Either party may end the lease with a notice period of six months."}]}` + "\n\notherwise:\nsay: none\nfault: 401")
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start(fakemodel.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	const neither = "Neither party may end the lease with a notice period of six months."
	with := []string{"MODEL=test-model", "OPENAI_BASE_URL=" + model.URL()}
	for name, c := range map[string]struct {
		environ   []string
		text      string
		says, err string
	}{
		"judged":   {with, neither, "✗ Neither party may end the lease", "test-model reads"},
		"off":      {append(with, "JUDGE_MODEL=off"), neither, "(by rules)", ""},
		"no key":   {nil, neither, "(by rules)", ""},
		"it fails": {with, "The notice period of the lease is six months.", "by test-model: 0 of 1 statements", "did not judge"},
	} {
		code, out, said := checksWith(t, c.environ, c.text, map[string]string{"lease.txt": lease}, "-", "lease.txt")
		if !strings.Contains(out, c.says) || !strings.Contains(said, c.err) || c.err == "" && said != "" || name == "judged" && (code != exitFailed || !strings.Contains(out, "by test-model: 1 of 1")) {
			t.Errorf("%s: %d\n%s%s", name, code, out, said)
		}
	}
}
