package reading

import "testing"

func TestAcknowledges(t *testing.T) {
	for text, want := range map[string]bool{
		"ok": true, "Thanks!": true, "perfect thx 🙌": true, "Danke dir": true, "ありがとうございます": true, "lol": true, "👍": true, "looks like it": true,
		"ok?": false, "ok now a shorter one": false, "thanks, and the second table": false, "done with the report for the board": false, "status": false,
	} {
		if got := Acknowledges(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestRequests(t *testing.T) {
	for text, want := range map[string]bool{
		"write a ticket from this thread": true, "ok, now translate it": true, "the table again please": true, "Fass das kurz zusammen": true,
		"dann füge die Fußnote ein": true, "résume le fil": true, "me resumes qué falta": false, "英語でお願いします": true, "mark AP done": true, "status": true, "and rank me the rest": true, "such mir die Zahlen raus": true, "it took me an hour": false, "so me": false,
		"let me check that": false, "for me the old one works": false, "ça me va très bien": false, "il me faut des clés": false, "tut mir leid, bin spät": false, "passt mir die Zeit": false,
		"I will write the ticket": false, "we changed the title": false, "they came back": false, "": false,
	} {
		if got := Requests(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAsksByOrder(t *testing.T) {
	for text, want := range map[string]bool{
		"when is it due": true, "mine is gone, where does that go": true, "ja leider. und was war nochmal die Frist": true, "and up to where do we read": true, "which day?": true,
		"ok shorter: which days is she out": true, "worauf muss ich achten": true, "until when is it good": true, "ok so what is left to do": true,
		"nope, has to be 24:00": false, "I know where I left it": false, "I know what is going on": false, "the one who is coming tomorrow": false,
		"moved to Friday, which is fine by me": false, "creo que es mejor así": false, "du, wer sonst": false, "": false,
	} {
		if got := AsksByOrder(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestConsents(t *testing.T) {
	for text, want := range map[string]bool{"yes do": true, "Ja, mach mal": true, "no, leave it": true, "yesterday": false, "north wing": false, "👍": false} {
		if got := Consents(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestGoesOn(t *testing.T) {
	for text, want := range map[string]bool{"y Baleares": true, "and in May": true, "and it was": false, "and": false, "the big one": false} {
		if got := GoesOn(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestRemarks(t *testing.T) {
	for text, want := range map[string]bool{"pushed": true, "your mom": true, "in euros": false, "and May": false, "more human, please": false, "了解": false, "👍": false} {
		if got := Remarks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestRequestsText(t *testing.T) {
	for text, want := range map[string]bool{
		"write a ticket from this thread": true, "ok, please translate it": true, "then summarise": true, "log it: the flag stays off": true, "status": true, "Fass das kurz zusammen": true,
		"status: all green": false, "list is done": false, "count me in": false, "mark is ill": false, "send me the invoice": false, "please have a look": false, "I will write it": false,
	} {
		if got := RequestsText(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAsksPeople(t *testing.T) {
	for text, want := range map[string]bool{"can anyone check?": true, "so: does somebody know": false, "Weiß jemand, wann?": false, "alguien sabe": false, "kann jemand nachsehen?": true,
		"write a notice: everybody brings cake": false, "guys, add your hours": true, "when did we tell the people at Acme that anyone may come?": false, "which day?": false, "": false} {
		if got := AsksPeople(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAsksByForm(t *testing.T) {
	for text, want := range map[string]bool{"which day?": true, "icons today？": true, "直してもらえますか。": true, "你吃饭了吗": true, "which day": false, "了解": false} {
		if got := AsksByForm(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFirstWord(t *testing.T) {
	for text, want := range map[string]string{"Bob, can you": "bob", "@Zoë look": "zoe", "Bob's laptop": "", "Bob’s": "", "(Bob)": "", "": "", "Jonasさん": "jonasさん"} {
		if got := FirstWord(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestEchoes(t *testing.T) {
	for text, want := range map[string]bool{"friday then?": true, "lunch?": true, "which minute?": true, "4am?": true,
		"and ours?": false, "Und Handys?": false, "what is left?": false, "friday then": false, "発売日はいつですか？": false} {
		if got := Echoes(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestStates(t *testing.T) {
	for text, want := range map[string]bool{"last year was without lunch": true, "it's always the backup": true, "ich hatte Rücken": true,
		"a bit friendlier": false, "more human. second person": false, "sent": false} {
		if got := States(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFindsFault(t *testing.T) {
	for text, want := range map[string]bool{"pin 4 is wrong": true, "you left out the audit": true, "da fehlt der Montag": true, "il manque lundi": true,
		"違います": true, "a strong answer": false, "sent": false} {
		if got := FindsFault(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNamesSource(t *testing.T) {
	for text, want := range map[string]bool{"how long, according to the sheet?": true, "does the guide say so?": true, "laut Satzung?": true, "d'après le contrat ?": true,
		"who wrote the guide?": false, "did you put that in writing": false} {
		if got := NamesSource(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
