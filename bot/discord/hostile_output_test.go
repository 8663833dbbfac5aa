package discord

import (
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// Whatever is said, and in whatever way, Discord takes it, and nobody is notified.
func TestHostileOutput(t *testing.T) {
	for _, bad := range []string{
		strings.Join(hostile, " "), strings.Repeat("@everyone <@1> ", 60), strings.Repeat("<@&1>", 900), strings.Repeat("```\n", 700), strings.Repeat("*_~|`", 800),
		strings.Repeat("🎉", 3_000), strings.Repeat("](https://e.org/", 200), "| <@1> | b |\n|---|---|\n" + strings.Repeat("| @here | x |\n", 200),
		"\x00\u202e\x1b[31m\xff" + strings.Repeat("\u0301", 500), strings.Repeat("\\", 3_000), "<", " ", "\n\n",
	} {
		t.Run("", func(t *testing.T) { t.Parallel(); hostileOutput(t, strings.ReplaceAll(bad, "<@1>", "<@1> <@ADA>")) })
	}
}

func hostileOutput(t *testing.T, bad string) {
	s := newStage(t, fakediscord.Options{})
	s.paced()
	bad = strings.ReplaceAll(bad, "ADA", s.ada)
	ctx, to := t.Context(), s.ask("what holds?")
	out := reply(bad)
	out.Feedback = true
	out.Buttons = []platform.Button{{Label: bad, Action: "retry"}}
	out.Question = &platform.Question{Text: "Which? " + bad}
	for _, action := range []string{"q:1", "q:2", "q:3", "q:4", "q:5", "q:6", "q:7"} {
		out.Question.Options = append(out.Question.Options, platform.Button{Label: bad, Action: action})
	}
	for n := range 6 {
		out.Citations = append(out.Citations, memory.Citation{N: n + 1, Document: bad, Link: "https://e.org/" + bad, Page: n + 1, Quote: bad})
	}
	if err := s.a.Status(ctx, to, "Reading "+bad); err != nil {
		t.Errorf("status: %v", err)
	}
	st, err := s.a.Stream(ctx, to, "tkstream")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(bad); i += 1 + len(bad)/3 {
		if err := st.Append(ctx, bad[i:min(len(bad), i+1+len(bad)/3)]); err != nil {
			t.Errorf("append: %v", err)
		}
	}
	final := out
	final.Nonce = "tkstream"
	if _, err := st.Close(ctx, final); err != nil {
		t.Errorf("close: %v", err)
	}
	ref := s.post(to, out)
	for _, kind := range []platform.Kind{platform.KindReply, platform.KindError, platform.KindNotice, platform.KindErased} {
		out.Kind = kind
		if _, err := s.a.Edit(ctx, ref, out); err != nil {
			t.Errorf("edit to %s: %v", kind, err)
		}
	}
	if _, err := s.a.Upload(ctx, to, platform.Upload{Nonce: "tkfile", Name: "../" + bad + ".png", Media: "image/png", Data: []byte("x"), Text: bad}); err != nil {
		t.Errorf("upload: %v", err)
	}
	shown := s.ours(to.Key.Thread)
	if len(shown) < 3 {
		t.Errorf("%d messages", len(shown))
	}
	for _, m := range shown {
		if m.Notifies > 0 || kit.Length(m.Content) > maxContent {
			t.Errorf("notifies %d, %d characters: %.200q", m.Notifies, kit.Length(m.Content), m.Content)
		}
	}
}
