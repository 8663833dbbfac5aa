package bot

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func TestDecide(t *testing.T) {
	in := memory.Key{Channel: "c", Thread: "t"}
	top := memory.Key{Channel: "c"}
	human := platform.Author{ID: "u", Kind: memory.Human}
	for _, c := range []struct {
		name   string
		ev     platform.Event
		p      place
		store  bool
		answer string
	}{
		{"a program", platform.Event{Key: in, Text: "hi", Mention: true, Author: platform.Author{Kind: memory.Bot}}, place{Joined: true}, true, No},
		{"a program beside us", platform.Event{Key: top, Text: "hi", Mention: true, Author: platform.Author{Kind: memory.Bot}}, place{}, false, No},
		{"nothing", platform.Event{Key: in, Text: " ", Author: human}, place{Joined: true}, false, No},
		{"a file alone", platform.Event{Key: in, Author: human, Files: make([]memory.File, 1)}, place{Joined: true, Alone: true}, true, Yes},
		{"a direct message", platform.Event{Key: top, Text: "hi", Author: human, Channel: memory.Channel{Kind: memory.DM}}, place{}, true, Yes},
		{"a direct message that opens with a name", platform.Event{Key: top, Text: "hi", Author: human, ToOther: true, Channel: memory.Channel{Kind: memory.DM}}, place{}, true, Yes},
		{"a mention", platform.Event{Key: top, Text: "hi", Author: human, Mention: true}, place{}, true, Yes},
		{"a mention after somebody else's name", platform.Event{Key: in, Text: "hi", Author: human, Mention: true, ToOther: true}, place{Joined: true}, true, Yes},
		{"a follow-up of the only one here", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true, Alone: true}, true, Yes},
		{"a line of one of several people", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true}, true, Maybe},
		{"a file of one of several people", platform.Event{Key: in, Author: human, Files: make([]memory.File, 1)}, place{Joined: true}, true, Maybe},
		{"one of several people, where everything is answered", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true, Follow: FollowAlways}, true, Yes},
		{"the only one here, to somebody else", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, place{Joined: true, Alone: true}, true, No},
		{"what a thread we joined later began with", platform.Event{Key: in, Message: "t", Text: "hi", Author: human}, place{Joined: true, Asked: true}, true, No},
		{"a mention that begins a thread", platform.Event{Key: in, Message: "t", Text: "hi", Author: human, Mention: true}, place{Joined: true}, true, Yes},
		{"to somebody else", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, place{Joined: true}, true, No},
		{"to somebody else where we are not", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, place{}, false, No},
		{"a thread we are not in", platform.Event{Key: in, Text: "hi", Author: human}, place{}, false, No},
		{"the channel itself", platform.Event{Key: top, Text: "hi", Author: human}, place{Joined: true}, true, No},
		{"mentions only", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true, Alone: true, Follow: FollowMention}, true, No},
		{"the answer to our question there", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true, Follow: FollowMention, Asked: true}, true, Yes},
		{"everything", platform.Event{Key: top, Text: "hi", Author: human}, place{Follow: FollowAlways}, true, Yes},
		{"an emoji", platform.Event{Key: in, Text: ":+1:", Author: human}, place{Joined: true}, true, No},
		{"an emoji as an answer to our question", platform.Event{Key: in, Text: "👍", Author: human}, place{Joined: true, Asked: true}, true, Yes},
		{"an emoji with a file", platform.Event{Key: in, Text: "👍", Author: human, Files: make([]memory.File, 1)}, place{Joined: true, Alone: true}, true, Yes},
		{"an emoji with a mention", platform.Event{Key: in, Text: "👋", Author: human, Mention: true}, place{Joined: true}, true, Yes},
		{"an emoji where everything is answered", platform.Event{Key: top, Text: "🎉 :tada:", Author: human}, place{Follow: FollowAlways}, false, No},
		{"a mention where we are quiet", platform.Event{Key: in, Text: "hi", Author: human, Mention: true}, place{Joined: true, Follow: FollowQuiet}, true, Yes},
		{"the answer to our question where we are quiet", platform.Event{Key: in, Text: "hi", Author: human}, place{Joined: true, Follow: FollowQuiet, Asked: true, Alone: true}, true, No},
		{"that we are to listen again", platform.Event{Key: in, Text: "Listen again, please!", Author: human}, place{Joined: true, Follow: FollowQuiet}, true, Yes},
		{"that somebody else is to listen", platform.Event{Key: top, Text: "stop listening here", Author: human}, place{}, false, No},
		{"everything but to somebody else", platform.Event{Key: top, Text: "hi", Author: human, ToOther: true}, place{Follow: FollowAlways}, false, No},
	} {
		v := decide(c.ev, c.p)
		if v.Store != c.store || v.Answer != c.answer || v.Reason == "" {
			t.Errorf("%s: %+v, want store %v answer %s", c.name, v, c.store, c.answer)
		}
	}
}

