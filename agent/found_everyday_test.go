package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverydayMessages plays what people write without a model. Each file of testdata/everyday is a
// setting; below the first "===" stand messages, each said in a fresh copy of it. -v prints the replies.
func TestEverydayMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/everyday/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no settings", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "\n===\n")
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		for _, message := range parts[1:] {
			said, _, _ := strings.Cut(message, "\n")
			t.Run(name+"/"+said, func(t *testing.T) {
				reply := play(t, parts[0]+"\n"+message)
				t.Logf("%s\n%s", said, reply.Text)
				if reply.Text == "" {
					t.Error("no reply")
				}
			})
		}
	}
}

// TestWhatIsShownIsNotMissed: the names of columns above a row, and sentences beside the one that is cited, count as found.
func TestWhatIsShownIsNotMissed(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("stock.csv", "name,city,units\nAlpha,Oslo,12\nBeta,Bonn,31\nGamma,Oslo,7\n")
	r := k.turn("Ada", "Which city is Beta in?", ChoiceNone)
	if !strings.Contains(r.Text, "Beta,Bonn,31") || strings.Contains(r.Text, "“city”") {
		t.Errorf("answered %q", r.Text)
	}
	if r := k.turn("Ada", "Which ZIP does Beta in Bonn have?", ChoiceNone); !strings.Contains(r.Text, "“ZIP”") || len(r.Citations) == 0 || r.Ledger.NotFound {
		t.Errorf("answered %q, not found %v", r.Text, r.Ledger.NotFound)
	}
}
