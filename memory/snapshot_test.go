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
		sn := compose(factLines(facts, nil, march4), segments, room)
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
