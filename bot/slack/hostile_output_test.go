package slack

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// nasty is what a model, a document or a name may hold against readers.
var nasty = []string{
	strings.Join(hostile, "\n\n"),
	"&lt;!channel&gt; &#60;!here&#62; <\u200b!channel> <!\u200bchannel> @\u202echannel @chan\x00nel <!chan\u2066nel>",
	"[https://bank.example](https://evil.example) [x](javascript:alert(1)) ![i](https://evil.example/p.png) <https://evil.example|https://bank.example>",
	"\x1b[31mred\x1b[0m \x07\x08 \u202egnp.exe \xff\xfe \u2028\u2029 " + strings.Repeat("\u0301", 500),
	"```go\n<!channel>\n" + strings.Repeat("x", 5000) + "\n~~~\n````\n<@U1>",
	strings.Repeat(">", 300) + " quoted <!here>", strings.Repeat("- ", 400) + "nested", strings.Repeat("[", 2000) + strings.Repeat("](", 2000),
	strings.Repeat("giantword", 1_100), strings.Repeat("<!channel> ", 60), strings.Repeat("🎉", 5_000), strings.Repeat("`", 3000), strings.Repeat("*_~", 3000),
	"| <!here> | b |\n|---|---|\n" + strings.Repeat("| <@U1> | @channel |\n", 400), strings.Repeat("# <!everyone>\n", 600), strings.Repeat("&", 2_400), "<", "", " ", "\n\n", "\x00",
}

var maskedLink = regexp.MustCompile(`\]\((?i:javascript)|\[https://bank[^\]]*\]\(`)

// A fence that is longer than a message ends a message, not the program.
func TestEveryTextIsSplitInTime(t *testing.T) {
	for _, bad := range append(nasty, strings.Repeat("`", 3000)+"\n\n"+strings.Repeat("`", 3000)+"\nx", strings.Repeat("~", 9000)+"x\n"+strings.Repeat("y", 9000)) {
		for _, limit := range []int{200, 1000, 2490, maxMarkdown} {
			for _, part := range kit.Split(neutral(bad), limit, kit.Fence{}) {
				if kit.Length(part) > limit {
					t.Errorf("%.20q: a part of %d, at most %d", bad, kit.Length(part), limit)
				}
			}
		}
	}
}

// Whatever is said, Slack takes it, and nobody is notified.
func TestHostileOutput(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	for _, bad := range nasty {
		t.Run("", func(t *testing.T) { hostileOutput(t, bad) })
	}
}

func hostileOutput(t *testing.T, bad string) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ctx := t.Context()
	out := platform.Outgoing{Nonce: "tk0123456789abcdef", Kind: platform.KindReply, Text: bad, Feedback: true,
		Buttons: []platform.Button{{Label: "x" + bad, Action: "retry"}}, Citations: []memory.Citation{{N: 1, Document: bad, Link: "javascript:" + bad, Page: 2, Quote: bad}}}
	for i := range 6 {
		out.Citations = append(out.Citations, memory.Citation{N: i + 2, Document: bad, Link: "https://x.example/" + bad, Page: i, Quote: bad})
	}
	question := out
	question.Nonce, question.Kind, question.Question = "tk0123456789abcdee", platform.KindReply, &platform.Question{Text: "Which? " + bad}
	for i := range 7 {
		question.Question.Options = append(question.Question.Options, platform.Button{Label: bad, Action: fmt.Sprintf("q:%d", i)})
	}
	asked, err := s.a.Post(ctx, s.to, question)
	if err != nil {
		t.Fatalf("ask %.40q: %v", bad, err)
	}
	question.Text = "again " + bad
	if _, err := s.a.Edit(ctx, asked, question); err != nil {
		t.Errorf("edit a question %.40q: %v", bad, err)
	}
	ref, err := s.a.Post(ctx, s.to, out)
	if err != nil {
		t.Fatalf("post %.40q: %v", bad, err)
	}
	for _, kind := range []platform.Kind{platform.KindError, platform.KindErased} {
		if _, err := s.a.Edit(ctx, ref, platform.Outgoing{Nonce: out.Nonce, Kind: kind, Text: bad, Citations: out.Citations}); err != nil {
			t.Errorf("edit %.40q: %v", bad, err)
		}
	}
	st, err := s.a.Stream(ctx, s.to, "tk1")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(bad); i += 1 + len(bad)/3 {
		if err := st.Append(ctx, bad[i:min(len(bad), i+1+len(bad)/3)]); err != nil {
			t.Errorf("append %.40q: %v", bad, err)
		}
	}
	if _, err := st.Close(ctx, platform.Outgoing{Nonce: "tk1", Kind: platform.KindReply, Text: bad, Feedback: true, Question: question.Question, Citations: out.Citations}); err != nil {
		t.Errorf("close %.40q: %v", bad, err)
	}
	if err := s.a.Status(ctx, s.to, bad); err != nil {
		t.Errorf("status %.40q: %v", bad, err)
	}
	if _, err := s.a.Upload(ctx, s.to, platform.Upload{Nonce: "tk0000000000000000002", Name: "../" + bad + ".pdf", Media: bad, Data: []byte("x"), Text: bad}); err != nil {
		t.Errorf("upload %.40q: %v", bad, err)
	}
	to := s.to
	to.EphemeralTo = s.ada
	if _, err := s.a.Post(ctx, to, platform.Outgoing{Kind: platform.KindCommand, Text: bad, Question: question.Question, Citations: out.Citations}); err != nil {
		t.Errorf("whisper %.40q: %v", bad, err)
	}
	for _, m := range s.Shown(s.channel, s.root, s.ada) {
		if m.Notifies > 0 {
			t.Errorf("%.40q notifies %d: %.200q", bad, m.Notifies, m.Text)
		}
		if found := maskedLink.FindString(m.Text); found != "" {
			t.Errorf("%.40q hides where a link goes: %q", bad, found)
		}
		if strings.ContainsAny(m.Text+m.File, "\x00\x1b\u202e\u2066") {
			t.Errorf("control characters in %.200q", m.Text)
		}
	}
	view := s.a.homeBlocks(platform.Home{Threads: []platform.HomeThread{{Title: bad, Gauge: "context 1 / 2", Channel: memory.Channel{Name: bad}, Post: ref}}, Documents: []platform.HomeDocument{{Name: bad, Link: bad}}}, "U0BOT")
	if weight(view) > 30_000 {
		t.Errorf("a page of %d characters", weight(view))
	}
}

