package agent

import (
	"testing"

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
	} {
		slice.Lines = append(slice.Lines, memory.Line{ID: int64(i + 1), PersonID: int64(i + 1), Role: memory.User, Author: l.author, Said: l.said})
	}
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
	} {
		got, ok := vetFact(factJSON{Kind: laxText(c.kind), Subject: laxText(c.subject), Text: laxText(c.text), Quote: laxText(c.quote), Line: laxInt(c.line)}, slice)
		if ok != (c.want != "") || got.Kind != c.want {
			t.Errorf("%q from %q: %v %q, want %q", c.text, c.quote, ok, got.Kind, c.want)
		}
	}
}
