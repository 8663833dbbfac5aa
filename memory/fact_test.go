package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSupersessionBySlot(t *testing.T) {
	day := func(n int64) int64 { return march4 + n*24*3600*1000 }
	f := func(id, at int64, text string) *Fact {
		return &Fact{ID: id, Kind: Preference, Subject: "Ada", Slot: "export format", Text: text, State: FactActive, Origin: "stated", AssertedAt: at}
	}
	csv, parquet, week := f(3, day(0), "CSV"), f(1, day(2), "Parquet"), f(2, day(4), "CSV just for this week")
	week.ValidTo = day(11)
	bob := f(4, day(9), "XML")
	bob.PersonID = 2
	supersede([]*Fact{parquet, week, csv, bob}) // stored out of order
	if csv.State != FactSuperseded || csv.SupersededBy != parquet.ID || parquet.State != FactActive || week.State != FactActive || bob.State != FactActive {
		t.Errorf("%+v %+v %+v %+v", csv, parquet, week, bob)
	}
	render := func(now int64) string {
		return compose(factLines([]*Fact{csv, parquet, week}, nil, now), nil, 0, 300).Rendered
	}
	if got := render(day(5)); !strings.Contains(got, "CSV just for this week (8 Mar, until 15 Mar)") {
		t.Errorf("during the week: %s", got)
	}
	if got := render(day(12)); strings.Contains(got, "this week") || !strings.Contains(got, "Parquet (6 Mar, latest; before: CSV, 4 Mar)") {
		t.Errorf("after the week: %s", got)
	}
	if got := render(day(60)); strings.Contains(got, "before:") {
		t.Errorf("the former value is still shown: %s", got)
	}
	todo, done := f(5, day(0), "call Bob"), f(6, day(1), "called Bob")
	done.State = FactClosed
	todo.Kind, done.Kind, todo.Slot, done.Slot = Todo, Todo, "call bob", "call bob"
	if supersede([]*Fact{done, todo}); todo.State != FactClosed || todo.SupersededBy != done.ID {
		t.Errorf("settled todo: %+v", todo)
	}
	reference := f(8, day(0), "the call's reference is 77")
	reference.Kind, reference.Slot = KeyFact, "call bob"
	if supersede([]*Fact{reference, done}); reference.State != FactActive {
		t.Errorf("a settled todo closed a fact of its slot: %+v", reference)
	}
	guess := f(7, day(20), "JSON")
	guess.Origin = "assistant"
	if supersede([]*Fact{parquet, guess}); parquet.State != FactActive {
		t.Error("an assistant's statement replaced a person's")
	}
}

// TestSameWordsAreOneFact: a denial, another word and another order are another.
func TestSameWordsAreOneFact(t *testing.T) {
	const long = "We agreed that the whole team in the Berlin office meets for the weekly planning on Monday at nine in the big room."
	for pair, want := range map[[2]string]bool{
		{"We decided to use Postgres for it.", "we decided to use Postgres for it"}:                             true,
		{"We decided to use the Postgres server for it.", "We decided to use Postgres server for it."}:          true,
		{"We decided to use Postgres.", "We decided not to use Postgres."}:                                      false,
		{long, strings.Replace(long, "Monday", "Tuesday", 1)}:                                                   false,
		{"Ben pays Ada for the lunch on Friday.", "Ada pays Ben for the lunch on Friday."}:                      false,
		{"Wir haben beschlossen, Postgres zu nehmen.", "Wir haben beschlossen, Postgres nicht zu nehmen."}:      false,
		{"The whole move of the archive is done by Ben.", "The whole move of the archive is done without Ben."}: false,
	} {
		a, b := &Fact{Text: "Ada: " + pair[0]}, &Fact{Text: "Ada: " + pair[1]}
		if sameStatement(a, b) != want {
			t.Errorf("%q: want %v", pair, want)
		}
	}
}

