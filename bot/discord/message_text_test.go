package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"threadkeeper/bot/platform/kit"
)

// said is a message of Ada's in #general, with more of Discord's fields.
func saidIn(t *testing.T, content string, more map[string]any) wireMessage {
	t.Helper()
	all := map[string]any{"id": "1176000000000000000", "channel_id": "200", "guild_id": "100", "content": content,
		"author": map[string]any{"id": "80351110224678912", "username": "ada"}}
	if strings.Contains(content, "900>") {
		all["mentions"] = []any{map[string]any{"id": "900", "bot": true}}
	}
	for k, v := range more {
		all[k] = v
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var m wireMessage
	if err := kit.Decode(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// People say our name as they would say anybody's.
func TestOurNameLeavesNothingBehind(t *testing.T) {
	for content, want := range map[string][2]string{ // what is asked, what the thread is called
		"<@900>: what is the capital of Spain":           {"what is the capital of Spain", "what is the capital of Spain"},
		"<@900>, could you look?":                        {"could you look?", "could you look?"},
		"<@!900> <@900>, hello there":                    {"hello there", "hello there"},
		"Hey <@900>, what is the capital of Peru?":       {"Hey, what is the capital of Peru?", "Hey, what is the capital of Peru?"},
		"what is the capital of France, <@900>?":         {"what is the capital of France?", "what is the capital of France?"},
		"thanks <@900>!":                                 {"thanks!", "thanks!"},
		"<@&301> what is new?":                           {"what is new?", "what is new?"},
		"<@900>":                                         {"", ""},
		"<@900>?":                                        {"", ""},
		"<@900> .env is missing":                         {".env is missing", ".env is missing"},
		"<@900>\n- one\n- two":                           {"- one\n- two", "- one"},
		"`<@900>` is how you call it, <@900>":            {"`<@900>` is how you call it", "is how you call it"},
		"<@900> what did <@5> say in <#201>?":            {"what did @somebody say in #help?", "what did @somebody say in help?"},
		"<@900> try </memory show:123456789012345678>":   {"try /memory show", "try /memory show"},
		"<@900> is <:pepe:123456789012345678> the best?": {"is :pepe: the best?", "is :pepe: the best?"},
	} {
		s, m := scenes["text"], saidIn(t, content, nil)
		if strings.Contains(content, "301") {
			m.MentionRoles = []string{"301"}
		}
		ev, why := readMessage(m, s)
		if why != "" || !ev.Mention || ev.Text != want[0] {
			t.Errorf("%q is read as %q (%s)", content, ev.Text, why)
		}
		if got := s.title(m); got != want[1] {
			t.Errorf("the thread on %q is called %q", content, got)
		}
	}
}

// Somebody who calls everybody does not talk to us.
func TestACallToEverybodyIsNotForUs(t *testing.T) {
	for content, toOther := range map[string]bool{
		"@everyone meeting at five": true, "@here lunch?": true, "  @everyone": true, "<@5> look": true,
		"is @everyone there?": false, "@everyones": false, "what now?": false,
	} {
		if ev, _ := readMessage(saidIn(t, content, nil), scenes["thread"]); ev.ToOther != toOther {
			t.Errorf("%q: to somebody else %t", content, ev.ToOther)
		}
	}
	poll := map[string]any{"poll": map[string]any{"question": map[string]any{"text": "Lunch?"}}}
	if ev, _ := readMessage(saidIn(t, "", poll), scenes["thread"]); !ev.ToOther || ev.Text != "📊 Lunch?" {
		t.Errorf("a poll is read as %+v", ev)
	}
	if ev, _ := readMessage(saidIn(t, "@everyone <@900> is new here", nil), scenes["thread"]); ev.ToOther || !ev.Mention {
		t.Errorf("read as %+v", ev)
	}
}

// A question about somebody's message brings that message along: its whole text, what it
// forwards, and its files.
func TestAQuestionAboutAMessageBringsIt(t *testing.T) {
	long := strings.Repeat("The boiler shows error E42. ", 70) + "That is the end."
	about := map[string]any{"id": "1175000000000000000", "channel_id": "200", "type": 0, "content": long,
		"author":      map[string]any{"id": "7", "username": "bob"},
		"attachments": []any{map[string]any{"id": "55", "filename": "report.pdf", "size": 12, "url": "https://cdn.discordapp.com/attachments/200/55/report.pdf"}},
		"message_snapshots": []any{map[string]any{"message": map[string]any{"content": "What Cleo said",
			"attachments": []any{map[string]any{"id": "56", "filename": "cleo.pdf", "url": "https://cdn.discordapp.com/attachments/200/56/cleo.pdf"}}}}}}
	reply := map[string]any{"type": typeReply, "referenced_message": about,
		"attachments": []any{map[string]any{"id": "57", "filename": "own.pdf", "url": "https://cdn.discordapp.com/attachments/200/57/own.pdf"}}}
	s := scenes["text"]
	m := saidIn(t, "<@900> sum this up", reply)
	ev, _ := readMessage(m, s)
	if !strings.HasPrefix(ev.Text, "> bob: The boiler") || !strings.Contains(ev.Text, "That is the end.") || !strings.Contains(ev.Text, "> What Cleo said") || !strings.HasSuffix(ev.Text, "\n\nsum this up") {
		t.Errorf("text %q", ev.Text)
	}
	var got []string
	for _, f := range ev.Files {
		l, err := readLocator(f.Locator)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Name+" of "+l.Message)
		if want := "https://discord.com/channels/100/200/" + l.Message; f.Link != want {
			t.Errorf("link %s, want %s", f.Link, want)
		}
	}
	if want := "own.pdf of 1176000000000000000, report.pdf of 1175000000000000000, cleo.pdf of 1175000000000000000"; strings.Join(got, ", ") != want {
		t.Errorf("files %v", got)
	}
	if title := s.title(saidIn(t, "<@900>", map[string]any{"type": typeReply, "referenced_message": about})); !strings.HasPrefix(title, "The boiler shows error E42") {
		t.Errorf("a thread on a bare mention of it is called %q", title)
	}

	// Without a mention it is not for us, and what we said ourselves is known.
	if ev, _ := readMessage(saidIn(t, "sum this up", reply), s); len(ev.Files) != 1 || ev.Text != "sum this up" {
		t.Errorf("read as %+v", ev)
	}
	about["author"] = map[string]any{"id": "900", "bot": true}
	if ev, _ := readMessage(saidIn(t, "<@900> why?", reply), s); len(ev.Files) != 1 || ev.Text != "why?" {
		t.Errorf("read as %+v", ev)
	}
}

// What programs say stands in cards and components, of which a question can be.
func TestAQuestionAboutACardOrPollBringsItsText(t *testing.T) {
	card := map[string]any{"type": "rich", "title": "Build 7 failed", "description": "unit tests", "author": map[string]any{"name": "CI"},
		"fields": []any{map[string]any{"name": "Branch", "value": "main, by <@5>"}}, "footer": map[string]any{"text": "3 min ago"}}
	link := map[string]any{"type": "article", "title": "Never said"}
	boxes := []any{map[string]any{"type": 17, "components": []any{map[string]any{"type": 9, "components": []any{map[string]any{"type": 10, "content": "In a box"}}},
		map[string]any{"type": 1, "components": []any{map[string]any{"type": 2, "label": "Open"}}}}}}
	about := func(author, more map[string]any) map[string]any {
		more["id"], more["channel_id"], more["author"] = "1175000000000000000", "200", author
		return map[string]any{"type": typeReply, "referenced_message": more}
	}
	program, person := map[string]any{"id": "7", "username": "ci", "bot": true}, map[string]any{"id": "7", "username": "bob"}
	for want, more := range map[string]map[string]any{
		"> ci: CI\n> Build 7 failed\n> unit tests\n> Branch: main, by @somebody\n> 3 min ago\n\nwhy?": about(program, map[string]any{"content": "", "embeds": []any{link, card}}),
		"> ci: Look:\n> In a box\n\nwhy?": about(program, map[string]any{"content": "Look:", "components": boxes}),
		"> bob: 📊 Lunch?\n> - Soup\n> - Salad\n\nwhy?": about(person, map[string]any{"content": "", "poll": map[string]any{"question": map[string]any{"text": "Lunch?"},
			"answers": []any{map[string]any{"answer_id": 1, "poll_media": map[string]any{"text": "Soup"}}, map[string]any{"answer_id": 2, "poll_media": map[string]any{"text": "Salad"}}}}}),
		"> bob: :Wave_hello:\n\nwhy?":    about(person, map[string]any{"content": "", "sticker_items": []any{map[string]any{"id": "1", "name": "Wave hello", "format_type": 1}}}),
		"> bob: https://x.com/1\n\nwhy?": about(person, map[string]any{"content": "https://x.com/1", "embeds": []any{card}}),
		"> CI\n> Build 7 failed\n> unit tests\n> Branch: main, by @somebody\n> 3 min ago\n\nwhy?": {"message_snapshots": []any{map[string]any{"message": map[string]any{"content": "", "embeds": []any{card}}}}},
	} {
		if ev, _ := readMessage(saidIn(t, "<@900> why?", more), scenes["text"]); ev.Text != want {
			t.Errorf("read as %q, want %q", ev.Text, want)
		}
	}
}

// Who replies to an answer of ours that others have followed means that one.
func TestAReplyGoesBackToAnOlderAnswer(t *testing.T) {
	answer := func(components string) map[string]any {
		return map[string]any{"type": typeReply, "referenced_message": map[string]any{"id": "1175000000000000000", "channel_id": "200",
			"content": "It costs **€38,700**.\n\n-# [1] report.pdf, page 6", "author": map[string]any{"id": "900", "username": "Threadkeeper", "bot": true},
			"components": json.RawMessage(components)}}
	}
	feedback, question := `[{"type":1,"components":[{"type":2,"custom_id":"fb:tk1:helpful#tk1"}]}]`, `[{"type":1,"components":[{"type":2,"custom_id":"q:T:0#tk1"}]}]`
	for _, c := range []struct{ last, components, want string }{
		{"1175000000000000001", feedback, "> Threadkeeper: It costs **€38,700**.\n\nwhy?"},
		{"1175000000000000001", "null", "> Threadkeeper: It costs **€38,700**.\n\nwhy?"},
		{"1175000000000000000", feedback, "why?"},
		{"1175000000000000001", question, "why?"},
		{"", feedback, "why?"},
	} {
		s := scenes["thread"]
		s.last = c.last
		if ev, why := readMessage(saidIn(t, "why?", answer(c.components)), s); ev.Text != c.want || ev.ToOther {
			t.Errorf("after %q with %s: %q (%s)", c.last, c.components, ev.Text, why)
		}
	}
}
