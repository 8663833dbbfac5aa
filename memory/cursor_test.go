package memory

import "testing"

func TestCursors(t *testing.T) {
	s := openTest(t)
	for _, at := range []int64{0, 1700000000000, 1700000000001, 0} {
		if err := s.SetCursor(t.Context(), "slack", "T1", at); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Cursor(t.Context(), "slack", "T1"); got != at || err != nil {
			t.Errorf("cursor %d %v, want %d", got, err, at)
		}
		if got, err := s.Cursor(t.Context(), "slack", "T2"); got != 0 || err != nil {
			t.Errorf("another cursor %d %v", got, err)
		}
	}
}

// A cursor was a setting once.
func TestOlderCursorsAreRead(t *testing.T) {
	s := openOlder(t, "20261122110002", `INSERT INTO settings (scope, name, value) VALUES
		('platform:slack/T1', 'missed since', '1700000000000'), ('platform:discord/direct/1', 'missed since', '1700000000001'),
		('platform:slack/T2', 'missed since', ''), ('channel:slack/T1/C1', 'reply', 'channel'), ('', 'scrub pending', '1')`)
	for _, c := range []struct {
		platform, part string
		at             int64
	}{{"slack", "T1", 1700000000000}, {"slack", "T2", 0}, {"discord", "direct/1", 1700000000001}} {
		if at, err := s.Cursor(t.Context(), c.platform, c.part); at != c.at || err != nil {
			t.Errorf("%s/%s: %d %v, want %d", c.platform, c.part, at, err, c.at)
		}
	}
	if value, err := s.Setting(t.Context(), "channel:slack/T1/C1", "reply"); value != "channel" || err != nil {
		t.Errorf("another setting: %q %v", value, err)
	}
	var left int
	if err := s.reader.NewRaw("SELECT COUNT(*) FROM settings WHERE scope LIKE 'platform:%'").Scan(t.Context(), &left); err != nil || left != 0 {
		t.Errorf("%d settings of platforms are left, %v", left, err)
	}
}
