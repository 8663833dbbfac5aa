package reading

import (
	"strings"
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

func TestPeriodsThatLastUntilNow(t *testing.T) {
	now := time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC) // a Thursday
	day := func(month time.Month, n int) int64 {
		return time.Date(2026, month, n, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	for question, from := range map[string]int64{
		"what did I miss since Monday?":            day(11, 16),
		"what happened since Thursday?":            day(11, 12),
		"was habe ich seit Freitag verpasst?":      day(11, 13),
		"qu'est-ce que j'ai manqué depuis mardi ?": day(11, 17),
		"ponme al día desde el miércoles":          day(11, 18),
		"catch me up since yesterday":              day(11, 18),
		"summarise the last 3 days":                day(11, 16),
		"summarise the last seven days":            day(11, 12),
		"zusammenfassung der letzten drei Tage":    day(11, 16),
		"what was decided in the last two weeks?":  day(11, 5),
		"summarise the past week":                  day(11, 12),
		"résume les trois derniers jours":          day(11, 16),
	} {
		if got := PeriodOf(question, now); got != (Period{from, day(11, 20)}) {
			t.Errorf("%s: from %s to %s", question, time.UnixMilli(got.From).UTC(), time.UnixMilli(got.To).UTC())
		}
	}
	for question, want := range map[string]Period{
		"what was said last week?": {day(11, 9), day(11, 16)},
		"what was said yesterday?": {day(11, 18), day(11, 19)},
		"what is due on Monday?":   {},
		"the last days of Rome":    {},
	} {
		if got := PeriodOf(question, now); got != want {
			t.Errorf("%s: from %s to %s", question, time.UnixMilli(got.From).UTC(), time.UnixMilli(got.To).UTC())
		}
	}
}

func TestDaysAhead(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 10, 0, 0, time.UTC) // a Friday
	for text, want := range map[string]string{
		"What's on tomorrow morning?":     "28 Nov",
		"Was ist am Montag?":              "30 Nov 7 Dec",
		"Book it for next Friday, please": "4 Dec 11 Dec",
		"What happened in 2019?":          "",
	} {
		var days []string
		for _, d := range DaysAhead(text, now) {
			days = append(days, d.Format("2 Jan"))
		}
		if got := strings.Join(days, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
