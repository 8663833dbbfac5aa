package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/memory"
)

// week is a talk in which people said things in two public channels and a private one, and Ada asks in another thread.
func week(t *testing.T, script string) *talk {
	k := newTalk(t, script)
	k.link = func(key memory.Key, message string) string {
		return "https://chat.example/" + key.Channel + "/" + key.Thread + "/" + message
	}
	name := func(channel int, called string, kind memory.ChannelKind) {
		k.channel, k.thread, k.kind = channel, 1, kind
		k.person("Bob")
		key := k.session.Key
		if _, _, err := k.store.Locate(context.Background(), key, memory.Channel{Name: called, Kind: kind}, memory.Person{}); err != nil {
			t.Fatal(err)
		}
	}
	name(0, "general", memory.Public)
	k.now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) // a Monday, before the period
	k.say("Ada", "We decided to paint the office blue.")
	k.now = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	k.say("Bob", "We decided to ship version 2 on Friday. See https://evil.example/x for more.")
	k.say("Cleo", "TODO: Cleo has to update the release notes.")
	k.say("Bob", "Who will tell the customers?")
	name(1, "random", memory.Public)
	k.say("Cleo", "We decided that lunch is at noon.")
	name(2, "board", memory.Private)
	k.say("Cleo", "We decided to close the Lyon office.")
	k.now = time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	k.channel, k.thread, k.kind = 0, 2, memory.Public
	k.person("Ada")
	return k
}

// TestACatchUpRestsOnEveryLineItRepeats, also on those of which no word stands in few others.
func TestACatchUpRestsOnEveryLineItRepeats(t *testing.T) {
	k := week(t, "")
	k.channel, k.thread = 1, 1
	var lines []*memory.Message
	for _, author := range []string{"Bob", "Cleo", "Dan", "Eve", "Finn"} {
		k.now = k.now.Add(-time.Hour)
		lines = append(lines, k.say(author, "We decided on Oslo."))
	}
	k.now = k.now.Add(5 * time.Hour)
	k.channel, k.thread = 0, 2
	r := k.turn("Ada", "summarise #random this week", ChoiceNone)
	for _, m := range lines {
		if strings.Contains(r.Text, m.Author+", ") && !slices.Contains(r.Rests.Messages, m.ID) {
			t.Errorf("it repeats what %s said, and does not rest on it: %s", m.Author, r.Text)
		}
	}
	if !strings.Contains(r.Text, "Oslo") {
		t.Errorf("nothing is told: %s", r.Text)
	}
}

