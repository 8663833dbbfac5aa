package memory

import "testing"

// TestAShortNumberLeavesItsConversation: a number that nobody else said goes from the answers of the conversation, whether
// the message is deleted, forgotten or edited.
func TestAShortNumberLeavesItsConversation(t *testing.T) {
	for _, c := range []struct {
		name, said, other, question, answer, document string
		stays                                         bool
	}{
		{name: "a size", said: "My shoe size is 44.", question: "What is my shoe size?", answer: "Your shoe size is 44."},
		{name: "one digit", said: "My shoe size is 8.", question: "What is my shoe size?", answer: "It is 8."},
		{name: "a PIN", said: "The PIN is 042.", question: "What is the PIN?", answer: "The PIN is 042."},
		{name: "a PIN like a year", said: "The PIN is 2024.", question: "What is the PIN?", answer: "The PIN is 2024."},
		{name: "a share", said: "My share is 12 %.", question: "What is my share?", answer: "Your share is 12%."},
		{name: "an amount", said: "My rent is €950.", question: "What is my rent?", answer: "The rent is 950 euros."},
		{name: "said by somebody else too", said: "My shoe size is 44.", other: "The bus is number 44.", question: "What is my shoe size?", answer: "It is 44.", stays: true},
		{name: "in a document there", said: "My shoe size is 44.", document: "Size 44 is out of stock.", question: "What is my shoe size?", answer: "It is 44.", stays: true},
		{name: "a count of lines and a citation", said: "I have 1 dog.", question: "What have I?", answer: "1. A cat [1].", stays: true},
	} {
		for _, how := range []string{"delete", "forget", "edit"} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				ctx, s := t.Context(), openTest(t)
				if c.other != "" {
					in := incoming("o", "o", c.other, false)
					in.Person.PlatformID = "u2"
					if _, err := s.Queue.Receive(ctx, in); err != nil {
						t.Fatal(err)
					}
				}
				if c.document != "" {
					readable(t, s, said(t, s, "t", "file", "Here it is.", false).Message, "shop.txt", c.document)
				}
				r := said(t, s, "t", "m", c.said, false)
				said(t, s, "t", "q", c.question, true)
				a, _ := answered(t, s, c.answer, "p")
				var err error
				switch how {
				case "delete":
					_, err = s.Erase(ctx, r.Session.Key, "m", 0)
				case "forget":
					_, err = s.Forget(ctx, ForgetScope{Audience: Audience{Channel: Channel{ID: r.Session.ChannelID}, Person: r.Person.ID}, Session: r.Session.ID, Person: r.Person.ID, Only: []int64{r.Message.ID}})
				case "edit":
					_, err = s.Edit(ctx, r.Session.Key, "m", "I say nothing of it.")
				}
				if err != nil {
					t.Fatal(err)
				}
				if m, err := s.Message(ctx, r.Message.ID); err != nil || how != "edit" && m.ErasedAt == 0 {
					t.Fatal(m, err)
				}
				if m, err := s.Message(ctx, a.ID); err != nil || (m.ErasedAt == 0) != c.stays {
					t.Errorf("%q stays: %v, want %v (%v)", c.answer, m.ErasedAt == 0, c.stays, err)
				}
			})
		}
	}
}
