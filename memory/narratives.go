package memory

import (
	"fmt"
	"strings"
	"time"

	"threadkeeper/memory/reading"
)

// narrativeList is the narratives of a session, oldest first, each in three
// lengths.
type narrativeList []narrativeForms

type narrativeForms struct {
	segment     *Segment
	full, short string
	cost, brief int // tokens of full and short
}

func narratives(segments []*Segment) narrativeList {
	var list narrativeList
	for _, sg := range segments {
		if sg.Narrative == "" {
			continue
		}
		f := narrativeForms{segment: sg, full: sg.Narrative, cost: sg.Tokens + 1}
		if s := reading.MessageSentences(sg.Narrative); len(s) > 0 {
			f.short = s[0]
		}
		f.brief = Count(f.short) + 1
		list = append(list, f)
	}
	return list
}

// tokens is what all narratives in full take.
func (l narrativeList) tokens() int {
	n := 0
	for _, f := range l {
		n += f.cost
	}
	return n
}

// fit renders the narratives in at most room tokens, newest in full; of those
// before them the first sentence, and of the oldest only how many messages they were. A
// newest one that is too long is cut after a sentence.
func (l narrativeList) fit(room int) string {
	if room <= 0 || len(l) == 0 {
		return ""
	}
	if l.tokens() <= room {
		return l.join(0, 0, "")
	}
	note := 0 // of the part that is only counted
	if len(l) > 1 {
		note = Count(l.note(len(l)))
	}
	left := room - note
	full := len(l) // index of the first one in full
	for full > 0 && l[full-1].cost <= left && (full == len(l) || left-l[full-1].cost > room/3) {
		full--
		left -= l[full].cost
	}
	if full == len(l) {
		newest := cutSentences(l[full-1].full, room-note)
		return l.join(full-1, full-1, newest)
	}
	short := full
	for short > 0 && l[short-1].brief <= left {
		short--
		left -= l[short].brief
	}
	return l.join(short, full, "")
}

// join renders how many messages come before short, first sentences up to full,
// and the rest in full; newest, if not "", takes the place of the last one.
func (l narrativeList) join(short, full int, newest string) string {
	var parts []string
	if short > 0 {
		parts = append(parts, l.note(short))
	}
	for i, f := range l[short:] {
		switch {
		case newest != "":
			parts = append(parts, newest)
		case short+i < full:
			parts = append(parts, f.short)
		default:
			parts = append(parts, f.full)
		}
	}
	return strings.Join(parts, "\n")
}

// note counts what the first n narratives cover.
func (l narrativeList) note(n int) string {
	messages := 0
	for _, f := range l[:n] {
		messages += f.segment.Messages
	}
	return fmt.Sprintf("(%d older messages are not told here; they can be searched.)", messages)
}

// cutSentences is as many of the first sentences of text as n tokens hold; of
// the first one its beginning if it is longer.
func cutSentences(text string, n int) string {
	var kept []string
	left := n
	for _, s := range reading.MessageSentences(text) {
		cost := Count(s) + 1
		if cost > left {
			break
		}
		kept, left = append(kept, s), left-cost
	}
	if len(kept) == 0 {
		return shorten(text, n)
	}
	return strings.Join(kept, " ")
}

// shortDate is a day in UTC, as in 2026-03-04.
func shortDate(at int64) string { return time.UnixMilli(at).UTC().Format(time.DateOnly) }
