package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSnapshotFitsAndRanks(t *testing.T) {
	var facts []*Fact
	for i := range int64(60) {
		kind := []FactKind{KeyFact, Preference, Todo}[i%3]
		facts = append(facts, &Fact{ID: i + 1, Kind: kind, Slot: "x", Weight: 10, Text: fmt.Sprintf("statement %d about something", i), State: FactActive, AssertedAt: march4 + i})
	}
	facts[0].Kind, facts[3].Kind = Constraint, Decision
	var segments []*Segment
	for i := range 30 {
		text := fmt.Sprintf("On day %d, Ada said this. Then Bob said “that”. And more was said.", i)
		segments = append(segments, &Segment{Narrative: text, Tokens: Count(text), Messages: 10})
	}
	for _, room := range []int{0, 20, 45, 75, 180, 300, 1500} {
		sn := compose(factLines(facts, nil, march4), segments, 0, room)
		if sn.Tokens > room {
			t.Errorf("room %d: %d tokens", room, sn.Tokens)
		}
		var j SnapshotJSON
		if err := json.Unmarshal([]byte(sn.JSON), &j); err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]string{j.KeyFacts, j.UserProfile.Preferences, j.Todos} {
			for _, text := range list {
				if !slices.ContainsFunc(facts, func(f *Fact) bool { return f.Text+" (4 Mar)" == text }) {
					t.Errorf("room %d: fact in part: %q", room, text)
				}
			}
		}
		if room >= 180 {
			if len(j.UserProfile.Constraints) != 1 || len(j.Decisions) != 1 || sn.Tokens < room/2 {
				t.Errorf("room %d: %s", room, sn.Rendered)
			}
		}
		if room == 1500 && !strings.Contains(j.Narrative, "On day 24,") {
			t.Errorf("room %d: %s", room, sn.Rendered)
		}
	}
}

// TestSpareRoomGoesToTheBestEvidence: once each group has had its share, a fact that tells more comes before a preference
// that tells less, and what is pinned before both.
func TestSpareRoomGoesToTheBestEvidence(t *testing.T) {
	var facts []*Fact
	for i := range int64(20) {
		facts = append(facts, &Fact{ID: i + 1, Kind: Preference, Weight: 8, Text: fmt.Sprintf("Ada: I like the %c kind of tea best of all", 'a'+rune(i)), State: FactActive, AssertedAt: march4})
		facts = append(facts, &Fact{ID: i + 30, Kind: KeyFact, Weight: 25, Text: fmt.Sprintf("Ada: Hall %c seats 1,%d30 people", 'A'+rune(i), i), State: FactActive, AssertedAt: march4})
	}
	facts = append(facts, &Fact{ID: 99, Kind: OpenQuestion, Pinned: true, Weight: 1, Text: "Ada: " + strings.Repeat("it is open who pays for it, ", 8), State: FactActive, AssertedAt: march4})
	var j SnapshotJSON
	if err := json.Unmarshal([]byte(compose(factLines(facts, nil, march4), nil, 0, 400).JSON), &j); err != nil {
		t.Fatal(err)
	}
	if len(j.OpenQuestions) != 1 || len(j.KeyFacts) <= len(j.UserProfile.Preferences) || len(j.UserProfile.Preferences) < 5 {
		t.Errorf("%+v", j)
	}
}
