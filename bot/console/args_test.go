package console

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
)

func TestSplitArgs(t *testing.T) {
	for in, want := range map[string][]string{
		``:                        nil,
		`  a.pdf   b.pdf `:        {"a.pdf", "b.pdf"},
		`"my report.pdf" x`:       {"my report.pdf", "x"},
		`'it is "quoted".pdf'`:    {`it is "quoted".pdf`},
		`my\ report.pdf`:          {"my report.pdf"},
		`a"b c"d ""`:              {"ab cd", ""},
		`"umlaut ä\"ö.pdf" naïve`: {`umlaut ä"ö.pdf`, "naïve"},
	} {
		got, err := splitArgs(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
	if _, err := splitArgs(`"open`); err == nil {
		t.Error("an open quote was accepted")
	}
}

func TestAttachments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w [2026]")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", dir)
	for _, name := range []string{"a.pdf", "b.pdf", "c[1].txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := attachments([]string{filepath.Join(dir, "*.pdf"), "~/c[1].txt"}, "r:1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.PlatformID+" "+f.Name+" "+filepath.Base(f.Locator))
	}
	if want := []string{"r:1:1 a.pdf a.pdf", "r:1:2 b.pdf b.pdf", "r:1:3 c[1].txt c[1].txt"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = attachments([]string{dir, "~/none.pdf", "~/z*"}, "r:1")
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three problems, got %v", err)
	}
}

func TestFindCommand(t *testing.T) {
	registry := []platform.Command{{Name: "help"}, {Name: "memory search"}, {Name: "memory"}, {Name: "docs list"}}
	for in, want := range map[string]string{
		"help": "help/", "Memory  SEARCH blue  whale": "memory search/blue  whale", "memory x": "memory/x", "docs": "", "helpme": "", "": "",
	} {
		c, args, ok := findCommand(registry, in)
		got := ""
		if ok {
			got = c.Name + "/" + args
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := completeCommand(registry, "/memory s"); !reflect.DeepEqual(got, []string{"search"}) {
		t.Errorf("completions %q", got)
	}
	if got := completeCommand(registry, "/q"); !reflect.DeepEqual(got, []string{"/quit"}) {
		t.Errorf("completions %q", got)
	}
}
