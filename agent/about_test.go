package agent

import "testing"

// TestAbout asks what was said in other words, and what was not said but something similar.
func TestAbout(t *testing.T) {
	for _, c := range []struct {
		line      string
		yes, none []string
	}{
		{"The gate code of the orchard is PK-4410.",
			[]string{"What is the gate code of the orchard?", "orchard gate code?", "Which code opens the orchard gate?", "What is the password of the orchard gate?"},
			[]string{"What is the gate code of the vineyard?", "What is the vineyard gate code?", "What is the phone number of the orchard?"}},
		{"My desk is **D-17**, next to the stairs.", []string{"Which desk is mine?", "Where is my desk?"}, []string{"Where is my chair?"}},
		{"I left the car in level 3.", []string{"Where did I leave the car?", "Where is my vehicle?"}, []string{"Where did I leave the umbrella?"}},
		{"Mon notaire s'appelle maître Aubry.", []string{"Qui est mon notaire ?", "Comment s'appelle mon notaire ?"}, []string{"Qui est mon avocat ?"}},
		{"Das Kennwort des Routers lautet Elch-90.", []string{"Welches Kennwort hat der Router?", "Wie ist das Passwort des Routers?"}, []string{"Wie lautet das Kennwort der Kamera?"}},
		{"La clave del taller es RW-118.", []string{"¿Qué clave tiene el taller?", "¿Cuál es la contraseña del taller?"}, []string{"¿Cuál es la clave del garaje?"}},
		{"Il codice del magazzino è 7745.", []string{"Che codice ha il magazzino?"}, []string{"Qual è il codice del cancello?"}},
		{"書庫の暗証番号は8821です。", []string{"書庫の番号を教えて", "書庫の暗証番号は何ですか?"}, []string{"車庫の暗証番号は何ですか?"}},
		{"仓库的门禁密码是 6620。", []string{"仓库密码是什么?"}, []string{"车库的门禁密码是多少?"}},
		{"La visite du chantier est fixée au 9 mai.", []string{"Quelle est la date de la visite du chantier ?"}, []string{"Quelle est la date de la visite du musée ?"}},
	} {
		for _, q := range append(c.yes, c.none...) {
			k := newTalk(t, "")
			k.say("Ada", c.line)
			k.say("Ada", "The kettle was cleaned.")
			answer := k.ask(q).Text
			told := len(answer) > 0 && contains(answer, c.line)
			if want := contains(" "+joined(c.yes), q); told != want {
				t.Errorf("%q after %q: quoted = %v: %s", q, c.line, told, answer)
			}
		}
	}
}

// TestAskingIsNoStatement: an earlier request for the same thing does not answer.
func TestAskingIsNoStatement(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ada", "The tent is in the shed.")
	k.say("Ada", "Remind me where the tent is")
	if answer := k.ask("Where is the tent?").Text; contains(answer, "Remind") {
		t.Errorf("a request is quoted as a statement: %s", answer)
	}
}

// TestDifferentThingsAreNoCorrection: of two things only one of which changed nothing is "latest".
func TestDifferentThingsAreNoCorrection(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ada", "The code of the cellar is K-11.")
	k.say("Ada", "The code of the attic is K-22.")
	if answer := k.ask("What is the code?").Text; !contains(answer, "K-11") || !contains(answer, "K-22") || contains(answer, english.latest) {
		t.Errorf("got %s", answer)
	}
}
