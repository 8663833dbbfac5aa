package agent

import "testing"

func TestIntent(t *testing.T) {
	for text, is := range map[string]func(intent) bool{
		"Hello there!":                        func(in intent) bool { return in.greeting },
		"Guten Morgen":                        func(in intent) bool { return in.greeting },
		"谢谢":                                  func(in intent) bool { return in.thanks },
		"How are you?":                        func(in intent) bool { return in.greeting },
		"Tell me the wifi password again":     func(in intent) bool { return in.question },
		"Hello, what is the code?":            func(in intent) bool { return !in.greeting && in.question },
		"What did we decide about the logo?":  func(in intent) bool { return in.recall && in.question },
		"Was haben wir gestern beschlossen?":  func(in intent) bool { return in.recall },
		"What's next?":                        func(in intent) bool { return in.next },
		"How should we proceed?":              func(in intent) bool { return in.next },
		"What do I have to do next?":          func(in intent) bool { return in.next },
		"Et maintenant ?":                     func(in intent) bool { return in.next },
		"¿Cómo seguimos?":                     func(in intent) bool { return in.next },
		"Wie machen wir weiter?":              func(in intent) bool { return in.next },
		"What do the rules say about parking": func(in intent) bool { return !in.next },
		"Quelle est la prochaine étape ?":     func(in intent) bool { return in.next },
		"Fasse das Dokument bitte zusammen":   func(in intent) bool { return in.summary && in.document },
		"この報告書を要約してください":                      func(in intent) bool { return in.summary && in.document },
		"The meeting is at ten.":              func(in intent) bool { return !in.question && !in.recall && !in.summary },
		"How many people work at the harbour": func(in intent) bool { return in.oneFact },
	} {
		if !is(intend(text)) {
			t.Errorf("%q: %+v", text, intend(text))
		}
	}
}

// TestAQuestionBesideStatements: people ask in one of several sentences, and leave the mark away.
func TestAQuestionBesideStatements(t *testing.T) {
	for text, want := range map[string]bool{
		"Hey can you read this? What does the new roaster cost": true, "Please read this. What does the roaster cost": true,
		"Is Jo here? I have the plan.": true, "Jo signed on 4 May. The rent is due.": false,
		"See https://example.com/?q=1 for it.": false, "ما هو السعر؟ شكرا": true,
	} {
		if intend(text).question != want {
			t.Errorf("%q asks: %v", text, !want)
		}
	}
}
