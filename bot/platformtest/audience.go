package platformtest

import (
	"fmt"
	"strings"
	"time"
)

func (s *stage) external() Place {
	at := s.top("shared")
	at.External = true
	return at
}

func externalDocuments(s *stage) {
	top := s.external()
	_, at := s.h.Say(Said{Who: "Ada", At: top, Text: "documents", Mention: true, Files: []File{note}})
	posts := s.until(at, "Ada", "the answer", has("New:"))
	if text := posts[len(posts)-1].Text; !strings.Contains(text, "could not read note.txt") || strings.Contains(text, "ready") {
		s.t.Errorf("a document of an external channel: %q", text)
	}
	s.h.Command("Ada", at, "docs list", "")
	s.until(at, "Ada", "why there are none", has("do not use documents here"))
	s.settle()
	s.say(at, "cite")
	s.until(at, "Ada", "the answer", has("No document says so."))
}

func externalMemory(s *stage) {
	at := s.say(s.top("general"), "the launch code is walrus")
	s.until(at, "Ada", "the answer", has("walrus"))
	s.settle()
	s.found(s.external(), "Ada", "walrus", false)
	s.found(s.top("random"), "Ada", "walrus", true)
}

// found searches for a word of another channel. What is to be found is asked for again until it is there: a channel that
// was closed is first compared with its platform.
func (s *stage) found(top Place, who, word string, want bool) {
	s.t.Helper()
	const nothing = "Nothing was found"
	answer := "launch code is " + word
	for tries := 1; ; tries++ {
		s.h.Command(who, top, "memory search", word)
		posts := s.until(top, who, answer, func(posts []Post) bool {
			return has(answer)(posts) || strings.Count(texts(posts), nothing) >= tries
		})
		s.settle()
		if found := has(answer)(posts); found == want {
			return
		} else if found || tries == 1000 {
			s.t.Fatalf("posts %+v", posts)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func texts(posts []Post) string {
	var b strings.Builder
	for _, p := range posts {
		b.WriteString(p.Text + "\n")
	}
	return b.String()
}

func (s *stage) toldOf(name string) Place {
	s.t.Helper()
	_, at := s.h.Say(Said{Who: "Ada", At: s.top(name), Text: "documents", Mention: true, Files: []File{note}})
	s.until(at, "Ada", "the answer", has("note.txt ready"))
	s.settle()
	s.h.Command("Ada", at, "docs share", note.Name)
	s.settle()
	s.say(at, "the launch code is walrus")
	s.until(at, "Ada", "the answer", has("You said: the launch code"))
	s.settle()
	return at
}

// reaches asks in a channel where nobody asked before for what was told in another, and
// wants all of it or nothing.
func (s *stage) reaches(from string, want bool) {
	s.t.Helper()
	s.found(s.top(from), "Bob", "walrus", want)
	_, at := s.h.Say(Said{Who: "Bob", At: s.top(from), Text: "cite", Mention: true})
	answer := "No document says so."
	if want {
		answer = "Three years. [1]"
	}
	s.until(at, "Bob", answer, has(answer))
	s.settle()
}

func becomesPrivate(s *stage) {
	own := s.toldOf("general")
	s.reaches("first", true)
	s.h.(Warden).Restrict(s.top("general"), true, false)
	s.settle()
	s.reaches("second", false)
	s.found(own, "Ada", "walrus", true)
	s.h.(Warden).Restrict(s.top("general"), false, false)
	s.settle()
	s.reaches("third", true)
}

func becomesExternal(s *stage) {
	s.toldOf("general")
	s.reaches("first", true)
	s.h.(Sharer).Share(s.top("general"), true)
	s.settle()
	s.reaches("second", false)
	s.h.(Sharer).Share(s.top("general"), false)
	s.settle()
	s.reaches("third", true)
	s.say(s.top("fourth"), "hello") // it is known as ours alone
	s.settle()
	s.h.(Sharer).Share(s.top("fourth"), true)
	s.settle()
	s.found(s.top("fourth"), "Bob", "walrus", false)
}

func becamePrivate(s *stage) {
	s.toldOf("general")
	for _, name := range []string{"first", "second", "third", "lounge"} {
		s.say(s.top(name), "the lunch code is walnut")
	}
	s.settle()
	s.stop()
	s.h.(Warden).Restrict(s.top("general"), true, true)
	s.h.Break(FailKinds)
	s.start()
	at := s.say(s.top("fourth"), "hello") // commands are not delivered again by all platforms
	s.until(at, "Ada", "the answer", has("You said: hello"))
	s.settle()
	s.reaches("fifth", false)
	for n := range 1000 { // what is public opens as soon as that is known
		at := s.top(fmt.Sprint("ask", n))
		s.h.Command("Bob", at, "memory search", "code")
		posts := s.until(at, "Bob", "what is found", func(posts []Post) bool { return len(posts) > 0 })
		s.settle()
		switch text := posts[0].Text; {
		case strings.Contains(text, "walrus"):
			s.t.Fatalf("said in a private channel: %q", text)
		case strings.Contains(text, "lunch code is walnut"):
			return
		}
	}
	s.t.Error("public channels stay closed")
}

func readBeforeClosed(s *stage) {
	at := s.say(s.top("general"), "the launch code is walrus")
	s.until(at, "Ada", "the answer", has("walrus"))
	s.settle()
	started := s.chain.Started()
	other := s.say(s.top("random"), "slowly recall walrus")
	told := has("launch code is")
	s.until(other, "Ada", "the beginning of the answer", told)
	s.h.(Warden).Restrict(s.top("general"), true, false)
	s.begun(started + 2)
	s.until(other, "Ada", "the end of what was told", func(posts []Post) bool { return len(posts) == 1 && !told(posts) })
	close(s.chain.Go)
	s.until(other, "Ada", "the answer", has("Done."))
	s.settle()
	if posts := s.h.Posts(other, "Ada"); len(posts) != 1 || told(posts) {
		s.t.Errorf("told after it was closed: %+v", posts)
	}
}

func guests(s *stage) {
	at := s.say(s.top("general"), "the launch code is walrus")
	s.until(at, "Ada", "the answer", has("walrus"))
	s.settle()
	s.found(s.top("random"), Guest, "walrus", false)
	_, at = s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "documents", Mention: true, Files: []File{note}})
	s.until(at, "Ada", "the answer", has("note.txt ready"))
	s.settle()
	s.h.Say(Said{Who: Guest, At: at, Text: "cite", Mention: true})
	s.until(at, "Ada", "the answer to the guest", has("No document says so."))
	s.settle()
	s.h.Command(Guest, at, "docs list", "")
	s.until(at, Guest, "why there are none", has("do not use documents here"))
	s.h.Say(Said{Who: Guest, At: at, Text: "documents", Mention: true, Files: []File{{Name: "guest.txt", Data: []byte("What a guest posts is not read by the assistant here.")}}})
	s.until(at, "Ada", "why it was not read", has("could not read guest.txt"))
	s.settle()
	s.mention(at, "cite")
	s.until(at, "Ada", "the answer to a member", has("Three years. [1]"))
}

func home(s *stage) {
	_, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "documents", Mention: true, Files: []File{note}})
	s.answers(at, "New: note.txt ready")
	s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "of Bob alone", Mention: true})
	s.settle()
	h, err := s.h.(Homer).Home(s.t.Context(), "Ada")
	if err != nil {
		s.t.Fatal(err)
	}
	if len(h.Threads) != 1 || h.Threads[0].Title != "documents" || h.Threads[0].Post == "" || !strings.HasPrefix(h.Threads[0].Gauge, "memory ") {
		s.t.Errorf("threads %+v", h.Threads)
	}
	if len(h.Documents) != 1 || h.Documents[0].Name != note.Name || h.Documents[0].Pages != 1 || s.h.Features().Links && h.Documents[0].Link == "" {
		s.t.Errorf("documents %+v", h.Documents)
	}
	if h, err = s.h.(Homer).Home(s.t.Context(), "Nobody"); err != nil || len(h.Threads)+len(h.Documents) != 0 {
		s.t.Errorf("of somebody we do not know: %+v %v", h, err)
	}
}
