package memory

import "testing"

// TestKindOfSentence: which kind of fact a sentence of a person states, none for small talk
// and code.
func TestKindOfSentence(t *testing.T) {
	for sentence, want := range map[string]FactKind{
		"OK, we go with Hetzner in Falkenstein.":              Decision,
		"Let's do logical replication then.":                  Decision,
		"Die Regale nehmen wir von Schulte.":                  Decision,
		"We haven't decided on monitoring yet.":               OpenQuestion,
		"Falta saber quién presenta la charla.":               OpenQuestion,
		"Wir haben noch nicht entschieden, wer fährt.":        OpenQuestion,
		"I'll ask the city archive tomorrow.":                 Todo,
		"Can you set up the replica by Friday?":               Todo,
		"Ich kümmere mich um den Transporter.":                Todo,
		"Yo me encargo de llamar a la empresa.":               Todo,
		"Im Keller darf die Feuchte nicht über 55 % steigen.": Constraint,
		"The harbour office is in Ostend.":                    KeyFact,
		"La réunion est jeudi.":                               KeyFact,
		"The weather is nice here.":                           "",
		`func main() { fmt.Println("must never happen") }`:    "",
		"How many crates fit into a van?":                     "",
		"Thanks, that was very kind of you!":                  "",
	} {
		l := Line{}
		l.Role, l.Author, l.Said = User, "Ada", sentence
		c, ok := claimOf(l, sentence)
		if ok != (want != "") || ok && c.Kind != want {
			t.Errorf("%q: %q, want %q", sentence, c.Kind, want)
		}
	}
}