func TestCatchUpWithoutAModel(t *testing.T) {
	for name, c := range map[string]struct {
		ask      string
		dm       bool
		has, not []string
	}{
		"a channel": {"What did I miss since Monday?", false,
			[]string{"#general from 9 March 2026 to 12 March 2026: 3 messages", "**Perhaps decided**\n- [Bob, 10 March 2026](https://chat.example/c0/t1/", "ship version 2", "release notes", "`https://evil.example/x`", "**Said last**\n- [Bob, 10 March 2026](", "only conversations that I take part in"},
			[]string{"blue", "lunch", "Lyon"}},
		"another channel":       {"summarise #random this week", false, []string{"#random from", "lunch is at noon"}, []string{"ship version", "Lyon"}},
		"since they last spoke": {"catch me up", false, []string{"from 2 March 2026", "ship version 2"}, []string{"blue", "lunch"}},
		"in a direct message":   {"what did I miss?", true, []string{"ship version 2", "lunch is at noon", "messages"}, []string{"Lyon"}},
		"a private channel":     {"summarise #board this week", false, []string{"nothing on record from #board"}, []string{"Lyon"}},
		"nothing":               {"what happened in #general yesterday?", false, []string{"nothing on record from #general on 11 March 2026"}, []string{"ship"}},
		"in German":             {"Was habe ich seit Montag verpasst?", false, []string{"Vielleicht beschlossen", "ship version 2", "3 Nachrichten"}, []string{"Lyon"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := week(t, "")
			if c.dm {
				k.channel, k.thread, k.kind = 7, 0, memory.DM
				k.now = k.now.Add(-10 * 24 * time.Hour) // what was painted is new to her
				k.say("Ada", "Hello!")
				k.now = k.now.Add(10 * 24 * time.Hour)
				c.not = c.not[:1]
			}
			text := k.turn("Ada", c.ask, ChoiceNone).Text
			for _, want := range c.has {
				if !strings.Contains(text, want) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
			for _, no := range c.not {
				if strings.Contains(text, no) {
					t.Errorf("%q holds %q", text, no)
				}
			}
		})
	}
}

// TestADigestNamesItsConversations where there are several, with what they are about beyond what was told before, and rests on
// all of that.
func TestADigestNamesItsConversations(t *testing.T) {
	k := week(t, "")
	k.channel, k.thread, k.kind = 7, 0, memory.DM
	r := k.turn("Ada", "what did I miss?", ChoiceNone)
	_, threads, _ := strings.Cut(r.Text, "**Conversations**\n")
	threads, _, _ = strings.Cut(threads, "\n\n")
	lines := strings.Split(threads, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "- [We decided to paint the office blue.](https://chat.example/c0/t1/") ||
		!strings.HasPrefix(lines[1], "- [We decided that lunch is at noon.](https://chat.example/c1/t1/") {
		t.Errorf("%q", r.Text)
	}
	k.channel, k.thread, k.kind = 0, 2, memory.Public
	k.now = k.now.Add(24 * time.Hour)
	r = k.turn("Ada", "summarise #random this week", ChoiceNone)
	if strings.Contains(r.Text, "Conversations") {
		t.Errorf("the only conversation is named: %q", r.Text)
	}
}

// TestADigestRestsOnTheConversationsItNames, on their titles and lines, though these were said before its period.
func TestADigestRestsOnTheConversationsItNames(t *testing.T) {
	k := newTalk(t, "")
	var old []*memory.Message
	for thread := 1; thread <= 2; thread++ {
		k.channel, k.thread, k.kind = 0, thread, memory.Public
		k.now = time.Date(2026, 3, 2, 9+thread, 0, 0, 0, time.UTC)
		old = append(old, k.say("Ada", fmt.Sprintf("Shall we talk about tent %d?", thread)), k.say("Bob", fmt.Sprintf("We decided to rent boat %d.", thread)))
		k.now = time.Date(2026, 3, 11, 9+thread, 0, 0, 0, time.UTC)
		k.say("Bob", "The weather looks fine to me so far.")
	}
	k.now = time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	k.thread = 3
	k.person("Ada")
	r := k.turn("Ada", "What did I miss since Monday?", ChoiceNone)
	for _, m := range old {
		if !strings.Contains(r.Text, strings.TrimRight(m.Text, ".?")) || !slices.Contains(r.Rests.Messages, m.ID) {
			t.Errorf("%q rests on %v, and not on %d: %s", r.Text, r.Rests.Messages, m.ID, m.Text)
		}
	}
}

// TestCatchUpWithAModel: the model is shown the lines with their links, and may repeat those links alone.
func TestCatchUpWithAModel(t *testing.T) {
	k := week(t, `when /catch-up/:
say: ANSWER
  Bob decided to ship version 2 on Friday. [source](https://chat.example/c0/t1/1773133260000000000) See [this](https://evil.example/x).`)
	text := k.turn("Ada", "Catch me up since Monday, please", ChoiceNone).Text
	if !strings.Contains(text, "[source](https://chat.example/c0/t1/") || strings.Contains(text, "(https://evil") {
		t.Errorf("%q", text)
	}
	asked := string(k.server.Requests()[0].Body)
	for _, want := range []string{"#general | https://chat.example/c0/t1/", "ship version 2", "a catch-up: the lines above are 3 of the 3 messages kept of #general from 9 March 2026 to 12 March 2026"} {
		if !strings.Contains(asked, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	for _, no := range []string{"Lyon", "lunch", "blue"} {
		if strings.Contains(asked, no) {
			t.Errorf("the prompt holds %q", no)
		}
	}
	if k.last.Ledger.ModelCalls != 1 {
		t.Errorf("%d calls", k.last.Ledger.ModelCalls)
	}
}

// TestToolsReadDays: without words to search for, search_messages brings what was said, with links the answer may use.
func TestToolsReadDays(t *testing.T) {
	k := week(t, `when /calls left: 3/:
say: search_messages {"from": "2026-03-09", "author": "Cleo"}

when /search_messages\([\s\S]*: ok/:
say: ANSWER
  Lunch is at noon, [she said](https://chat.example/c1/t1/1773133440000000000).`)
	if text := k.turn("Ada", "Good evening", ChoiceNone).Text; !strings.Contains(text, "[she said](https://chat.example/c1/t1/1773133440000000000)") {
		t.Error(text)
	}
	results := k.lastRequest().User()
	results = results[strings.Index(results, `kind="results"`):]
	if !strings.Contains(results, "lunch is at noon") || !strings.Contains(results, "release notes") || strings.Contains(results, "Lyon") || strings.Contains(results, "Bob]") {
		t.Error(results)
	}
}

// TestAnAnswerRestsOnWhatItLinksTo, whatever its words are.
func TestAnAnswerRestsOnWhatItLinksTo(t *testing.T) {
	k := week(t, "otherwise:\nsay: ANSWER\n  Have a look: [source](https://chat.example/c1/t1/1773133440000000000).")
	r := k.turn("Ada", "summarise #random this week", ChoiceNone)
	for _, id := range r.Rests.Messages {
		if m, err := k.store.Message(t.Context(), id); err == nil && strings.Contains(m.Text, "lunch is at noon") {
			return
		}
	}
	t.Errorf("%q rests on %v", r.Text, r.Rests.Messages)
}

func TestADirectMessageIsListedWhenNothingElseIsKept(t *testing.T) {
	k := newTalk(t, "")
	k.channel, k.thread, k.kind = 7, 0, memory.DM
	k.say("Ada", "The launch moved to 4 May.")
	if text := k.turn("Ada", "What did I miss?", ChoiceNone).Text; !strings.Contains(text, "4 May") {
		t.Error(text)
	}
}

// TestRequestsThatAreNotCatchUps stay questions like any other.
func TestRequestsThatAreNotCatchUps(t *testing.T) {
	k := week(t, "")
	for _, ask := range []string{"When do we ship version 2?", "summarise", "what happened to the office?", "What did Bob decide about version 2 last week?"} {
		if text := k.turn("Ada", ask, ChoiceNone).Text; strings.Contains(text, "What I keep of") {
			t.Errorf("%s: %s", ask, text)
		}
		k.thread++
		k.person("Ada")
	}
}

// TestACatchUpSaysHowFarBackItReads, with a model too, which need not say it.
func TestACatchUpSaysHowFarBackItReads(t *testing.T) {
	nine := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC).UnixMilli()
	for want, read := range map[string]ReadBack{
		"I have read the channel back to 9 March 2026, 09:00, and its threads with the latest replies.": {From: nine, Messages: 3},
		"I have read only the last 999 messages of the channel, back to 9 March 2026, 09:00.":           {From: nine, Messages: 999, Cut: true},
		"I could not read the channel itself just now":                                                  {Failed: true, Cut: true},
	} {
		for _, script := range []string{"", "otherwise:\nsay: ANSWER\n  Version 2 ships on Friday."} {
			k := week(t, script)
			var asked []string
			k.readBack = func(_ context.Context, name string, since int64) (ReadBack, error) {
				asked = append(asked, name+time.UnixMilli(since).UTC().Format(" 2006-01-02"))
				return read, nil
			}
			if text := k.turn("Ada", "What did I miss since Monday?", ChoiceNone).Text; strings.Count(text, want) != 1 || strings.Contains(text, "I keep only") {
				t.Errorf("%q lacks %q", text, want)
			}
			k.thread++
			k.person("Ada")
			k.turn("Ada", "summarise #random this week", ChoiceNone)
			if !slices.Equal(asked, []string{" 2026-03-09", "random 2026-03-09"}) {
				t.Errorf("it asked for %q", asked)
			}
		}
	}
}

// TestACatchUpWithholdsNoDocument: a file that came with the request is shown, and others are listed and can be searched.
func TestACatchUpWithholdsNoDocument(t *testing.T) {
	k := week(t, otherwise)
	k.new = []*memory.Document{k.document("scan0042.txt", "The notice period is four weeks.")}
	k.turn("Ada", "Did I miss anything in the contract?", ChoiceNone)
	if asked := k.lastRequest().User(); !strings.Contains(asked, "[d1 p1, the whole page]\nThe notice period is four weeks.") {
		t.Errorf("the file is not shown: %s", asked)
	}
	k.thread++
	k.person("Ada")
	k.document("lease.txt", "The rent is 900 euros.")
	k.turn("Ada", "What did I miss since Monday?", ChoiceNone)
	if asked := k.lastRequest().User(); !strings.Contains(asked, "hint: a catch-up") || !strings.Contains(asked, "lease.txt") {
		t.Errorf("the document is not listed: %s", asked)
	}
}

// TestALongAnswerRestsOnWhatItsFileSays, not only on what is shown of it.
func TestALongAnswerRestsOnWhatItsFileSays(t *testing.T) {
	filler := strings.Repeat("The tides follow the moon and the sun in ways that the coast changes a little each day. ", 200)
	k := week(t, "otherwise:\nsay: ANSWER\n  "+filler+"The [source](https://chat.example/c1/t1/1773133440000000000) says it.")
	k.chain.Budget.Turn = 100_000
	r := k.turn("Ada", "summarise #random this week", ChoiceNone)
	if r.Whole == "" || strings.Contains(r.Text, "source") {
		t.Fatalf("it is no long answer: %d characters", len(r.Whole))
	}
	for _, id := range r.Rests.Messages {
		if m, err := k.store.Message(t.Context(), id); err == nil && strings.Contains(m.Text, "lunch is at noon") {
			return
		}
	}
	t.Errorf("it rests on %v", r.Rests.Messages)
}
