package reading

import "testing"

func TestAddressesAreInNoLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"see https://example.com/lathe":                "",
		"mail a@b.de please":                           "en",
		"look at www.para.com/de/que, thanks":          "en",
		"[wie](https://example.com/the/and/of) ist es": "de",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNamesAndCodeAreInNoLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"summarise 8d1l4j7d.pdf":           "",
		"summarise les-des.pdf":            "",
		"please read la_le_les":            "en",
		"what is `la les des une`":         "en",
		"Explique ce texte the-of-and.pdf": "fr",
		"an open ` what is the":            "en",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"What is the notice period of the contract?": "en",
		"12 * 17 ?": "",
		"Wie hoch ist die Kündigungsfrist im Vertrag?":  "de",
		"Quel est le délai de préavis du contrat ?":     "fr",
		"¿Cuál es el plazo de preaviso del contrato?":   "es",
		"Qual è il termine di preavviso del contratto?": "it",
		"Qual é o prazo de aviso prévio do contrato?":   "pt",
		"Wat is de opzegtermijn van het contract?":      "nl",
		"J'ai un fichier de ventes":                     "fr",
		"Résume le fichier contrat.pdf":                 "fr",
		"Montre la page 3":                              "fr",
		"Résumez ce fichier":                            "fr",
		"Tengo un archivo de ventas":                    "es",
		"Scrivi una relazione":                          "it",
		"7Q-114":                                        "", "契約の通知期間は何ですか": "",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
