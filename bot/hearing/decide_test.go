package hearing

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestDecide(t *testing.T) {
	in := memory.Key{Channel: "c", Thread: "t"}
	top := memory.Key{Channel: "c"}
	human := platform.Author{ID: "u", Kind: memory.Human}
	for _, c := range []struct {
		name   string
		ev     platform.Event
		p      Place
		store  bool
		answer string
	}{
		{"a program", platform.Event{Key: in, Text: "hi", Mention: true, Author: platform.Author{Kind: memory.Bot}}, Place{Joined: true}, true, No},
		{"a program beside us", platform.Event{Key: top, Text: "hi", Mention: true, Author: platform.Author{Kind: memory.Bot}}, Place{}, false, No},
		{"nothing", platform.Event{Key: in, Text: " ", Author: human}, Place{Joined: true}, false, No},
		{"a file alone", platform.Event{Key: in, Author: human, Files: make([]memory.File, 1)}, Place{Joined: true, Alone: true}, true, Yes},
		{"a direct message", platform.Event{Key: top, Text: "hi", Author: human, Channel: memory.Channel{Kind: memory.DM}}, Place{}, true, Yes},
		{"a direct message that opens with a name", platform.Event{Key: top, Text: "hi", Author: human, ToOther: true, Channel: memory.Channel{Kind: memory.DM}}, Place{}, true, Yes},
		{"a mention", platform.Event{Key: top, Text: "hi", Author: human, Mention: true}, Place{}, true, Yes},
		{"a mention after somebody else's name", platform.Event{Key: in, Text: "hi", Author: human, Mention: true, ToOther: true}, Place{Joined: true}, true, Yes},
		{"a follow-up of the only one here", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true, Alone: true}, true, Yes},
		{"a line of one of several people", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true}, true, Maybe},
		{"a file of one of several people", platform.Event{Key: in, Author: human, Files: make([]memory.File, 1)}, Place{Joined: true}, true, Maybe},
		{"one of several people, where everything is answered", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true, Follow: FollowAlways}, true, Yes},
		{"the only one here, to somebody else", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, Place{Joined: true, Alone: true}, true, No},
		{"what a thread we joined later began with", platform.Event{Key: in, Message: "t", Text: "hi", Author: human}, Place{Joined: true, Asked: true}, true, No},
		{"a mention that begins a thread", platform.Event{Key: in, Message: "t", Text: "hi", Author: human, Mention: true}, Place{Joined: true}, true, Yes},
		{"to somebody else", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, Place{Joined: true}, true, No},
		{"to somebody else where we are not", platform.Event{Key: in, Text: "hi", Author: human, ToOther: true}, Place{}, false, No},
		{"a thread we are not in", platform.Event{Key: in, Text: "hi", Author: human}, Place{}, false, No},
		{"the channel itself", platform.Event{Key: top, Text: "hi", Author: human}, Place{Joined: true}, true, No},
		{"mentions only", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true, Alone: true, Follow: FollowMention}, true, No},
		{"the answer to our question there", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true, Follow: FollowMention, Asked: true}, true, Yes},
		{"everything", platform.Event{Key: top, Text: "hi", Author: human}, Place{Follow: FollowAlways}, true, Yes},
		{"an emoji", platform.Event{Key: in, Text: ":+1:", Author: human}, Place{Joined: true}, true, No},
		{"an emoji as an answer to our question", platform.Event{Key: in, Text: "👍", Author: human}, Place{Joined: true, Asked: true}, true, Yes},
		{"an emoji with a file", platform.Event{Key: in, Text: "👍", Author: human, Files: make([]memory.File, 1)}, Place{Joined: true, Alone: true}, true, Yes},
		{"an emoji with a mention", platform.Event{Key: in, Text: "👋", Author: human, Mention: true}, Place{Joined: true}, true, Yes},
		{"an emoji where everything is answered", platform.Event{Key: top, Text: "🎉 :tada:", Author: human}, Place{Follow: FollowAlways}, false, No},
		{"thanks to somebody, where everything is answered", platform.Event{Key: in, Text: "ok, thanks", Author: human}, Place{Joined: true, Follow: FollowAlways, Lines: []memory.Spoken{{Person: "v"}}}, true, No},
		{"thanks to us alone, where everything is answered", platform.Event{Key: in, Text: "ok, thanks", Author: human}, Place{Joined: true, Follow: FollowAlways, Alone: true}, true, Yes},
		{"a mention where we are quiet", platform.Event{Key: in, Text: "hi", Author: human, Mention: true}, Place{Joined: true, Follow: FollowQuiet}, true, Yes},
		{"the answer to our question where we are quiet", platform.Event{Key: in, Text: "hi", Author: human}, Place{Joined: true, Follow: FollowQuiet, Asked: true, Alone: true}, true, No},
		{"that we are to listen again", platform.Event{Key: in, Text: "Listen again, please!", Author: human}, Place{Joined: true, Follow: FollowQuiet}, true, Yes},
		{"that somebody else is to listen", platform.Event{Key: top, Text: "stop listening here", Author: human}, Place{}, false, No},
		{"everything but to somebody else", platform.Event{Key: top, Text: "hi", Author: human, ToOther: true}, Place{Follow: FollowAlways}, false, No},
	} {
		v := Decide(c.ev, c.p)
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
		want  string
	}{
		{"keeper, when?", nil, Yes}, {"Threadkeeper when?", nil, Yes}, {"what do you think, keeper?", nil, Yes}, {"keepers are rare", nil, No},
		{"Otto, when?", []string{"Otto"}, Yes}, {"keeper, when?", []string{"Otto"}, No}, {"keeper, when?", []string{"Threadkeeper"}, Yes},
		{"@Team Helper when?", []string{"team helper"}, Yes}, {"when, Team Helper?", []string{"Team Helper"}, Yes}, {"Team Helpers", []string{"Team Helper"}, No},
		{"Otto's answer was wrong", []string{"Otto"}, No}, {"no, Otto!", []string{"Otto"}, Yes}, {"I met Otto", []string{"Otto"}, No}, {"hello", []string{""}, No},
		{"I am at the counter. Keeper how many were they?", nil, Maybe}, {"I am at the counter. Threadkeeper how many were they?", nil, Yes}, {"ask the lock keeper. he knows", nil, No}, {"tk put it down for Sunday", nil, Maybe}, {"30 then. tk note that", nil, Maybe}, {"tk put it down", []string{"Otto"}, No},
	} {
		if got := callsUs(c.text, c.names); got != c.want {
			t.Errorf("%q of %q: %s", c.text, c.names, got)
		}
	}
	ben := []memory.Spoken{{Person: "ben", Name: "Ben"}}
	ev := platform.Event{Text: "Ben, when?", Author: platform.Author{ID: "ada"}}
	if v := amongOthers(ev, ben, []string{"Ben"}); v.Answer != Maybe {
		t.Errorf("a name that we share with somebody: %+v", v)
	}
}

