package platformtest

import (
	"context"
	"slices"
	"strings"
)

func (s *stage) file(text string, files ...File) Place {
	_, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: text, Mention: true, Files: files})
	return at
}

var note = File{Name: "note.txt", Data: []byte("The warranty lasts three years from the day of delivery. Claims are sent to the office in Lyon.")}

func files(s *stage) {
	at := s.file("documents", note)
	s.answers(at, "New: note.txt ready")
	s.h.Command("Ada", at, "docs list", "")
	s.until(at, "Ada", "the list", has("1. note.txt"))
}

func badFile(s *stage) {
	at := s.file("documents", File{Name: "broken.pdf", Data: []byte("no PDF at all")}, note)
	posts := s.until(at, "Ada", "the answer", has("note.txt ready"))
	s.settle()
	if text := posts[len(posts)-1].Text; !strings.Contains(text, "I could not read broken.pdf") {
		s.t.Errorf("nothing is said of the bad file: %q", text)
	}
	s.say(at, "go on")
	s.until(at, "Ada", "the next answer", has("You said: go on"))
}

func lostFile(s *stage) {
	s.h.Break(FailOpen)
	at := s.file("", note)
	s.until(at, "Ada", "the error", has("could not read note.txt: it is gone"))
	s.settle()
}

// busyFile is had at the second attempt.
func busyFile(s *stage) {
	s.h.Break(BusyOpen)
	at := s.file("documents", note)
	s.answers(at, "New: note.txt ready")
}

func suggestions(s *stage) {
	at := s.file("documents", note, File{Name: "Annual notes.txt", Data: []byte("Sales rose by nine percent in the north and fell in the south.")})
	s.until(at, "Ada", "the answer", has("ready"))
	s.settle()
	choices, err := s.h.Suggest(context.Background(), "Ada", at, "docs use", "document", "note")
	if err != nil {
		s.t.Fatal(err)
	}
	var labels []string
	for _, c := range choices {
		labels = append(labels, c.Label)
	}
	if !slices.Equal(labels, []string{"note.txt", "Annual notes.txt"}) {
		s.t.Errorf("suggested %q", labels)
	}
}

func editedBefore(s *stage) {
	id, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "slow start", Mention: true})
	s.begun(1)
	s.h.Edit(at, id, "quick now")
	s.answers(at, "You said: quick now")
}

func editedAfter(s *stage) {
	id, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "the code is 1", Mention: true})
	s.answers(at, "You said: the code is 1")
	s.h.Edit(at, id, "the code is 2")
	s.until(at, "Ada", "the answer to the new text", has("You said: the code is 2"))
	s.settle()
	if posts := s.h.Posts(at, "Ada"); len(posts) != 2 || strings.Contains(posts[0].Text, "the code is 1") {
		s.t.Errorf("after an edit: %+v", posts)
	}
	s.say(at, "recite")
	posts := s.until(at, "Ada", "the history", has("Ada: recite"))
	if len(posts) != 3 || !strings.Contains(posts[2].Text, "Ada: the code is 2") {
		s.t.Errorf("after an edit: %+v", posts)
	}
}

func deletedBefore(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "slow secret", Mention: at.Thread == ""})
	s.begun(2)
	s.h.Delete(at, id)
	s.settle()
	for _, p := range s.h.Posts(at, "Ada") {
		if strings.Contains(p.Text, "Working") || strings.Contains(p.Text, "secret") {
			s.t.Errorf("shown after the deletion: %q", p.Text)
		}
	}
	s.say(at, "recite")
	posts := s.until(at, "Ada", "the history", has("Ada: recite"))
	if strings.Contains(posts[len(posts)-1].Text, "secret") {
		s.t.Errorf("remembered: %q", posts[len(posts)-1].Text)
	}
}

func deletedAfter(s *stage) {
	id, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "hello", Mention: true})
	s.answers(at, "You said: hello")
	secret, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "the password is swordfish"})
	s.until(at, "Ada", "the answer", has("swordfish"))
	s.h.Delete(at, secret)
	s.settle()
	s.say(at, "recite")
	posts := s.until(at, "Ada", "the history", has("Ada: recite"))
	for _, p := range posts[:len(posts)-1] {
		if strings.Contains(p.Text, "swordfish") {
			s.t.Errorf("our post still repeats what was deleted: %q", p.Text)
		}
	}
	if text := posts[len(posts)-1].Text; strings.Contains(text, "Ada: the password is swordfish") || !strings.Contains(text, "Ada: hello") {
		s.t.Errorf("after deleting %s, not %s: %q", secret, id, text)
	}
}

// pastedAndEdited adds the question to a text that was pasted without one.
func pastedAndEdited(s *stage) {
	log := File{Name: "message.txt", Data: []byte(strings.Repeat("error: no space left on device\n", 100))}
	id, at := s.h.Say(Said{Who: "Ada", At: Place{Channel: "Ada", DM: true}, Text: "look", Files: []File{log}})
	s.until(at, "Ada", "the answer", has("no space left"))
	s.settle()
	s.h.Edit(at, id, "what does line 12 mean?")
	posts := s.until(at, "Ada", "the answer to the question", has("You said: what does line 12 mean?"))
	s.settle()
	if text := posts[len(posts)-1].Text; !strings.Contains(text, "no space left") {
		s.t.Errorf("the text is gone: %q", text)
	}
}

func noteCorrected(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "memory remember The spare kye is under mat A.", Mention: true})
	s.until(at, "Ada", "that it is noted", has("Remembered"))
	s.settle()
	s.h.Edit(at, id, "memory remember The spare key is under mats A & B.")
	s.settle()
	s.ask(at, "memory show", "", "The spare key is under mats A & B.")
}

// calledLate edits a line that was heard, and was for others, into one that is for us.
func calledLate(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Bob", At: at, Text: "what do you think"})
	s.settle()
	s.h.(Caller).CallIn(at, id, "what do you think of it")
	s.answers(at, "You said: hello", "You said: what do you think of it")
}

// namedLate mends our name in a line, which is for us only then.
func namedLate(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Bob", At: at, Text: "keper, what do you think"})
	s.settle()
	s.h.Edit(at, id, "keeper, what do you think")
	s.answers(at, "You said: hello", "You said: keeper, what do you think")
}

// titled follows the name of a thread through an edit, a deletion and a request to forget.
func titled(s *stage) {
	called := func(at Place, want, not string) {
		s.t.Helper()
		var title string
		if !Await(func() bool {
			title = s.h.(Titled).Title(at)
			return strings.Contains(title, want) && (not == "" || !strings.Contains(title, not))
		}) {
			s.t.Fatalf("a thread is called %q, want %q, not %q", title, want, not)
		}
	}
	begin := func(text string) (string, Place) {
		s.t.Helper()
		id, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: text, Mention: true})
		s.answers(at, "You said: "+text)
		called(at, text, "")
		return id, at
	}
	id, at := begin("the colour is mauve")
	s.h.Edit(at, id, "the colour is green")
	s.settle()
	called(at, "", "mauve")
	id, at = begin("the password is swordfish")
	s.h.Delete(at, id)
	s.settle()
	called(at, "", "swordfish")
	_, at = begin("the launch code is walrus")
	s.h.Command("Ada", at, "memory forget", "--yes")
	s.until(at, "Ada", "the receipt", func(posts []Post) bool { return len(posts) > 1 })
	s.settle()
	called(at, "", "walrus")
}
