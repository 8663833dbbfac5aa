package agent

import (
	"slices"
	"strings"
	"testing"
)

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
			answer := k.turn("Ada", q, ChoiceNone).Text
			told := strings.Contains(answer, c.line)
			if want := slices.Contains(c.yes, q); told != want {
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
	if answer := k.turn("Ada", "Where is the tent?", ChoiceNone).Text; strings.Contains(answer, "Remind") {
		t.Errorf("a request is quoted as a statement: %s", answer)
	}
}

// TestDifferentThingsAreNoCorrection: of two things only one of which changed nothing is "latest".
func TestDifferentThingsAreNoCorrection(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ada", "The code of the cellar is K-11.")
	k.say("Ada", "The code of the attic is K-22.")
	if answer := k.turn("Ada", "What is the code?", ChoiceNone).Text; !strings.Contains(answer, "K-11") || !strings.Contains(answer, "K-22") || strings.Contains(answer, english.latest) {
		t.Errorf("got %s", answer)
	}
}

// TestCorrections: both statements are told and the later one is marked, however it is worded.
func TestCorrections(t *testing.T) {
	for _, c := range []struct{ first, second, question string }{
		{"The regatta is on 4 June.", "Sorry, I meant the 11th of June for the regatta.", "When is the regatta?"},
		{"Kim's ferry lands at 14:20.", "Kim's ferry was delayed, it now lands at 17:05.", "When does Kim's ferry land?"},
		{"The lease with Veltro ends in March.", "Scratch that, Veltro's lease runs until September.", "When does the lease with Veltro end?"},
		{"The deposit is 40,000 euros.", "It's not 40,000 but 46,500 euros.", "What is the deposit?"},
		{"The spare key is kept in vault A.", "No wait, vault B.", "Where is the spare key kept?"},
		{"Der Termin beim Notar ist am Dienstag.", "Der Notar hat den Termin auf Freitag verlegt.", "Wann ist der Termin beim Notar?"},
		{"La entrega es el lunes.", "La entrega se aplazó al viernes.", "¿Cuándo es la entrega?"},
	} {
		k := newTalk(t, "")
		k.say("Ada", c.first)
		k.say("Ada", "The hull was painted.")
		k.say("Ada", c.second)
		answer := k.turn("Ada", c.question, ChoiceNone).Text
		mark := "**" + speak(c.question).latest + "**"
		if !strings.Contains(answer, c.first) || !strings.HasSuffix(answer, mark) || !strings.Contains(answer, c.second) {
			t.Errorf("%s: %s", c.question, answer)
		}
	}
}

// TestWhoSaidIt asks for what one person decided, for what we recommended, and for a day.
func TestWhoSaidIt(t *testing.T) {
	for _, c := range []struct{ question, want, not string }{
		{"What did Bob, not Alice, decide?", "train", "fly"},
		{"What did Alice decide?", "fly", "train"},
		{"What did Dora decide?", english.notSaid, "decided"},
		{"What did you recommend for the database?", "PostgreSQL", "MySQL"},
		{"What did you recommend for the sails?", english.notSaid, "PostgreSQL"},
		{"What did I tell you yesterday?", "MySQL", "train"},
	} {
		k := newTalk(t, "")
		k.say("Bob", "I decided to take the train to Oslo.")
		k.say("Alice", "I decided to fly to Oslo.")
		k.say("Ada", "Which database should we use?")
		k.say("bot", "I recommend PostgreSQL because of its JSON support.")
		k.now = k.now.AddDate(0, 0, 6)
		k.say("Ada", "I recommend MySQL to my sister.")
		k.now = k.now.AddDate(0, 0, 1)
		answer := k.turn("Ada", c.question, ChoiceNone).Text
		if !strings.Contains(answer, c.want) || strings.Contains(answer, c.not) {
			t.Errorf("%s: %s", c.question, answer)
		}
	}
}
