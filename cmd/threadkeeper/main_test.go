package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/console"
	"threadkeeper/docs/pdfium"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	testscript.Main(suite{m}, map[string]func(){"threadkeeper": func() { os.Exit(start()) }})
}

// suite runs more tests side by side than there are processors.
type suite struct{ *testing.M }

func (s suite) Run() int {
	// What runs side by side waits for most of its time.
	if f := flag.Lookup("test.parallel"); f != nil && f.Value.String() == f.DefValue {
		if err := f.Value.Set("8"); err != nil {
			panic(err)
		}
	}
	return s.M.Run()
}

// cacheDir is the one that is used where nothing else is set, as by the tests of other
// packages: compiling the engine takes up to half a minute under the race detector.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "threadkeeper")
}

// hasEngine tells whether this build has the PDF engine; see docs/pdfium/wasm/README.md.
func hasEngine() bool {
	_, err := os.Stat("../../docs/pdfium/wasm/pdfium.wasm")
	return err == nil
}

// TestConversations runs the text files in testdata: the real program on real
// files, with a scripted model where a script starts one.
func TestConversations(t *testing.T) {
	samples, err := filepath.Abs("../../docs/testdata")
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := filepath.Abs("../../memory/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("LC_ALL", "C")
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "data"))
			e.Setenv("CACHE_DIR", cacheDir())
			e.Setenv("PDFS", samples)
			e.Setenv("SAMPLES", conversations)
			for _, limit := range []string{"MODEL_TIMEOUT", "PDF_TIMEOUT", "TURN_TIMEOUT"} {
				e.Setenv(limit, "30m") // the machine may be busy
			}
			return nil
		},
		Condition: func(c string) (bool, error) {
			if c == "engine" {
				return hasEngine(), nil
			}
			return false, fmt.Errorf("unknown condition %q", c)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"answer": answer, "count": count, "fakemodel": startModel, "repeat": repeat, "requests": requests,
		},
	})
}

// answer FILE LINE FIELD REGEXP looks at the JSON object of a line: its field,
// named like memory.compactions, matches. The object with that line must be there once.
func answer(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: answer FILE LINE FIELD REGEXP")
	}
	want, err := regexp.Compile("(?s)" + args[3])
	ts.Check(err)
	var found []string
	for _, l := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
		var o console.Object
		d := json.NewDecoder(strings.NewReader(l))
		d.DisallowUnknownFields()
		if err := d.Decode(&o); err != nil {
			ts.Fatalf("%s: %v", l, err)
		}
		if strconv.Itoa(o.Line) == args[1] {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		ts.Fatalf("%d objects for line %s", len(found), args[1])
	}
	var value any
	ts.Check(json.Unmarshal([]byte(found[0]), &value))
	for _, name := range strings.Split(args[2], ".") {
		m, ok := value.(map[string]any)
		if !ok {
			ts.Fatalf("no %s in %s", args[2], found[0])
		}
		value = m[name]
	}
	text, ok := value.(string)
	if !ok {
		b, err := json.Marshal(value)
		ts.Check(err)
		text = string(b)
	}
	if want.MatchString(text) == neg {
		ts.Fatalf("%s of line %s is %q (match wanted: %v)", args[2], args[1], text, !neg)
	}
}

// count FILE N: the file has N lines.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); neg || strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// repeat FILE FROM TO TEXT adds a line for each number, which replaces {n} in TEXT.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: repeat FILE FROM TO TEXT")
	}
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	to, err := strconv.Atoi(args[2])
	ts.Check(err)
	var b bytes.Buffer
	for n := from; n <= to; n++ {
		fmt.Fprintln(&b, strings.ReplaceAll(args[3], "{n}", strconv.Itoa(n)))
	}
	path := ts.MkAbs(args[0])
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		ts.Fatalf("%v", err)
	}
	ts.Check(os.WriteFile(path, append(old, b.Bytes()...), 0o600))
}

// startModel SCRIPT starts a scripted model and points the settings at it.
func startModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fakemodel SCRIPT")
	}
	rules, err := fakemodel.Parse(ts.ReadFile(args[0]))
	ts.Check(err)
	server, err := fakemodel.Start(fakemodel.Options{Script: rules, Key: "sk-test"})
	ts.Check(err)
	ts.Defer(server.Close)
	ts.Setenv("MODEL", "test-model")
	ts.Setenv("JUDGE_MODEL", "off") // a script that wants it sets it
	ts.Setenv("OPENAI_BASE_URL", server.URL())
	ts.Setenv("OPENAI_API_KEY", "sk-test")
	models.Store(server.URL(), server)
}

// models are the running models by address.
var models sync.Map

// requests N: the model was called N times, and every call was in its script.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	server, ok := models.Load(ts.Getenv("OPENAI_BASE_URL"))
	if !ok {
		ts.Fatalf("no model was started")
	}
	s := server.(*fakemodel.Server)
	if n := len(s.Unexpected()); n > 0 {
		ts.Fatalf("%d unexpected calls, the first: %s", n, s.Unexpected()[0].Prompt())
	}
	if got := strconv.Itoa(len(s.Requests())); (got == args[0]) == neg {
		ts.Fatalf("%s calls, want %s", got, args[0])
	}
}