// Whoever is asked by "you" is who spoke last.
func TestYou(t *testing.T) {
	lines := []memory.Spoken{{Person: "ben", Name: "Ben"}, {Person: "ada", Name: "Ada", Ours: true}}
	for text, want := range map[string]string{"can you do it in two goes?": No, "weißt du bis wann?": No, "can it be done in two goes?": Maybe, "> did you order it?\nwhat does the guide say?": Maybe} {
		if v := amongOthers(platform.Event{Text: text, Author: platform.Author{ID: "ada"}}, lines, nil); v.Answer != want {
			t.Errorf("%q behind somebody's line: %+v", text, v)
		}
	}
	if v := amongOthers(platform.Event{Text: "can you do it in two goes?", Author: platform.Author{ID: "cleo"}}, lines[1:], nil); v.Answer == No {
		t.Errorf("behind our answer: %+v", v)
	}
}

// TestAWordThatIsANameToo calls nobody for certain without a comma behind it.
func TestAWordThatIsANameToo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Will", "Will the invoice be paid?", Maybe}, {"Will", "Will, is the invoice paid?", No}, {"Will", "@Will is it paid?", No}, {"Mark", "mark the second one", Maybe},
		{"Mark", "Mark: is it paid?", No}, {"An", "an invoice is missing", Maybe}, {"Leila", "Leila is it paid?", No},
	} {
		lines := []memory.Spoken{{Ours: true, Person: "ada"}, {Person: "x", Name: c.name + " Smith"}}
		if v := amongOthers(platform.Event{Text: c.text, Author: platform.Author{ID: "ada"}}, lines, nil); v.Answer != c.want {
			t.Errorf("%q where %s has spoken: %+v, want %s", c.text, c.name, v, c.want)
		}
	}
}