// TestTheLastWordHolds where somebody returns to what they said first, in one fold and over several, and what they said last is erased.
func TestTheLastWordHolds(t *testing.T) {
	for _, folds := range []int{1, 3} {
		s := openTest(t)
		lines := []string{"The export format is CSV.", "The export format is Parquet.", "The export format is CSV."}
		var r *Received
		if folds == 1 {
			for i, text := range lines {
				r = post(t, s, "s", string(rune('a'+i)), User, "Ada", text)
			}
			folded(t, s, "That is all.")
		} else {
			for i, text := range lines {
				r = post(t, s, "s", string(rune('a'+i)), User, "Ada", text)
				folded(t, s, "That is all "+string(rune('a'+i)))
			}
		}
		holds := func(format string) {
			t.Helper()
			for _, k := range listed(t, s, r.Session.ID) {
				if strings.Contains(k.Text, "format") && !strings.Contains(k.Text, format) {
					t.Errorf("%d folds: %s", folds, k.Text)
				}
			}
			factWith(t, s, r.Session.ID, format)
		}
		holds("CSV")
		if _, err := s.Erase(t.Context(), r.Session.Key, "c", 0); err != nil {
			t.Fatal(err)
		}
		holds("Parquet")
	}
}

// TestNamesakesKeepTheirPreferences: two people may have one name.
func TestNamesakesKeepTheirPreferences(t *testing.T) {
	csv := &Fact{ID: 1, PersonID: 1, Kind: Preference, Subject: "Alex", Slot: "format", State: FactActive, AssertedAt: 1}
	xml := &Fact{ID: 2, PersonID: 2, Kind: Preference, Subject: "Alex", Slot: "format", State: FactActive, AssertedAt: 2}
	if supersede([]*Fact{csv, xml}); csv.State != FactActive {
		t.Errorf("%+v", csv)
	}
	friday := &Fact{ID: 3, PersonID: 1, Kind: KeyFact, Subject: "Alex", Slot: "alex deadlin", Origin: Quoted, State: FactActive, AssertedAt: 1}
	monday := &Fact{ID: 4, PersonID: 2, Kind: KeyFact, Subject: "Alex", Slot: "alex deadlin", Origin: Quoted, State: FactActive, AssertedAt: 2}
	if supersede([]*Fact{friday, monday}); friday.State != FactActive {
		t.Errorf("what is mine: %+v", friday)
	}
}

// TestAModelsReplacementHolds whatever the kind of what it replaces, and whether that holds for a time or differs by one word.
func TestAModelsReplacementHolds(t *testing.T) {
	for first, second := range map[string]Claim{
		"Just for this week I prefer CSV.": {Kind: Preference, Subject: "Ada", Text: "Ada prefers Parquet", Quote: "Forget CSV, I prefer Parquet."},
		"Just for today I prefer XML.":     {Kind: Preference, Subject: "Ada", Text: "Ada prefers JSON this week", Quote: "No, just for this week I prefer JSON.", ExpiresAt: march4 + 1e12},
		"I prefer tables in CSV.":          {Kind: Constraint, Subject: "Ada", Text: "Ada must have no more CSV", Quote: "I must have no more CSV."},
		"We decided to use Postgres.":      {Kind: Decision, Subject: "Ada", Text: "Ada: We decided not to use Postgres.", Quote: "We decided not to use Postgres."},
	} {
		s := openTest(t)
		r := folded(t, s, first)
		old := listed(t, s, r.Session.ID)
		if len(old) != 1 {
			t.Fatalf("%+v", old)
		}
		refold(t, s, r.Session.ID, second.Quote)
		second.Replaces = old[0].ID
		byModel(t, s, second)
		if got := listed(t, s, r.Session.ID); len(got) != 1 || got[0].Text != second.Text {
			t.Errorf("%q, then %q: %q", first, second.Text, textsOf(got))
		}
	}
}

// TestWhatEndsSoonerTakesNoPlace: what holds for longer is there beside it, and after it.
func TestWhatEndsSoonerTakesNoPlace(t *testing.T) {
	s := openTest(t)
	r := folded(t, s, "Just for this month I prefer CSV.")
	today := Claim{Kind: Preference, Subject: "Ada", Text: "Ada prefers JSON today", Quote: "Just for today I prefer JSON.",
		ExpiresAt: s.Now() + 3_600_000, Replaces: factWith(t, s, r.Session.ID, "CSV").ID}
	refold(t, s, r.Session.ID, today.Quote)
	byModel(t, s, today)
	if got := listed(t, s, r.Session.ID); len(got) != 2 {
		t.Errorf("%q", textsOf(got))
	}
}

