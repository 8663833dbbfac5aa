package agent

import (
	"strings"
	"testing"
)

// TestWithoutAModelNothingIsWritten: an order is not noted down as if it were carried out; what
// fits is quoted.
func TestWithoutAModelNothingIsWritten(t *testing.T) {
	for _, c := range []struct{ language, text, quotes string }{
		{"en", "Explain the warranty", "The warranty lasts three years"},
		{"en", "Please explain the warranty to me", "The warranty lasts three years"},
		{"en", "Write to Ada that the office is closed on Friday", ""},
		{"en", "Translate this into French: The kitchen is full", ""},
		{"en", "Tell Ada the claim was accepted", ""},
		{"en", "Could you draft a reply to the customer?", ""},
		{"de", "Erklär mir bitte die Garantie", "Die Garantie gilt drei Jahre"},
		{"de", "Schreib Ada, dass die Küche am Freitag voll ist", ""},
		{"de", "Bitte übersetze diesen Text ins Englische: Die Küche ist voll.", ""},
		{"de", "Formuliere eine Antwort an den Kunden", ""},
		{"fr", "Expliquez-moi la garantie", "La garantie dure trois ans"},
		{"fr", "Traduis ceci en anglais", ""},
		{"fr", "Peux-tu traduire ce texte ?", ""},
		{"es", "Explica la garantía", "La garantía dura tres años"},
		{"es", "Escribe a Ada que la cocina cierra el viernes", ""},
		{"es", "Por favor, traduce este texto", ""},
	} {
		k := newTalk(t, "")
		cannot, found := phrasesIn[c.language].cannotWrite, phrasesIn[c.language].found
		if got := k.turn("Ada", c.text, ChoiceNone); !strings.HasPrefix(got.Text, cannot) || !strings.Contains(got.Text, "OPENAI_API_KEY") {
			t.Errorf("%q with nothing to quote: %q", c.text, got.Text)
		}
		k.document("note.txt", "The warranty lasts three years from the day of delivery. Claims are sent to the office in Lyon.\n\n"+
			"La garantie dure trois ans. Die Garantie gilt drei Jahre. La garantía dura tres años.")
		got := k.turn("Ada", c.text, ChoiceNone)
		if !strings.HasPrefix(got.Text, cannot) || !strings.Contains(got.Text, c.quotes) {
			t.Errorf("%q with a document: %q", c.text, got.Text)
		}
		if c.quotes != "" && (!strings.Contains(got.Text, found) || len(got.Citations) == 0) {
			t.Errorf("%q is answered %q with %d citations", c.text, got.Text, len(got.Citations))
		}
	}
}

// TestAnOrderQuotesWhatWasSaid where no document fits.
func TestAnOrderQuotesWhatWasSaid(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ada", "The launch of the Kestrel is on 4 May.")
	got := k.turn("Ada", "Describe the launch of the Kestrel", ChoiceNone).Text
	if !strings.HasPrefix(got, english.cannotWrite) || !strings.Contains(got, "on 4 May") {
		t.Errorf("answered %q", got)
	}
}

// TestWhatIsToBeRememberedIsNoted: it is no order to write, and asks for nothing.
func TestWhatIsToBeRememberedIsNoted(t *testing.T) {
	for text, want := range map[string]string{"Remember that Bob is away": english.noted, "Please note: the office is closed": english.noted,
		"Merke dir, dass Bob weg ist": german.noted} {
		k := newTalk(t, "")
		k.document("note.txt", "The warranty lasts three years from the day of delivery.")
		if got := k.turn("Ada", text, ChoiceNone).Text; got != want {
			t.Errorf("%q is answered %q", text, got)
		}
	}
}
