package memory

import "testing"

// TestAnOverviewOfAPersonsThreadsIsAsClosedAsTheRest: where we do not know what was deleted since, or who may read a channel, a
// member has to be looked up, and of a channel that was restored nothing is told before it was compared.
func TestAnOverviewOfAPersonsThreadsIsAsClosedAsTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		sql    string
		listed int
		look   bool
	}{
		"open":                 {"UPDATE channels SET kind = 'public'", 1, false},
		"unchecked":            {"UPDATE channels SET unchecked = TRUE", 1, true},
		"shared":               {"UPDATE channels SET external = TRUE", 1, true},
		"unheard":              {"UPDATE channels SET unheard = TRUE", 1, true},
		"suspected to be gone": {"INSERT INTO suspicions (platform, workspace, channel, thread, platform_id, told, looks, needs, until, next_at, created_at) VALUES ('test', 'w', 'there', '', '', TRUE, 0, 1, 1, 1, 1)", 1, true},
		"restored":             {"UPDATE channels SET stale = TRUE", 0, false},
	} {
		b := &village{t: t, Store: openTest(t)}
		said := b.say("there", Channel{Kind: Public}, "walrus", true)
		if _, err := b.writer.NewRaw(c.sql).Exec(t.Context()); err != nil {
			t.Fatal(name, err)
		}
		threads, err := b.Views.ThreadsOf(t.Context(), said.Person.ID, 10)
		if err != nil || len(threads) != c.listed || c.listed > 0 && threads[0].External != c.look {
			t.Errorf("%s: %+v, %v", name, threads, err)
		}
	}
}
