package memory

import (
	"slices"
	"strings"
	"testing"
)

// TestQuotesLoseWhatTheirMessageLost: a reply quotes the message that it is to, and has words of its own, which stay.
func TestQuotesLoseWhatTheirMessageLost(t *testing.T) {
	const code, question = "the code of the barn is QZX-88731", "what does it open?"
	quoting := "> Ada: " + code + "\n\n" + question
	erased := func(t *testing.T, s *Store, key Key) {
		_, err := s.Erase(t.Context(), key, "m", 0)
		must(t, err)
	}
	edited := func(text string) func(*testing.T, *Store, Key) {
		return func(t *testing.T, s *Store, key Key) {
			_, err := s.Edit(t.Context(), key, "m", text)
			must(t, err)
		}
	}
	for name, c := range map[string]struct {
		does       func(*testing.T, *Store, Key)
		said, want string // by another person
		keeps      bool   // the answer to it
	}{
		"deleted":                   {erased, quoting, question, false},
		"edited":                    {edited("never mind"), quoting, question, false},
		"a spelling mistake":        {edited("the code of teh barn is QZX-88731"), quoting, quoting, true},
		"only a quote":              {erased, "> Ada: " + code, "", false},
		"two quotes":                {erased, "> Bob: the barn is red\n\n> Ada: " + code + "\n\n" + question, "> Bob: the barn is red\n\n\n" + question, false},
		"behind the question":       {erased, question + "\n\n> " + code, question, false},
		"a quote of something else": {erased, "> Bob: the barn is red\n\n" + question, "> Bob: the barn is red\n\n" + question, false},
		"own words":                 {erased, "I wrote QZX-88731 on the barn", "I wrote QZX-88731 on the barn", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			key := said(t, s, "one", "m", code, false).Session.Key
			in := incoming("two/q", "q", c.said, true)
			in.Key.Thread, in.Person = "two", Person{PlatformID: "u2", Name: "Cleo"}
			q, err := s.Queue.Receive(t.Context(), in)
			must(t, err)
			a, _ := answered(t, s, "QZX-88731 opens the barn.")
			c.does(t, s, key)
			got, err := s.Message(t.Context(), q.Message.ID)
			must(t, err)
			if got.Text != c.want {
				t.Errorf("it says %q, want %q", got.Text, c.want)
			}
			if a, err = s.Message(t.Context(), a.ID); err != nil || (a.Text != "") != c.keeps {
				t.Errorf("its answer says %q, %v", a.Text, err)
			}
			if !c.keeps {
				holds(t, s.path, "QZX-88731", "qzx-88731")
			}
		})
	}
}

// TestQuotesOfQuotesGo: of several messages that quote each other, and our answers to them.
func TestQuotesOfQuotesGo(t *testing.T) {
	s := openTest(t)
	key := said(t, s, "one", "m", "the code of the barn is QZX-88731", true).Session.Key
	answered(t, s, "Noted: the code of the barn is QZX-88731.", "p1")
	said(t, s, "two", "q1", "> Ada: the code of the barn is QZX-88731\n\nis that right?", true)
	answered(t, s, "Yes, the code of the barn is QZX-88731.", "p2")
	said(t, s, "two", "q2", "> Threadkeeper: Yes, the code of the barn is QZX-88731.\n\n> Ada: the code of the barn is QZX-88731\n\nreally?", true)
	answered(t, s, "It is, the code of the barn is QZX-88731.", "p3")
	said(t, s, "one", "q3", "> Threadkeeper: It is, the code of the barn is QZX-88731.\n\nI see", false)
	_, err := s.Erase(t.Context(), key, "m", 0)
	must(t, err)
	if got := strings.Join(textsIn(t, s.path), "|"); got != "||is that right?||really?||I see" {
		t.Errorf("%q", got)
	}
	holds(t, s.path, "QZX-88731", "qzx-88731")
}

// TestAQuoteOfAnErasedAnswerGoes: who goes back to an answer of ours quotes it.
func TestAQuoteOfAnErasedAnswerGoes(t *testing.T) {
	s := openTest(t)
	asked := said(t, s, "one", "m", "which boat is it?", true)
	answered(t, s, "The boat is Wexlow, the blue one at the pier.", "p1")
	said(t, s, "one", "back", "> Threadkeeper: The boat is Wexlow, the blue one at the pier.\n\nare you sure?", false)
	_, err := s.Erase(t.Context(), asked.Session.Key, "m", 0)
	must(t, err)
	if got := textsIn(t, s.path); !slices.Equal(got, []string{"", "", "are you sure?"}) {
		t.Errorf("%q", got)
	}
}

// TestAQuoteOfALaterPostOfAnErasedAnswerGoes: a long answer is several posts, and who replies to the second quotes its beginning.
func TestAQuoteOfALaterPostOfAnErasedAnswerGoes(t *testing.T) {
	const second = "Her keys hang behind the harbour office, beside the tide table."
	for name, c := range map[string]struct{ said, want string }{
		"of the second post":      {"> Threadkeeper: " + second + "\n\nwho told you?", "who told you?"},
		"of a message it repeats": {"> Cleo: her keys hang behind the harbour office\n\nwhen?", "> Cleo: her keys hang behind the harbour office\n\nwhen?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			in := incoming("two/c", "c", "her keys hang behind the harbour office", false)
			in.Key.Thread, in.Person = "two", Person{PlatformID: "u2", Name: "Cleo", Kind: Human}
			_, err := s.Queue.Receive(t.Context(), in)
			must(t, err)
			asked := said(t, s, "one", "m", "which boat is it?", true)
			answered(t, s, "The boat is Wexlow, the blue one that lies at the long pier. "+second, "p1", "p2")
			quoting := said(t, s, "two", "back", c.said, false)
			_, err = s.Erase(t.Context(), asked.Session.Key, "m", 0)
			must(t, err)
			if got, err := s.Message(t.Context(), quoting.Message.ID); err != nil || got.Text != c.want {
				t.Errorf("it says %q, want %q; %v", got.Text, c.want, err)
			}
		})
	}
}
