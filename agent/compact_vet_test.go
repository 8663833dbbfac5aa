package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"threadkeeper/memory"
)

// TestFactsThatTheLinesSupport: a thing may be named by a line before; numbers, people and denials stand in the line itself,
// and what somebody says of another is no preference of theirs.
func TestFactsThatTheLinesSupport(t *testing.T) {
	slice := &memory.Slice{}
	for i, l := range []struct{ author, said string }{
		{"Ravi", "Proposal: leave RabbitMQ, go to NATS, 286 a month."},
		{"Marek", "Against. It serves us well."},
		{"Ravi", "With persistence it reaches 23,700."},
		{"Sara", "Imani is allergic to shellfish. No prawns in any shared pot, ever."},
		{"Imani", "Thank you. I like tents."},
		{"Sara", "The Nordvik cabins are booked."},
		{"Tom", "Correction. Castell is £33,180 incl VAT, not 31,800."},
		{"Priya", "And from me: written quotes only. No numbers shouted over the phone, I want paper or PDF."},
		{"Mona", "I'm not having a lithium battery under the stairs, fire risk."},
		{"Ivo", "I do not want Excel, ever, in the reports."},
		{"Rosa", "Rather no panels on the street side at all. Rear only, or I vote no."},
		{"Lena", "INC-3391: orders stuck."},
		{"Chidi", "The disk was full."},
		{"", "Page 14 says that the chimney is listed and must not be touched without consent."},
		{"Ivo", "We decided to build a slide to the pub."},
		{"Rosa", "Their letter: \"We want blue tiles only.\"\n> No work on Sundays, please."},
	} {
		slice.Lines = append(slice.Lines, memory.Line{ID: int64(i + 1), PersonID: int64(i + 1), Role: memory.User, Author: l.author, Said: l.said})
	}
	slice.Lines[13].Role, slice.Lines[13].Author, slice.Lines[14].Joking = memory.Assistant, "", true
	for _, c := range []struct {
		kind, subject, text, quote string
		line                       int
		want                       memory.FactKind // "" for none
	}{
		{"preference", "Marek", "Marek is against leaving RabbitMQ", "It serves us well.", 2, memory.Preference},
		{"key_fact", "NATS", "With persistence NATS reaches 23,700", "With persistence it reaches 23,700.", 3, memory.KeyFact},
		{"key_fact", "NATS", "With persistence NATS reaches 23,700 for 286 a month", "With persistence it reaches 23,700.", 3, ""}, // a number of another line
		{"key_fact", "Nordvik", "The cabin Nordvik reaches 23,700", "With persistence it reaches 23,700.", 3, ""},                  // named later
		{"key_fact", "NATS", "As Marek says, NATS reaches 23,700", "With persistence it reaches 23,700.", 3, ""},                   // another person
		{"constraint", "Imani", "Imani is allergic to shellfish; no prawns in any shared pot", "Imani is allergic to shellfish.", 4, memory.KeyFact},
		{"key_fact", "Imani", "Imani is not allergic to shellfish", "Imani is allergic to shellfish.", 4, ""},
		{"constraint", "Sara", "Prawns in any shared pot", "No prawns in any shared pot, ever.", 4, ""},
		{"preference", "Imani", "Imani does not like tents", "I like tents.", 5, ""},
		{"key_fact", "Castell", "Castell's corrected quote is £33,180 incl VAT", "Castell is £33,180 incl VAT, not 31,800", 7, memory.KeyFact},
		{"key_fact", "Castell", "Castell's quote is £31,800 incl VAT", "Castell is £33,180 incl VAT, not 31,800", 7, ""}, // the denied value
		{"constraint", "Priya", "Priya wants written quotes only, on paper or PDF", "written quotes only. No numbers shouted over the phone, I want paper or PDF", 8, memory.Constraint},
		{"constraint", "Priya", "Priya wants numbers shouted over the phone", "No numbers shouted over the phone, I want paper or PDF", 8, ""},
		{"constraint", "Mona", "Mona refuses a lithium battery under the stairs, fire risk", "I'm not having a lithium battery under the stairs", 9, memory.Constraint},
		{"constraint", "Mona", "Mona wants a lithium battery under the stairs", "I'm not having a lithium battery under the stairs", 9, ""},
		{"preference", "Ivo", "Ivo wants Excel in the reports", "I do not want Excel, ever, in the reports.", 10, ""},
		{"preference", "Rosa", "Rosa wants panels on the rear only", "no panels on the street side at all. Rear only, or I vote no.", 11, memory.Preference},
		{"decision", "team", "Everyone is against leaving RabbitMQ", "Against. It serves us well.", 2, ""}, // one person
		{"constraint", "Mona", "Nobody may put a lithium battery under the stairs", "I'm not having a lithium battery under the stairs", 9, memory.Constraint},
		{"key_fact", "INC-3391", "The cause of INC-3391 was a full disk", "The disk was full.", 13, memory.KeyFact},
		{"key_fact", "disk", "The disk of INC-3391 was full", "The disk was full.", 13, ""},                                                                               // not about it
		{"constraint", "chimney", "The chimney must not be touched without consent", "the chimney is listed and must not be touched without consent", 14, memory.KeyFact}, // reported
		{"decision", "slide", "A slide to the pub is built", "We decided to build a slide to the pub.", 15, ""},                                                           // a joke
		{"preference", "Rosa", "Blue tiles only", "We want blue tiles only.", 16, memory.KeyFact},                                                                         // of others
		{"constraint", "Rosa", "No work on Sundays", "No work on Sundays, please.", 16, memory.KeyFact},
		{"preference", "Rosa", "Rosa wants panels on the street side", "no panels on the street side at all. Rear only, or I vote no.", 11, ""},
	} {
		got, ok := vetFact(factJSON{Kind: c.kind, Subject: c.subject, Text: c.text, Quote: c.quote, Line: c.line}, slice)
		if ok != (c.want != "") || got.Kind != c.want {
			t.Errorf("%q from %q: %v %q, want %q", c.text, c.quote, ok, got.Kind, c.want)
		}
	}
}

