package reading

import (
	"testing"
	"time"
)

func TestPeriodOf(t *testing.T) {
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	for question, want := range map[string][2]string{
		"What did Tom say two days ago?":      {"2026-11-16", "2026-11-17"},
		"Was haben wir gestern besprochen?":   {"2026-11-17", "2026-11-18"},
		"Was war vor einer Woche?":            {"2026-11-08", "2026-11-15"},
		"de quoi parlions-nous il y a 1 mois": {"2026-10-08", "2026-10-30"},
		"What did we decide last week?":       {"2026-11-09", "2026-11-16"},
		"Which week has most days?":           {},
	} {
		var got [2]string
		if p := PeriodOf(question, now); p != (Period{}) {
			got = [2]string{time.UnixMilli(p.From).UTC().Format(time.DateOnly), time.UnixMilli(p.To).UTC().Format(time.DateOnly)}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
}