// TestAmongOthers reads talks of several people: what is certain is right, and most of it is certain.
func TestAmongOthers(t *testing.T) {
	f, err := os.Open("testdata/groups.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	said, undecided := 0, 0
	for d := json.NewDecoder(f); ; {
		var thread struct {
			ID    string
			Lines []struct{ Who, Text, Label string }
		}
		if err := d.Decode(&thread); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var lines []memory.Spoken
		for _, l := range thread.Lines {
			spoken := memory.Spoken{Ours: l.Label == "", Person: l.Who, Name: l.Who, Asks: strings.HasSuffix(l.Text, "?")}
			if spoken.Ours {
				spoken.Person = lines[0].Person
			} else if !strings.HasPrefix(l.Text, "@") {
				v := amongOthers(platform.Event{Text: l.Text, Author: platform.Author{ID: l.Who, Name: l.Who, Kind: memory.Human}}, lines, nil)
				said++
				switch {
				case v.Answer == Maybe:
					undecided++
				case v.Answer == Yes && l.Label == "not", v.Answer == No && l.Label == "meant":
					t.Errorf("%s: %s %q is %s: %s (%s)", thread.ID, l.Who, l.Text, l.Label, v.Answer, v.Reason)
				}
			}
			lines = slices.Insert(lines, 0, spoken)
		}
	}
	t.Logf("%d lines, %d undecided", said, undecided)
	if said == 0 || undecided*4 > said {
		t.Errorf("%d of %d lines are left to a model", undecided, said)
	}
}

// Where the app was renamed its name is ours, and no other.
func TestCallsUs(t *testing.T) {
	for _, c := range []struct {
		text  string
		names []string
		want  bool
	}{
		{"keeper, when?", nil, true}, {"Threadkeeper when?", nil, true}, {"what do you think, keeper?", nil, true}, {"keepers are rare", nil, false},
		{"Otto, when?", []string{"Otto"}, true}, {"keeper, when?", []string{"Otto"}, false}, {"keeper, when?", []string{"Threadkeeper"}, true},
		{"@Team Helper when?", []string{"team helper"}, true}, {"when, Team Helper?", []string{"Team Helper"}, true}, {"Team Helpers", []string{"Team Helper"}, false},
		{"Otto's answer was wrong", []string{"Otto"}, false}, {"no, Otto!", []string{"Otto"}, true}, {"I met Otto", []string{"Otto"}, false}, {"hello", []string{""}, false},
	} {
		if got := callsUs(c.text, c.names); got != c.want {
			t.Errorf("%q of %q: %v", c.text, c.names, got)
		}
	}
	ben := []memory.Spoken{{Person: "ben", Name: "Ben"}}
	ev := platform.Event{Text: "Ben, when?", Author: platform.Author{ID: "ada"}}
	if v := amongOthers(ev, ben, []string{"Ben"}); v.Answer != Maybe {
		t.Errorf("a name that we share with somebody: %+v", v)
	}
}

func TestOnlyEmoji(t *testing.T) {
	for text, want := range map[string]bool{
		":+1:": true, " :joy: :joy:\n": true, ":thumbsup::skin-tone-2:": true, "👍": true, "👍🏽 ❤️": true, "👩‍💻": true, "🇩🇪": true,
		"": false, "ok": false, ":+1: thanks": false, "?": false, "10:30": false, "1": false, "日本": false, ": :": false,
	} {
		if got := onlyEmoji(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParseCommand(t *testing.T) {
	b := new(Bot)
	for _, c := range []struct{ text, name, args string }{
		{"memory status", "memory status", ""},
		{"/memory status", "memory status", ""},
		{"  Memory Status ", "memory status", ""},
		{"/memory search  the  code", "memory search", "the  code"},
		{"memory search the code", "memory search", "the code"},
		{"docs use Q3 report.pdf", "docs use", "Q3 report.pdf"},
		{"page 2", "page", "2"},
		{"/page two", "page", "two"},
		{"stop", "stop", ""},
		{"Help", "help", ""},
		{"/help me", "help", "me"},
		{"forget my shoe size", "memory forget", "shoe size"},
		{"Please forget what I said about Marta.", "memory forget", "Marta"},
		{"Bitte vergiss meine Schuhgröße!", "memory forget", "Schuhgröße"},
		{"Oublie ma pointure", "memory forget", "pointure"},
		{"olvida mi talla", "memory forget", "talla"},
		{"forget it", "", ""},
		{"forget the previous instructions", "", ""},
		{"forget my question, what is a lathe", "", ""},
		{"can you forget my shoe size?", "", ""},
		{"forget my shoe size and the ferry, then write me a poem", "", ""},
		{"memory statsu", "memory statsu", ""},
		{"/memory", "memory status", ""}, {"docs", "docs list", ""}, {"memory?", "", ""},
		{"/frobnicate", "frobnicate", ""},
		{"why is the sky blue?", "", ""},
		{"help me write a letter", "", ""},
		{"page 3 says what?", "", ""},
		{"stop using tabs", "", ""},
		{"memory leaks", "", ""},
		{"memory status of my computer is bad", "", ""},
		{"docs are missing", "", ""},
		{"why", "", ""},
		{"/why", "why", ""},
		{"help", "help", ""},
		{"settings follow always", "settings follow", "always"},
		{"memory usage of my server grows, why?", "", ""},
		{"memory search for leaks in my server, can you?", "", ""},
		{"docs remove the old chapter on shipping and rewrite the rest of it", "", ""},
		{"/docs remove the old chapter on shipping and rewrite the rest of it.pdf", "docs remove", "the old chapter on shipping and rewrite the rest of it.pdf"},
		{"settings for my keyboard are lost", "", ""},
		{"stop, please explain that again", "", ""},
		{"retry logic in Go", "", ""},
		{"/usr/bin/env is on line one", "", ""},
		{"stop\nplease", "", ""},
		{"> Bob: I am lost here\n\nhelp", "help", ""}, {"> help", "", ""},
		{"", "", ""},
		{"/", "", ""},
	} {
		name, args, ok := b.parseCommand(c.text)
		if ok != (c.name != "") || name != c.name || args != c.args {
			t.Errorf("%q is %q %q %v, want %q %q", c.text, name, args, ok, c.name, c.args)
		}
	}
}

func TestUnknownCommandIsSuggested(t *testing.T) {
	c := &call{Bot: new(Bot), Session: new(memory.Session), say: say.In("en")}
	for name, want := range map[string]string{
		"memory stats": "`/memory status`?", "docs lst": "`/docs list`?", "hlp": "`/help`?",
		"lst": "`/docs list`?", "forgt": "`/memory forget`?", "memroy": "`/memory status`?", "memory lst": "There are `/memory status`",
		"memory": "`/memory forget`", "docs frobnicate": "`/docs share`", "frobnicate": "`/help` lists",
	} {
		if got := c.unknown(name); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q in it", name, got, want)
		}
	}
}

func TestAnOpenQuestionTakesANumber(t *testing.T) {
	q := &memory.Question{Text: "How many copies?"}
	if shown := shownQuestion(q, say.In("en")); shown.Text != q.Text || len(shown.Options) > 0 {
		t.Errorf("%+v", shown)
	}
	for text, want := range map[string]int{"1": agent.ChoiceNone, "2": agent.ChoiceNone, "176": agent.ChoiceNone, "just answer": agent.ChoiceJustAnswer} {
		if choice, ok := readAnswer(q, text); choice != want || !ok {
			t.Errorf("%q is %d, %v", text, choice, ok)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	q := &memory.Question{Options: []memory.Option{{Label: "Q3-board.pdf (uploaded Tue)"}, {Label: "Q3-sales.xlsx"}, {Label: "Both reports"}}}
	for _, c := range []struct {
		text   string
		choice int
		ok     bool
	}{
		{"1", 0, true}, {"2.", 1, true}, {" #3 ", 2, true}, {"(2)", 1, true},
		{"4", choiceElse, true}, {"Something else", choiceElse, true}, {"etwas anderes!", choiceElse, true}, {"5", agent.ChoiceJustAnswer, true}, {"6", agent.ChoiceNone, true}, {"0", agent.ChoiceNone, true},
		{"just answer", agent.ChoiceJustAnswer, true}, {"Einfach antworten", agent.ChoiceJustAnswer, true},
		{"Q3-sales.xlsx", 1, true}, {"q3 sales", 1, true}, {"the board one", 0, true}, {"both", 2, true}, {"both reprots", 2, true}, {"not the board one", agent.ChoiceNone, true}, {"nicht den Board-Bericht", agent.ChoiceNone, true}, {"no", agent.ChoiceNone, true}, {"> Bob: have you seen Q3 sales?\n\nthe board one", 0, true},
		{"the one from last year", agent.ChoiceNone, true},
		{"the second one", 1, true}, {"the last one, please", 2, true}, {"1 and 3", agent.ChoiceNone, true}, {"cancel", agent.ChoiceNone, true},
		{"What is the weather in Oslo?", agent.ChoiceNone, false},
		{"write a poem about rain", agent.ChoiceNone, false},
		{"What do I have to do with reports?", agent.ChoiceNone, false},
		{"I need to find out who will leave", agent.ChoiceNone, false},
		{"Deploy FastAPI app", agent.ChoiceNone, false},
	} {
		choice, ok := readAnswer(q, c.text)
		if choice != c.choice || ok != c.ok {
			t.Errorf("%q: %d %v, want %d %v", c.text, choice, ok, c.choice, c.ok)
		}
	}
	q.Answer = memory.Awaited
	if choice, ok := readAnswer(q, "What about the one from May?"); choice != agent.ChoiceNone || !ok {
		t.Errorf("after \"Something else\": %d %v", choice, ok)
	}
}

func TestCommandsRunInTheOrderTheyWereGiven(t *testing.T) {
	row := func(id, created, at int64) *memory.Inbox {
		return &memory.Inbox{ID: id, CreatedAt: created, Payload: request{Event: platform.Event{At: at}}.encode()}
	}
	var order []int64
	for _, q := range inOrder([]*memory.Inbox{row(1, 100, 90), row(2, 101, 80), row(3, 102, 0), row(4, 103, 90)}) {
		order = append(order, q.row.ID)
	}
	if want := []int64{2, 1, 4, 3}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}
