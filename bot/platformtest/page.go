package platformtest

import "strings"

func (s *stage) cited() (id string, at Place, answer Post) {
	s.t.Helper()
	id, at = s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "cite", Mention: true, Files: []File{note}})
	posts := s.answers(at, "Three years. [1]")
	return id, at, posts[0]
}

func (s *stage) uncited(at Place) {
	s.t.Helper()
	s.until(at, "Ada", "the end of the answer", func(posts []Post) bool { return !has("Three years")(posts) })
	s.settle()
}

func (s *stage) pictures(at Place, who string) (n int) {
	for _, p := range s.h.Posts(at, who) {
		if strings.HasSuffix(p.File, ".png") {
			n++
		}
	}
	return n
}

func showPage(s *stage) {
	id, at, answer := s.cited()
	if s.h.Features().Suggests {
		choices, err := s.h.Suggest(s.t.Context(), "Ada", at, "page", "number", "")
		if err != nil || len(choices) != 1 || choices[0].Value != "[1]" || !strings.Contains(choices[0].Label, note.Name+", page 1") {
			s.t.Errorf("pages suggested: %+v, %v", choices, err)
		}
	}
	s.h.Click("Bob", at, answer, Page(1))
	s.until(at, "Ada", "the page", func([]Post) bool { return s.pictures(at, "Ada") == 1 })
	s.settle()
	s.h.Click("Ada", at, answer, Page(1))
	s.until(at, "Ada", "where it is", has("already shown above"))
	s.settle()
	if posts := s.h.Posts(at, "Bob"); posts[1].AnswerTo != "" || !strings.HasPrefix(posts[1].Text, "[1] ") {
		s.t.Errorf("nobody stands between, and the page is %+v", posts[1])
	}
	for _, who := range []string{"Ada", "Bob"} {
		if n := s.pictures(at, who); n != 1 {
			s.t.Errorf("%s sees %d pictures, want 1", who, n)
		}
	}
	if has("already shown above")(s.h.Posts(at, "Bob")) {
		s.t.Error("what was said to Ada alone is shown to Bob")
	}
	if s.h.Features().Changes {
		s.h.Delete(at, id)
		s.until(at, "Ada", "the end of the page", func([]Post) bool { return s.pictures(at, "Ada") == 0 })
	}
}

// pageLeads asks for a page once others talk about something else.
func pageLeads(s *stage) {
	_, at, answer := s.cited()
	s.h.Say(Said{Who: "Bob", At: at, Text: "lunch?", ToOther: true})
	s.heard("lunch?")
	s.h.Click("Ada", at, answer, Page(1))
	posts := s.until(at, "Ada", "the page", func([]Post) bool { return s.pictures(at, "Ada") == 1 })
	if p := posts[len(posts)-1]; p.AnswerTo != answer.ID && !strings.HasPrefix(strings.ReplaceAll(p.Text, "*", ""), "Ada: [1] ") || p.Mentions > 0 {
		s.t.Errorf("nothing says whose page this is: %+v, the answer is %+v", p, answer)
	}
}

func pageGone(s *stage) {
	_, at, _ := s.cited()
	if s.h.Features().People {
		s.h.Command("Bob", at, "docs remove", "1")
		s.until(at, "Bob", "the refusal", has("Only the person who posted "+note.Name))
	}
	s.h.Command("Ada", at, "docs remove", "1")
	s.until(at, "Ada", "the removal", has("Removed"))
	s.uncited(at)
	s.h.Command("Ada", at, "page", "1")
	s.until(at, "Ada", "that nothing is cited", has("No answer here cites"))
	s.settle()
	if n := s.pictures(at, "Ada"); n != 0 {
		s.t.Errorf("%d pictures of a removed document", n)
	}
}

// pageForgotten has a page of a document shown and wants it gone with the document.
func pageForgotten(s *stage, remove func(at Place, id string)) {
	id, at, answer := s.cited()
	s.h.Click("Bob", at, answer, Page(1))
	s.until(at, "Ada", "the page", func([]Post) bool { return s.pictures(at, "Ada") == 1 })
	s.settle()
	remove(at, id)
	s.until(at, "Ada", "the end of the page", func([]Post) bool { return s.pictures(at, "Ada") == 0 })
	s.settle()
}

func pageOfRemoved(s *stage) {
	pageForgotten(s, func(at Place, _ string) { s.h.Command("Ada", at, "docs remove", "1") })
}

func pageOfDeleted(s *stage) {
	pageForgotten(s, func(at Place, id string) { s.h.(Filer).DeleteFile(at, id, note.Name) })
}

func links(s *stage) {
	_, at, answer := s.cited()
	if len(answer.Links) != 1 || answer.Links[0] == "" {
		s.t.Errorf("links %q of %+v", answer.Links, answer)
	}
	if s.h.Features().Restarts {
		s.stop()
		s.start()
	}
	s.say(at, "cite")
	posts := s.answers(at, "Three years. [1]", "Three years. [1]")
	if len(posts[1].Links) != 1 || posts[1].Links[0] != answer.Links[0] {
		s.t.Errorf("later %q, first %q", posts[1].Links, answer.Links)
	}
}

func fileDeleted(s *stage) {
	id, at, _ := s.cited()
	s.h.(Filer).DeleteFile(at, id, note.Name)
	s.uncited(at)
	s.say(at, "cite")
	s.until(at, "Ada", "what is left", has("No document says so."))
	s.settle()
}
