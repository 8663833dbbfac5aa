package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"threadkeeper/bot"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// hostile are texts that would be links, pictures or hidden words if they were shown as ours.
var hostile = map[string]string{
	"link":          "[Log in](https://evil.example/a) walrus",
	"picture":       "walrus ![bill](https://evil.example/b.png)",
	"reference":     "walrus [Log in][e]\n\n[e]: https://evil.example/e",
	"short":         "walrus [e]\n\n[e]: <https://evil.example/e>",
	"labelled":      "walrus <https://evil.example/a|Log in> <https://evil.example/a|Login>",
	"HTML":          `walrus <a href="https://evil.example/a">Log in</a>`,
	"parted":        "walrus [Log in]\u00ad(https://evil.example/c) [Log in]\ufe0f(https://evil.example/c)",
	"nested":        "walrus [[Log in](x)](https://evil.example/d)",
	"behind code":   "walrus `x [y` [Log in](https://evil.example/f)",
	"escaped":       `walrus [y\](https://evil.example/g) [Log in](https://evil.example/h)`,
	"hidden":        "wal\u200brus\u202e now\ufe01 \U000e0041\u3164",
	"fence":         "walrus\n```\n[Log in](https://evil.example/i)",
	"our heading":   "walrus\n\n## Threadkeeper, 2026-01-01 10:00\n\n[Log in](https://evil.example/j)",
	"table":         "| walrus |\n|---|\n| [Log in](https://evil.example/k) |",
	"list of links": "- walrus\n- [Log in](https://evil.example/l)",
}

// leadsAway says what in Markdown of ours leads to an address under other words than the address itself, "" for nothing.
func leadsAway(markdown string) (found string) {
	src := []byte(markdown)
	_ = ast.Walk(kit.ParseMarkdown(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		to := ""
		switch n := n.(type) {
		case *ast.Link:
			to = string(n.Destination)
		case *ast.Image:
			to = string(n.Destination)
		}
		if entering && strings.Contains(to, "evil") && kit.MarkdownPlain(n, src) != to {
			found = fmt.Sprintf("%q leads to %s", kit.MarkdownPlain(n, src), to)
		}
		return ast.WalkContinue, nil
	})
	if reading.Visible(markdown) != markdown {
		found += fmt.Sprintf(" hidden characters in %q", markdown)
	}
	return found
}

// TestNoAttackGetsOutOfAView: Mallory puts each text where a view repeats it to Ada as ours: what he says and notes, his name, his
// file, the title he gives a thread.
func TestNoAttackGetsOutOfAView(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			_, at := s.world.Say(platformtest.Said{Who: "Mallory", At: general, Text: text, Mention: true})
			s.settle()
			s.world.Say(platformtest.Said{Who: text, At: at, Text: "walrus"})
			s.world.Say(platformtest.Said{Who: "Mallory", At: at, Files: []platformtest.File{{Name: text + ".txt", Data: note.Data}}})
			s.settle()
			s.world.Command("Mallory", at, "memory remember", text)
			if err := s.world.Retitle(t.Context(), s.world.Key(at), "walrus", ""); err != nil { // it has a name
				t.Fatal(err)
			}
			s.world.Rename("Mallory", at, text)
			s.settle()
			s.say(at, "documents")
			s.settle()
			for _, command := range [][2]string{{"memory search", "walrus"}, {"memory show", ""}, {"memory why", "1"}, {"memory status", ""}, {"memory compact", ""},
				{"memory show", ""}, {"memory forget", ""}, {"docs list", ""}, {"thread list", ""}, {"memory usage", ""}} {
				before := len(s.world.Posts(at, "Ada"))
				s.world.Command("Ada", at, command[0], command[1])
				s.settle()
				posts := s.world.Posts(at, "Ada")[before:]
				if len(posts) == 0 {
					t.Errorf("%s: no answer", command[0])
				}
				for _, p := range posts {
					if out := leadsAway(p.Text); out != "" {
						t.Errorf("%s: %s in %s", command[0], out, p.Text)
					}
					if labels := fmt.Sprint(p.Options, p.Buttons); reading.Visible(labels) != labels {
						t.Errorf("%s: hidden characters in %q", command[0], labels)
					}
				}
			}
			home, err := s.world.Home(t.Context(), "Ada")
			if err != nil || len(home.Threads) == 0 {
				t.Fatalf("%+v %v", home, err)
			}
			for _, thread := range home.Threads {
				if shown := thread.Title + strings.Join(thread.Lines, ""); reading.Visible(shown) != shown || strings.ContainsAny(shown, "<>[]`") {
					t.Errorf("the page about us shows %q", shown)
				}
			}
			for _, d := range home.Documents {
				if reading.Visible(d.Name) != d.Name {
					t.Errorf("the page about us names %q", d.Name)
				}
			}
		})
	}
}

// TestNoAttackGetsOutOfAnAddress: where somebody has spoken in between, a post says whom it answers.
func TestNoAttackGetsOutOfAnAddress(t *testing.T) {
	for name, who := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, func(s *scene) { s.world.Streams = false })
			_, at := s.world.Say(platformtest.Said{Who: who, At: general, Text: "slow one", Mention: true})
			until(t, "the turn", func() bool { return s.chain.Started() > 0 })
			s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "meanwhile"})
			until(t, "what Bob says", func() bool { return s.world.Pending() == 0 })
			close(s.chain.Go)
			s.settle()
			for _, text := range s.texts(at) {
				if out := leadsAway(text); out != "" || strings.Contains(text, "@") || strings.Contains(text, "<") {
					t.Errorf("%s in %q", out, text)
				}
			}
		})
	}
}

// TestNoAttackGetsOutOfTheWeeklyReport: it quotes what others asked and named.
func TestNoAttackGetsOutOfTheWeeklyReport(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			dm := s.say(platformtest.Place{Channel: "dm", DM: true}, "hello")
			s.settle()
			s.stop()
			s.bot = again(s.bot)
			s.bot.Report = &bot.Report{Platform: "fake", Person: "U-Ada", Write: func(context.Context, *say.Words) (string, memory.Shown, error) {
				return "asked in #general: " + reading.Visible(text), memory.Shown{}, nil
			}}
			s.run()
			s.says(dm, "Ada", "asked in")
			for _, p := range s.texts(dm) {
				if out := leadsAway(p); out != "" {
					t.Errorf("%s in %q", out, p)
				}
			}
		})
	}
}
