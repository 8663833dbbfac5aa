package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// town is a store in which people talk in several channels.
type town struct {
	*testing.T
	s *Store
	n int
}

func newTown(t *testing.T) *town { return &town{T: t, s: openTest(t)} }

var townChannels = map[string]Channel{"general": {Kind: Public, Name: "general"}, "sales": {Kind: Public, Name: "sales"}, "board": {Kind: Private, Name: "board"},
	"ada-dm": {Kind: DM}, "partners": {Kind: Public, Name: "partners", External: true}}

// say has somebody say something in a thread of a channel.
func (w *town) say(channel, thread, who, text string) *Received {
	w.Helper()
	w.n++
	in := incoming(fmt.Sprint("e", w.n), fmt.Sprint("m", w.n), text, false)
	in.Key.Channel, in.Key.Thread, in.Channel = channel, thread, townChannels[channel]
	in.Person = Person{PlatformID: strings.ToLower(who), Name: who}
	in.Message.Author = who
	r, err := w.s.Queue.Receive(w.Context(), in)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// carried is what is carried to somebody in a new thread of a channel.
func (w *town) carried(channel, who string) []string {
	w.Helper()
	r := w.say(channel, fmt.Sprint("new ", w.n), who, "Hello again.")
	a, err := w.s.Audience(w.Context(), r.Session.ID, r.Person.ID)
	if err != nil {
		w.Fatal(err)
	}
	found, err := w.s.Carried(w.Context(), a)
	if err != nil {
		w.Fatal(err)
	}
	var texts []string
	for _, k := range found {
		texts = append(texts, k.Text)
	}
	return texts
}

func (w *town) want(channel, who string, texts ...string) {
	w.Helper()
	if got := w.carried(channel, who); !slices.Equal(got, texts) {
		w.Errorf("%s in %s: %q, want %q", who, channel, got, texts)
	}
}

// TestAProfileFollowsWhereItMayBeSeen says what one wants, folded and not, in each kind of channel and looks for it in the others.
func TestAProfileFollowsWhereItMayBeSeen(t *testing.T) {
	w := newTown(t)
	seen := map[string][]string{"general": {"general", "sales", "board", "ada-dm"}, "sales": {"general", "sales", "board", "ada-dm"},
		"board": {"board"}, "ada-dm": {"ada-dm"}, "partners": {"partners"}}
	for from, to := range seen {
		for _, folded := range []bool{false, true} {
			who, thread := fmt.Sprint("Ada ", w.n), fmt.Sprint("old ", w.n)
			likes := who + ": I prefer tabs."
			r := w.say(from, thread, who, "I prefer tabs. What is for lunch?")
			w.say(from, thread, "Bob", "I prefer spaces.")
			if folded {
				for i := range 12 {
					w.say(from, thread, "Bob", fmt.Sprint("Item ", i))
				}
				fold(t, w.s, r.Session.ID)
			}
			for channel := range townChannels {
				got := w.carried(channel, who)
				if want := slices.Contains(to, channel); slices.Equal(got, []string{likes}) != want || !want && len(got) > 0 {
					t.Errorf("from %s (folded: %v) to %s: %q", from, folded, channel, got)
				}
			}
			w.want("general", "Cleo")
		}
	}
}

// TestAChannelKeepsItsDecisions and what was remembered for it, and tells them to nobody else's channel.
func TestAChannelKeepsItsDecisions(t *testing.T) {
	w := newTown(t)
	r := w.say("board", "old", "Ada", "We decided to use Postgres for the archive.")
	n := Note{Session: r.Session, Person: r.Person, ID: "1", Text: "The stand is number 12 in hall 4.", ForChannel: true}
	if err := w.s.Remember(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	w.want("board", "Bob", "Ada: The stand is number 12 in hall 4.", "Ada: We decided to use Postgres for the archive.")
	w.want("general", "Bob")
	w.want("ada-dm", "Ada")
}

// TestACarriedFactGoesWithItsMessage: an edit, an erasure and a narrower channel reach it at once.
func TestACarriedFactGoesWithItsMessage(t *testing.T) {
	for _, folded := range []bool{false, true} {
		w := newTown(t)
		one, two := w.say("general", "old", "Ada", "I prefer tabs."), w.say("sales", "old", "Ada", "I never eat meat.")
		if folded {
			for _, r := range []*Received{one, two} {
				for i := range 12 {
					w.say(r.Session.Channel, "old", "Bob", fmt.Sprint("Item ", i))
				}
				fold(t, w.s, r.Session.ID)
			}
		}
		w.want("ada-dm", "Ada", "Ada: I never eat meat.", "Ada: I prefer tabs.")
		key := one.Session.Key
		if err := w.s.DoubtChannel(t.Context(), key, Channel{Kind: Private, Name: "general"}); err != nil {
			t.Fatal(err)
		}
		w.want("ada-dm", "Ada", "Ada: I never eat meat.")
		if _, err := w.s.Erase(t.Context(), two.Session.Key, two.Message.PlatformID, 0); err != nil {
			t.Fatal(err)
		}
		w.want("ada-dm", "Ada")
	}
}

// TestCarriedFactsCanBeSwitchedOff by the person, by a channel in both directions, and for all channels.
func TestCarriedFactsCanBeSwitchedOff(t *testing.T) {
	w := newTown(t)
	ada := w.say("general", "old", "Ada", "I prefer tabs.").Person
	w.say("general", "old", "Bob", "We decided to use Postgres for the archive.")
	set := func(scope, name, value string) {
		t.Helper()
		if err := w.s.SetSetting(t.Context(), scope, name, value); err != nil {
			t.Fatal(err)
		}
	}
	const decided = "Bob: We decided to use Postgres for the archive."
	set(PersonScope(ada.ID), ProfileSetting, "off")
	w.want("sales", "Ada")
	w.want("general", "Ada", decided)
	set(PersonScope(ada.ID), ProfileSetting, "on")
	w.want("general", "Ada", "Ada: I prefer tabs.", decided)
	channel := ChannelScope(Key{Platform: "test", Workspace: "w", Channel: "general"})
	set(channel, CarryoverSetting, "off")
	w.want("general", "Ada")
	w.want("sales", "Ada")
	set("", CarryoverSetting, "off")
	set(channel, CarryoverSetting, "on")
	w.want("sales", "Ada")
	w.want("general", "Ada", "Ada: I prefer tabs.", decided)
}

// TestTheNewestWordHolds of what somebody says of themselves in several conversations; what is about one conversation stays there.
func TestTheNewestWordHolds(t *testing.T) {
	w := newTown(t)
	w.say("general", "one", "Ada", "My favourite format is CSV.")
	w.say("general", "two", "Ada", "My favourite format is Parquet. My question is whether the fair is open.")
	w.say("general", "three", "Ada", "I prefer short answers.")
	w.say("sales", "four", "Ada", "I prefer short answers.")
	w.say("sales", "four", "Ada", "The budget is 40,000 euros. Never mind, my password is hunter2.")
	got := w.carried("board", "Ada")
	if slices.Sort(got); !slices.Equal(got, []string{"Ada: I prefer short answers.", "Ada: My favourite format is Parquet."}) {
		t.Errorf("%q", got)
	}
}

// TestAPreferenceIsTakenBack, that thing alone, in each language.
func TestAPreferenceIsTakenBack(t *testing.T) {
	for before, after := range map[string]string{
		"I prefer short answers.": "I no longer prefer short answers.", "Ich mag kurze Antworten.": "Ich mag kurze Antworten nicht mehr.",
		"Je préfère les réponses courtes.": "Je ne préfère plus les réponses courtes.", "Prefiero respuestas cortas.": "Ya no prefiero respuestas cortas.",
	} {
		w := newTown(t)
		w.say("general", "one", "Ada", before)
		w.say("general", "two", "Ada", after)
		if got := w.carried("board", "Ada"); !slices.Equal(got, []string{"Ada: " + after}) {
			t.Errorf("%q", got)
		}
	}
	w := newTown(t)
	w.say("general", "one", "Ada", "I prefer tea.")
	w.say("general", "two", "Ada", "I no longer prefer tea in the morning.")
	if got := w.carried("board", "Ada"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// TestAJokeFollowsNobody: what is taken back is no profile, though a line of another conversation stands between.
func TestAJokeFollowsNobody(t *testing.T) {
	w := newTown(t)
	w.say("general", "one", "Ada", "I prefer Comic Sans.")
	w.say("general", "two", "Ada", "I prefer tabs.")
	w.say("general", "one", "Ada", "just kidding")
	w.want("sales", "Ada", "Ada: I prefer tabs.")
}

// TestALaughAboutAQuestion takes nothing back that was said before the question.
func TestALaughAboutAQuestion(t *testing.T) {
	w := newTown(t)
	w.say("board", "old", "Ada", "We decided to use Postgres for the archive.")
	w.say("board", "old", "Bob", "Really?")
	w.say("board", "old", "Ada", "haha")
	w.want("board", "Bob", "Ada: We decided to use Postgres for the archive.")
	w.say("board", "older", "Ada", "We decided to use COBOL for the website.")
	w.say("board", "older", "Ada", "haha")
	w.want("board", "Bob", "Ada: We decided to use Postgres for the archive.")
}

// TestManyFactsDoNotPushAPreferenceOut of a profile.
func TestManyFactsDoNotPushAPreferenceOut(t *testing.T) {
	w := newTown(t)
	r := w.say("general", "old", "Ada", "I prefer tabs.")
	w.say("general", "old", "Ada", "My time zone is Berlin.")
	for i := range 12 {
		w.say("general", "old", "Bob", fmt.Sprint("Item ", i))
	}
	fold(t, w.s, r.Session.ID)
	if _, err := w.s.writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
		INSERT INTO facts (session_id, channel_id, person_id, kind, slot, text, state, origin, asserted_at, recorded_at, weight)
		SELECT ?, ?, ?, 'key_fact', 'crate ' || i, 'Ada: The crate weighs ' || i, 'active', 'said', 0, 0, 40 FROM n`, r.Session.ID, r.Session.ChannelID, r.Person.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.writer.Exec("INSERT INTO fact_sources (fact_id, message_id, rev, quote) SELECT id, ?, 0, 'x' FROM facts WHERE text LIKE '%crate%'", r.Message.ID); err != nil {
		t.Fatal(err)
	}
	w.want("sales", "Ada", "Ada: I prefer tabs.", "Ada: My time zone is Berlin.")
}

// TestAnothersCorrectionIsNotOnesProfile, neither of who corrected nor of whom it is about.
func TestAnothersCorrectionIsNotOnesProfile(t *testing.T) {
	w := newTown(t)
	r := w.say("general", "old", "Ada", "I prefer tabs.")
	var bob *Received
	for i := range 12 {
		bob = w.say("general", "old", "Bob", fmt.Sprint("Item ", i))
	}
	fold(t, w.s, r.Session.ID)
	old := factWith(t, w.s, r.Session.ID, "tabs")
	if err := w.s.Remember(t.Context(), Note{Session: r.Session, Person: bob.Person, ID: "1", Text: "I prefer spaces.", Corrects: old.ID}); err != nil {
		t.Fatal(err)
	}
	if got := textsOf(listed(t, w.s, r.Session.ID)); !slices.Equal(got, []string{"Bob: I prefer spaces."}) {
		t.Errorf("%q", got)
	}
	w.want("sales", "Bob")
	w.want("sales", "Ada")
}

// TestAProfileOutlastsSmallTalk: what somebody said of themselves in a short thread, and what a channel decided there, are not
// forgotten after many more lines.
func TestAProfileOutlastsSmallTalk(t *testing.T) {
	w := newTown(t)
	w.say("general", "old", "Ada", "I prefer answers in German.")
	w.say("general", "old", "Bob", "We decided to use Postgres for the archive.")
	for i := range 24 {
		w.say("general", fmt.Sprint("more ", i/6), "Ada", fmt.Sprint("And what is item ", i, "?"))
	}
	r := w.say("general", "much", "Ada", "And so on?")
	if _, err := w.s.writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
		INSERT INTO messages (session_id, channel_id, interaction_id, person_id, role, author, text, tokens, platform_id, at)
		SELECT ?0, ?1, ?2, ?3, 'user', 'Ada', ?4, 5, 'next ' || i, 0 FROM n`, r.Session.ID, r.Session.ChannelID, r.Message.InteractionID, r.Person.ID, "And what is the next item?"); err != nil {
		t.Fatal(err)
	}
	w.want("general", "Ada", "Ada: I prefer answers in German.", "Bob: We decided to use Postgres for the archive.")
}

// TestAProfileLeavesRoomForTheChannel, and the other way round: the best of both come first.
func TestAProfileLeavesRoomForTheChannel(t *testing.T) {
	w := newTown(t)
	w.say("general", "old", "Ada", "I prefer tabs.")
	w.say("general", "old", "Ada", "I never eat meat.")
	w.say("general", "old", "Bob", "We decided to use Postgres for the archive.")
	w.want("general", "Ada", "Ada: I never eat meat.", "Bob: We decided to use Postgres for the archive.", "Ada: I prefer tabs.")
}