// refold says one more line and small talk after it, and has that folded.
func refold(t *testing.T, s *Store, session int64, line string) {
	t.Helper()
	post(t, s, "s", "second", User, "Ada", line)
	for i := range 12 {
		post(t, s, "s", string(rune('a'+i)), User, "Ada", "And so on.")
	}
	if due, err := s.ScheduleCompaction(t.Context(), session, ""); err != nil || !due {
		t.Fatal(due, err)
	}
}

// TestAFactSaysWhoSaidIt even if a word of it holds the name.
func TestAFactSaysWhoSaidIt(t *testing.T) {
	for name, c := range map[string][2]string{"Tim": {"The time limit is 3 hours", "Tim: The time limit is 3 hours"},
		"Ben": {"The benefit is 3 %", "Ben: The benefit is 3 %"}, "Ada": {"Ada's limit is 3 hours", "Ada's limit is 3 hours"}} {
		if got := newFact(Claim{Text: c[0], Quote: c[0]}, Line{Role: User, Author: name}).Text; got != c[1] {
			t.Errorf("%q, want %q", got, c[1])
		}
	}
}

// TestAModelsReplacementOutlastsARebuild of its segment: what it replaced is among the kept facts again, and gives way again.
func TestAModelsReplacementOutlastsARebuild(t *testing.T) {
	for first, second := range map[string]Claim{
		"We decided to use Postgres.":      {Kind: Decision, Subject: "Ada", Text: "Ada: We go with MySQL.", Quote: "We go with MySQL."},
		"Just for this week I prefer CSV.": {Kind: Preference, Subject: "Ada", Text: "Ada prefers Parquet", Quote: "Forget CSV, I prefer Parquet."},
	} {
		s := openTest(t)
		r := folded(t, s, first)
		old := listed(t, s, r.Session.ID)[0]
		second.Replaces = old.ID
		refold(t, s, r.Session.ID, second.Quote)
		byModel(t, s, second)
		if _, err := s.Edit(t.Context(), r.Session.Key, "a", "And so on, they said."); err != nil {
			t.Fatal(err)
		}
		segments, err := s.Segments(t.Context(), r.Session.ID)
		if err != nil || !segments[len(segments)-1].Stale {
			t.Fatal("nothing is made again", err)
		}
		last := segments[len(segments)-1]
		kept, err := s.Kept(t.Context(), &Slice{SessionID: r.Session.ID, FromID: last.FromID, ToID: last.ToID, Lines: []Line{userLine(last.FromID, second.Quote)}})
		if err != nil || !slices.ContainsFunc(kept, func(f *Fact) bool { return f.ID == old.ID }) {
			t.Errorf("kept: %+v %v", kept, err)
		}
		byModel(t, s, second)
		if got := listed(t, s, r.Session.ID); len(got) != 1 || got[0].Text != second.Text {
			t.Errorf("made again: %q", textsOf(got))
		}
	}
}

// TestADayIsItsSpeakers: late in the evening in Los Angeles it is the next day in UTC.
func TestADayIsItsSpeakers(t *testing.T) {
	s := openTest(t)
	in := incoming("e", "m", "We decided to use Postgres for the archive tomorrow.", false)
	in.Person.TimeZone, in.Message.At = "America/Los_Angeles", time.Date(2026, 3, 5, 3, 0, 0, 0, time.UTC).UnixMilli()
	s.Now = func() int64 { return in.Message.At + 1000 }
	if _, err := s.Queue.Receive(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		post(t, s, "t", fmt.Sprint(i), User, "Bob", "And so on.")
	}
	fold(t, s, 1)
	v := checkMemory(t, s, 1)
	if !strings.Contains(v.Segments[0].Narrative, "On 4 March 2026, Ada said") || !strings.Contains(v.Snapshot.Rendered, "tomorrow. (4 Mar)") {
		t.Errorf("%s\n%s", v.Segments[0].Narrative, v.Snapshot.Rendered)
	}
}
