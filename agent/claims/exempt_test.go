package claims

import "testing"

func TestDenials(t *testing.T) {
	for text, want := range map[string]bool{
		"The report does not say when the crane was built. It lifts 40 tonnes [1].": true,
		"I could not find that in our conversation.":                                true,
		"No. The minutes do not mention a price.":                                   true,
		"Das Dokument nennt keinen Preis.":                                          true,
		"Ich habe in den Unterlagen nichts zur Laufzeit gefunden.":                  true,
		"Je n'ai rien trouvé à ce sujet.":                                           true,
		"No encontré esa fecha en el informe.":                                      true,
		"資料には記載がありません。":                                                             true,

		"The crane lifts 40 tonnes [1]. The report does not say when it was built.": false,
		"The company did not disclose its margin [1].":                              false,
		"Ada said on Tuesday that the gate stays shut.":                             false,
		"": false,
	} {
		if got := Denies(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestExclaims(t *testing.T) {
	for text, want := range map[string]bool{"Hope that helps!": true, "Good question!": true, "Gern!": true, "The gate closed in May!": false, "Good question.": false, "合併は失敗した！": false, "The crane is broken!": false, "Es ist erlaubt!": false, "The valve at the far end leaks!": false, "": false} {
		if got := exclaims(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
