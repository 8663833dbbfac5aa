package fakediscord

import (
	"strconv"
	"time"
)

// epoch is the first millisecond of 2015, which snowflakes count from.
const epoch = 1420070400000

// snowflakeTime is when the thing with this id was made; the zero time if id is none.
func snowflakeTime(id string) time.Time {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n>>22 + epoch).UTC()
}

func older(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// id is a new snowflake, larger than all before. The lock is held.
func (s *Server) id() string {
	s.last = max(s.last+1, (s.now().UnixMilli()-epoch)<<22)
	return strconv.FormatInt(s.last, 10)
}

// stamp is a time as Discord writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
