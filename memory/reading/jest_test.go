package reading

import "testing"

func TestWhatIsTakenBackAsAJoke(t *testing.T) {
	for text, want := range map[string]bool{
		"We move to the moon, just kidding": true, "The budget is 3 million. jk": true, "Das Büro zieht nach Mars. War nur Spaß!": true,
		"je plaisante": true, "era broma": true, "Decided: beer at nine /s": true,
		"I'm not kidding, never deploy on Fridays": false, "kein Witz: wir ziehen um": false,
		"Tom told me a joke about pigeons that study lab coats": false, "noted lol": false, "The deadline is Friday": false,
	} {
		if Jest(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
	for text, want := range map[string][2]bool{
		"just kidding!": {true, false}, "lol": {true, true}, "haha 😂": {true, true}, "JAJAJA": {true, true}, "noted lol": {}, "ha, no": {}, "yes": {},
		"We move to the moon on Friday, just kidding": {},
	} {
		if joking, laughing := TakesBack(text); joking != want[0] || laughing != want[1] {
			t.Errorf("%q: %v %v, want %v", text, joking, laughing, want)
		}
	}
}

// TestWhatIsMeantIsNoJoke: a wish, a complaint, a question and a unit take nothing back.
func TestWhatIsMeantIsNoJoke(t *testing.T) {
	for _, text := range []string{"Viel Spaß!", "Are you kidding me?", "Are you kidding? The deadline is 3 May.", "Throughput is 40 MB/s", "Das macht Spaß.",
		"You must be joking.", "Just kidding?", "What a joke", "That joke was good", "This is a joke"} {
		if joking, _ := TakesBack(text); joking || Jest(text) {
			t.Errorf("%q takes something back", text)
		}
	}
	for _, text := range []string{"I was joking.", "I'm kidding", "It was just a joke!", "/s", "Nur Spaß", "scherzavo", "C'était une blague", "nur ein Witz", "We never deploy on Fridays again /s"} {
		if !Jest(text) {
			t.Errorf("%q takes nothing back", text)
		}
	}
}