// TestAnOldQuestionIsNotAnsweredByWhateverIsSaidNext, nor a fresh one by what calls somebody else.
func TestAnOldQuestionIsNotAnsweredByWhateverIsSaidNext(t *testing.T) {
	ours, bob := memory.Spoken{Ours: true, Person: "ada", Asks: true}, memory.Spoken{Person: "bob", Name: "Bob"}
	talk := []memory.Spoken{bob, {Person: "cleo", Name: "Cleo"}, bob, ours}
	for _, c := range []struct {
		text   string
		waited time.Duration
		lines  []memory.Spoken
		want   string
	}{
		{"the second one", time.Minute, talk, Yes}, {"the second one", 3 * 24 * time.Hour, []memory.Spoken{bob, ours}, Yes}, {"it moved to Friday", 3 * 24 * time.Hour, talk, Maybe},
		{"Bob, can you move the call?", 3 * 24 * time.Hour, talk, No}, {"Bob, can you move the call?", time.Minute, talk, No}, {"no idea. @Bob?", time.Minute, talk, No},
		{"👍", 3 * 24 * time.Hour, talk, No},
	} {
		ev := platform.Event{Key: memory.Key{Channel: "c", Thread: "t"}, Text: c.text, Author: platform.Author{ID: "ada", Kind: memory.Human}}
		if v := Decide(ev, Place{Joined: true, Asked: true, Waited: c.waited, Lines: c.lines}); v.Answer != c.want {
			t.Errorf("%q after %s: %+v, want %s", c.text, c.waited, v, c.want)
		}
	}
}

// TestARequestBetweenColleagues is not for us for certain: where we have said nothing, while two talk to each other, or in jest.
func TestARequestBetweenColleagues(t *testing.T) {
	ours, bob, cleo := memory.Spoken{Ours: true, Person: "ada"}, memory.Spoken{Person: "bob", Name: "Bob"}, memory.Spoken{Person: "cleo", Name: "Cleo"}
	far := []memory.Spoken{bob, cleo, bob, ours}
	for _, c := range []struct {
		who, text string
		lines     []memory.Spoken
		want      string
	}{
		{"cleo", "write the minutes up", far, Maybe}, {"ada", "write the minutes up", far, Yes}, {"ada", "write the minutes up yourself 😂", far, Maybe},
		{"cleo", "write the minutes up", []memory.Spoken{bob, ours}, Yes}, {"cleo", "write the minutes up", []memory.Spoken{bob}, Maybe},
	} {
		if v := amongOthers(platform.Event{Text: c.text, Author: platform.Author{ID: c.who}}, c.lines, nil); v.Answer != c.want {
			t.Errorf("%s, %q after %+v: %+v, want %s", c.who, c.text, c.lines, v, c.want)
		}
	}
}

// TestAnybodyMayAnswerWhatWeAsked, in a few words, though others have spoken since.
func TestAnybodyMayAnswerWhatWeAsked(t *testing.T) {
	asked, bob := memory.Spoken{Ours: true, Person: "ada", Asks: true}, memory.Spoken{Person: "bob", Name: "Bob"}
	for _, c := range []struct {
		who, text string
		ours      memory.Spoken
		want      string
	}{
		{"cleo", "the big one", asked, Maybe}, {"ada", "500mA", asked, Maybe}, {"ada", "yes do", asked, Yes}, {"cleo", "the big one is still in the cellar", asked, No},
		{"ada", "pushed", memory.Spoken{Ours: true, Person: "ada"}, No}, {"cleo", "thanks", asked, No},
	} {
		if v := amongOthers(platform.Event{Text: c.text, Author: platform.Author{ID: c.who}}, []memory.Spoken{bob, c.ours}, nil); v.Answer != c.want {
			t.Errorf("%s, %q: %+v, want %s", c.who, c.text, v, c.want)
		}
	}
}

// TestALinkAsksNothing, whatever stands in its address.
func TestALinkAsksNothing(t *testing.T) {
	bob := memory.Spoken{Person: "bob", Name: "Bob"}
	lines := []memory.Spoken{bob, bob, bob, {Ours: true, Person: "ada"}}
	for text, want := range map[string]string{"our notes are at https://x.example/doc?list=all now": No, "is this the draft: https://x.example/doc?id=7 ?": Maybe, "seen https://x.example/doc?": Maybe} {
		if v := amongOthers(platform.Event{Text: text, Author: platform.Author{ID: "cleo"}}, lines, nil); v.Answer != want {
			t.Errorf("%q: %+v, want %s", text, v, want)
		}
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

// TestOnesOwnWordsStandBetweenNobody: who thanks us and asks on means us still, unless somebody else has spoken.
func TestOnesOwnWordsStandBetweenNobody(t *testing.T) {
	ours, thanks := memory.Spoken{Ours: true, Person: "ada"}, memory.Spoken{Person: "ada", Name: "Ada"}
	ev := platform.Event{Text: "and how do I attach a report?", Author: platform.Author{ID: "ada", Kind: memory.Human}}
	if v := amongOthers(ev, []memory.Spoken{thanks, ours}, nil); v.Answer != Yes {
		t.Errorf("after her thanks: %+v", v)
	}
	if v := amongOthers(ev, []memory.Spoken{thanks, {Person: "bob", Name: "Bob"}, ours}, nil); v.Answer == Yes {
		t.Errorf("after Bob: %+v", v)
	}
}
