package console

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"threadkeeper/bot/platform"
)

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"report.png": "report.png", "../../etc/passwd": "passwd", `C:\x\y.png`: "y.png", "a\x1b[0m:b?.png": "a-[0m-b-.png", "..": "file", ".bashrc": "bashrc",
	} {
		if got := safeName(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSaveDoesNotOverwrite(t *testing.T) {
	s := Seat{Dir: t.TempDir()}
	for _, want := range []string{"p.png", "p-2.png"} {
		path, err := s.save(platform.Upload{Name: "p.png", Data: []byte(want)})
		if err != nil || filepath.Base(path) != want {
			t.Fatalf("got %s, %v, want %s", path, err, want)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v", want, data, err)
		}
	}
	if path, err := s.save(platform.Upload{Name: "p.png", Data: []byte("p-2.png")}); err != nil || filepath.Base(path) != "p-2.png" {
		t.Errorf("what is there already is saved as %s, %v", path, err)
	}
}

func TestMeHasTheLanguageAndTheClockOfTheSystem(t *testing.T) {
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "fr_FR.UTF-8")
	t.Setenv("LANG", "de_DE.UTF-8")
	if me := Me(); me.Locale != "fr_FR.UTF-8" {
		t.Errorf("speaks %q", me.Locale)
	} else if zone, err := time.LoadLocation(me.TimeZone); err != nil || zone.String() != time.Local.String() {
		t.Errorf("lives in %q: %v", me.TimeZone, err)
	}
}