// Everything at once is within what Slack takes, and a form that Slack refuses all the
// same is followed by one that it takes.
func TestHostileFormsFit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	for _, bad := range nasty {
		out := platform.Outgoing{Nonce: "tk0123456789abcdef", Kind: platform.KindReply, Text: bad, Feedback: true, Question: &platform.Question{Text: "Which? " + bad}}
		for i := range 20 {
			out.Question.Options = append(out.Question.Options, platform.Button{Label: "x" + bad, Action: strings.Repeat("a", i+1)})
			out.Buttons = append(out.Buttons, platform.Button{Label: bad, Action: strings.Repeat("b", i+1)})
			out.Citations = append(out.Citations, memory.Citation{N: i, Document: bad, Link: "https://x.example/" + bad, Page: i + 1, Quote: bad})
		}
		r := render(out)
		for part := range r.parts {
			if blocks := r.blocks(part, formFull); weight(blocks) > maxBlocks || len(blocks) > 50 {
				t.Errorf("%.20q: part %d of %d: %d blocks of %d characters", bad, part, len(r.parts), len(blocks), weight(blocks))
			}
			for _, limit := range []int{maxText, maxPlain} {
				if text := r.text(part, formText, limit); text == "" || kit.Length(text) > limit {
					t.Errorf("%.20q: a text of %d, at most %d", bad, kit.Length(text), limit)
				}
			}
		}
	}
}

// Each form that Slack refuses is followed by the next, wherever a message goes.
func TestEveryRefusedFormIsFollowed(t *testing.T) {
	t.Parallel()
	bad := strings.Repeat("<!channel> ", 60)
	out := platform.Outgoing{Nonce: "tk0123456789abcdef", Kind: platform.KindReply, Text: bad, Feedback: true,
		Question:  &platform.Question{Text: "Which? " + bad, Options: []platform.Button{{Label: bad, Action: "q:1"}, {Label: "b", Action: "q:2"}, {Label: "c", Action: "q:3"}}},
		Citations: []memory.Citation{{N: 1, Document: bad, Page: 2, Quote: bad}}}
	for refused := range 2 {
		t.Run(fmt.Sprint(refused), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakeslack.Options{})
			refuse := func(methods ...string) {
				s.Mend()
				for range refused {
					s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "msg_blocks_too_long", Methods: methods})
				}
			}
			refuse("chat.postMessage")
			ref := s.post(s.to, out)
			refuse("chat.update")
			if _, err := s.a.Edit(t.Context(), ref, out); err != nil {
				t.Errorf("edit: %v", err)
			}
			s.Mend()
			st, err := s.a.Stream(t.Context(), s.to, "tk1")
			if err != nil {
				t.Fatal(err)
			}
			if err := st.Append(t.Context(), strings.Repeat("It grows. ", 40)); err != nil {
				t.Fatal(err)
			}
			s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "msg_blocks_too_long", Methods: []string{"chat.stopStream"}})
			for range refused {
				s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "msg_blocks_too_long", Methods: []string{"chat.update"}})
			}
			final := out
			final.Nonce = "tk1"
			if _, err := st.Close(t.Context(), final); err != nil {
				t.Errorf("close: %v", err)
			}
			refuse("chat.postEphemeral")
			to := s.to
			to.EphemeralTo, to.ReplyTo = s.ada, s.Say(fakeslack.Said{User: s.ada, Channel: s.channel, Thread: s.root, Text: "and?"})
			s.post(to, out)
			shown := s.Shown(s.channel, s.root, s.ada)
			if len(shown) != 3 {
				t.Errorf("%d messages, want a post, a stream and a whisper", len(shown))
			}
			for _, m := range shown {
				if m.Notifies > 0 || !strings.Contains(m.Text, "Which?") {
					t.Errorf("notifies %d: %.200q", m.Notifies, m.Text)
				}
			}
		})
	}
}
