package kit

import "testing"

func TestAfterSalutation(t *testing.T) {
	for text, want := range map[string]string{
		"@bob lunch?": "@bob lunch?", "Hi @bob": "@bob", "hey, @bob": "@bob", "Thanks @bob!": "@bob!", "Thank you, @bob": "@bob",
		"Ok, thanks! @bob": "@bob", "Danke @bob": "@bob", "¡Hola, @bob!": "@bob!", "sí, @bob": "@bob", ":wave: @bob": "@bob", "👋 @bob": "@bob", "👍🏽 @bob": "@bob",
		"Hippos are animals": "Hippos are animals", "no": "", "What does @bob say?": "What does @bob say?",
	} {
		if got := AfterSalutation(text); got != want {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
}
