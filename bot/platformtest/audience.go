package platformtest

import "strings"

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

// found searches for a word of another channel.
func (s *stage) found(top Place, who, word string, want bool) {
	s.t.Helper()
	s.h.Command(who, top, "memory search", word)
	answer := "Nothing was found"
	if want {
		answer = "launch code is " + word
	}
	s.until(top, who, answer, has(answer))
	s.settle()
}

func guests(s *stage) {
	at := s.say(s.top("general"), "the launch code is walrus")
	s.until(at, "Ada", "the answer", has("walrus"))
	s.settle()
	s.found(s.top("random"), Guest, "walrus", false)
	_, at = s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "documents", Mention: true, Files: []File{note}})
	s.until(at, "Ada", "the answer", has("note.txt ready"))
	s.settle()
	s.h.Say(Said{Who: Guest, At: at, Text: "cite"})
	s.until(at, "Ada", "the answer to the guest", has("No document says so."))
	s.settle()
	s.h.Command(Guest, at, "docs list", "")
	s.until(at, Guest, "why there are none", has("do not use documents here"))
	s.h.Say(Said{Who: Guest, At: at, Text: "documents", Files: []File{{Name: "guest.txt", Data: []byte("What a guest posts is not read by the assistant here.")}}})
	s.until(at, "Ada", "why it was not read", has("could not read guest.txt"))
	s.settle()
	s.say(at, "cite")
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
	if len(h.Threads) != 1 || h.Threads[0].Title != "documents" || h.Threads[0].Post == "" || !strings.HasPrefix(h.Threads[0].Gauge, "context ") {
		s.t.Errorf("threads %+v", h.Threads)
	}
	if len(h.Documents) != 1 || h.Documents[0].Name != note.Name || h.Documents[0].Pages != 1 || s.h.Features().Links && h.Documents[0].Link == "" {
		s.t.Errorf("documents %+v", h.Documents)
	}
	if h, err = s.h.(Homer).Home(s.t.Context(), "Nobody"); err != nil || len(h.Threads)+len(h.Documents) != 0 {
		s.t.Errorf("of somebody we do not know: %+v %v", h, err)
	}
}