// TestADayThatALineMeans: "next Friday" is told as its day, which the model works out from the time it is shown.
func TestADayThatALineMeans(t *testing.T) {
	wednesday := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC).UnixMilli()
	slice := &memory.Slice{Lines: []memory.Line{{ID: 1, PersonID: 1, Role: memory.User, Author: "Ada", At: wednesday, Said: "The fair opens next Friday."}}}
	for day, want := range map[string]bool{"Friday 13 March 2026": true, "6 March 2026": true, "2026-03-13": true, "Thursday 12 March 2026": false, "20 March 2026": false, "13 March 2027": false} {
		text := "The fair opens on " + day
		if _, ok := vetFact(factJSON{Kind: "key_fact", Subject: "fair", Text: text, Quote: "opens next Friday", Line: 1}, slice); ok != want {
			t.Errorf("a fact of %s: %v", day, ok)
		}
		if _, err := vetNarrative(text+".", slice, nil); (err == nil) != want {
			t.Errorf("told as %s: %v", day, err)
		}
	}
}

// TestNarrativeLinesThatNothingSays: what a summary adds of everybody's mood or consent, or of matters nobody spoke of, is left
// out, and the rest is kept.
func TestNarrativeLinesThatNothingSays(t *testing.T) {
	slice := &memory.Slice{}
	for i, l := range []struct{ author, said string }{
		{"Saoirse", "The compromise is 5 nights in the cabin and 3 nights in tents."},
		{"Imani", "Deal. I take care of the tents and we can cook on the beach."},
		{"Yusuf", "For the nights in tents I take a hotel next door."},
		{"Ben", "Everybody pays 200 into the pot. The driver picks the music."},
		{"Imani", "A passenger may veto it. And nobody touches the stove when I cook."},
		{"Yusuf", "I will not sleep in a bag. I do not want anyone to put me into a tent."},
	} {
		slice.Lines = append(slice.Lines, memory.Line{ID: int64(i + 1), PersonID: int64(i + 1), Role: memory.User, Author: l.author, Said: l.said})
	}
	for sentence, want := range map[string]bool{
		"Saoirse's compromise was 5 nights in the cabin and 3 nights in tents.": true,
		"Yusuf said he would take a hotel next door for those nights.":          true,
		"Yusuf refused to sleep in a bag.":                                      true,
		"Everybody was to pay 200 into the pot.":                                true,
		"Nobody may touch the stove when Imani cooks.":                          true,
		"Yusuf wanted nobody to put him into a tent.":                           true,
		"Everybody was happy with the compromise.":                              false,
		"Everyone agreed with Ben that the driver picks the music.":             false,
		"Nobody objected to the compromise.":                                    false,
		"They then discussed marketing plans and hired a designer.":             false,
	} {
		got, err := vetNarrative("Imani takes care of the tents. "+sentence, slice, nil)
		if err != nil || strings.Contains(got, sentence) != want {
			t.Errorf("%q is kept: %v, want %v; %v", sentence, !want, want, err)
		}
	}
}

// TestASettledTodoLeavesItsReference: a settled todo is not shown, so what only it says is mentioned; and a slot is that of
// its subject.
func TestASettledTodoLeavesItsReference(t *testing.T) {
	said := []string{"I look for a rental car.", "Booked, reference LFT-88213.", "The cabin costs 2,140 a night.", "The boat costs 900."}
	slice := &memory.Slice{}
	for i, s := range said {
		slice.Lines = append(slice.Lines, memory.Line{ID: int64(i + 1), PersonID: 1, Role: memory.User, Author: "Imani", Said: s})
	}
	fact := func(kind, subject, slot, text string, line int) factJSON {
		return factJSON{Kind: kind, Subject: subject, Slot: slot, Text: text, Line: line, Quote: said[line-1]}
	}
	done := fact("todo", "rental car", "rental car", "The car is booked, reference LFT-88213", 2)
	done.Done = true
	s, err := vet(&summaryJSON{Narrative: json.RawMessage(`"Imani looked for a rental car."`), Facts: laxFacts{fact("todo", "rental car", "rental car", "Imani looks for a rental car", 1), done,
		fact("key_fact", "cabin", "price", "The cabin costs 2,140 a night", 3), fact("key_fact", "boat", "boat price", "The boat costs 900", 4)}}, slice, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(s.Narrative, "Also mentioned: LFT-88213.") {
		t.Errorf("narrative %q", s.Narrative)
	}
	var slots []string
	for _, c := range s.Claims {
		slots = append(slots, c.Slot)
	}
	if got := strings.Join(slots, "; "); got != "rental car; rental car; cabin price; boat price" {
		t.Errorf("slots %s", got)
	}
}
