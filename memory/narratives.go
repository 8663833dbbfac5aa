package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// narrativesTold is how many of the newest segments a snapshot describes; for older ones it counts the messages.
const narrativesTold = 8

// narrativeList is what the narratives of a session say, sentence by sentence, oldest first.
type narrativeList struct {
	statements []*statement
	of         []int // the segment of each
	messages   []int // of each segment
	earlier    int   // before the first of them
}

// newestSegments are the segments of a session that a snapshot with a watermark describes, in order.
func newestSegments(ctx context.Context, db bun.IDB, session, watermark int64) (segments []*Segment, err error) {
	err = db.NewSelect().Model(&segments).Where("session_id = ? AND from_id <= ?", session, watermark).Order("from_id DESC").Limit(narrativesTold).Scan(ctx)
	slices.Reverse(segments)
	return segments, err
}

// dayHead opens a sentence with its day, which is given once.
var dayHead = reading.Lazy(`^On \d{1,2} \pL+ \d{4}, `)

// narratives takes the narratives of segments apart. What a line that is shown says already is left out, and that somebody wants
// what a line of all has replaced.
func narratives(segments []*Segment, earlier int, shown, all []factLine) narrativeList {
	l := narrativeList{earlier: earlier}
	var stated strings.Builder
	for _, line := range shown {
		stated.WriteString(" " + strings.Join(rank.Words(line.text), " ") + " \n")
	}
	var replaced []reading.Phrase
	for _, line := range all {
		for _, f := range line.former {
			if ofPerson(f.Kind) {
				replaced = append(replaced, rank.Terms(f.Text))
			}
		}
	}
	for i, sg := range segments {
		l.messages = append(l.messages, sg.Messages)
		for _, line := range strings.Split(sg.Narrative, "\n") {
			sentences := []string{line}
			if sg.Method == ByModel {
				sentences = reading.MessageSentences(line)
			}
			for _, text := range sentences {
				said := text
				if _, quote, ok := strings.Cut(text, "“"); ok && sg.Method != ByModel {
					said, _, _ = strings.Cut(quote, "”")
				}
				if text == "" || strings.Contains(stated.String(), " "+strings.Join(rank.Words(said), " ")+" ") {
					continue
				}
				if terms := reading.TermSet(text); !takesBack(said) && slices.ContainsFunc(replaced, func(p reading.Phrase) bool { return len(p) > 2 && p.Among(terms) }) {
					continue
				}
				st := &statement{text: text, weight: salience(said) + 1, cost: len(text)/4 + 1}
				if sg.Method == ByModel && !strings.HasPrefix(text, alsoMentioned) {
					st.weight += 6 // it was chosen to be included
				}
				l.statements, l.of = append(l.statements, st), append(l.of, i)
			}
		}
	}
	return l
}

// fit renders the most informative statements in at most room tokens, in its order, one paragraph a segment; the day once.
func (l narrativeList) fit(room int) string {
	byWorth := make([]int, len(l.statements))
	for i := range byWorth {
		byWorth[i] = i
	}
	slices.SortStableFunc(byWorth, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.statements[b].worth(), l.statements[a].worth()), cmp.Compare(b, a))
	})
	days, told := map[string]bool{}, map[int]bool{}
	untold := Count(l.note(len(l.messages))) + 1
	for _, i := range byWorth {
		st := l.statements[i]
		cost, day := st.cost, dayHead.FindString(st.text)
		if day != "" && !days[day] {
			cost += 7
		}
		if cost > room-untold {
			continue
		}
		room, days[day], told[i] = room-cost, true, true
	}
	return l.join(told, untold <= room)
}

// join renders statements, and how many messages come before the first segment that is described.
func (l narrativeList) join(told map[int]bool, note bool) string {
	var (
		b         strings.Builder
		last, day = -1, ""
	)
	for i, st := range l.statements {
		if !told[i] {
			continue
		}
		text, today := st.text, dayHead.FindString(st.text)
		switch {
		case last < 0 && l.earlier+l.of[i] > 0 && note:
			b.WriteString(l.note(l.of[i]) + "\n")
		case last >= 0 && l.of[i] != last:
			b.WriteString("\n")
		case last >= 0:
			b.WriteString(" ")
		}
		if today != "" && today == day {
			text = strings.TrimPrefix(text, today)
		}
		if today != "" {
			day = today
		}
		b.WriteString(text)
		last = l.of[i]
	}
	if last < 0 && note && len(l.messages) > 0 {
		return l.note(len(l.messages))
	}
	return b.String()
}

// note counts what comes before, and what the first n segments cover.
func (l narrativeList) note(n int) string {
	messages := l.earlier
	for _, m := range l.messages[:n] {
		messages += m
	}
	return fmt.Sprintf("(%d older messages are not told here; they can be searched.)", messages)
}
