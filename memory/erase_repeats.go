package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// A repetition is spanWords words in a row of which contentWords are no stop
// words, or one code-like word.
const (
	spanWords    = 5
	contentWords = 2
	mostPhrases  = 2000 // of a longer text spans are looked for at intervals
	phraseBatch  = 100  // phrases of one full-text query
)

// search is how far the answers that repeat a message were looked for before the
// transaction that erases it: that takes the longer the more is kept, and the writer must not
// be held meanwhile.
type search struct {
	rev   int64   // of the message
	upTo  int64   // later answers were not looked at
	found []int64 // answers
}

// searches looks for the answers that repeat messages, by message id.
func (s *Store) searches(ctx context.Context, messages []*Message) (map[int64]search, error) {
	all := map[int64]search{}
	for _, m := range messages {
		if m.Role != User || m.Text == "" {
			continue
		}
		done := search{rev: m.Rev}
		if err := s.reader.NewSelect().Table("messages").ColumnExpr("MAX(id)").Scan(ctx, &done.upTo); err != nil {
			return nil, err
		}
		found, err := s.alike(ctx, s.reader, m, traitsOf(m.Text))
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			done.found = append(done.found, r.ID)
		}
		all[m.ID] = done
	}
	return all, nil
}

// repeats finds the answers that repeat what is about to be erased: those to
// the message itself, those that cite its files, and later ones, where it could be seen,
// that hold a code-like word or a span of it. Messages of people are their own. What before
// holds of the message was looked for already.
func (s *Store) repeats(ctx context.Context, tx bun.Tx, m *Message, before map[int64]search) ([]*Message, error) {
	if m.Role != User || m.ErasedAt > 0 {
		return nil, nil
	}
	own, err := answersWhere(ctx, tx, `(m.interaction_id = ? AND m.id > ? OR m.id IN (SELECT ci.message_id FROM citations AS ci
		JOIN documents AS d ON d.id = ci.document_id WHERE d.message_id = ?))`, m.InteractionID, m.ID, m.ID)
	if err != nil {
		return nil, err
	}
	if err != nil || m.Text == "" { // it was a file
		return own, err
	}
	traits := traitsOf(m.Text)
	var others []*Message
	if done, ok := before[m.ID]; ok && done.rev == m.Rev {
		others, err = answersWhere(ctx, tx, "(m.id IN (?) OR m.id > ? AND "+whereSeen+")",
			bun.List(done.found), done.upTo, m.ChannelID, m.ChannelID, Public)
		others = slices.DeleteFunc(others, func(r *Message) bool { return !traits.in(r.Text) })
	} else {
		others, err = s.alike(ctx, tx, m, traits)
	}
	all := slices.Concat(own, others)
	slices.SortFunc(all, func(a, b *Message) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(all, func(a, b *Message) bool { return a.ID == b.ID }), err
}

// whereSeen is true of messages where those of a channel can be seen; it takes the
// channel, the channel and Public.
const whereSeen = `(m.channel_id = ? OR EXISTS (SELECT 1 FROM channels AS own JOIN channels AS there
	ON there.platform = own.platform AND there.workspace = own.workspace
	WHERE own.id = ? AND own.kind = ? AND NOT own.external AND there.id = m.channel_id))`

// alike are the later answers, where m can be seen, that hold something of it.
func (s *Store) alike(ctx context.Context, db bun.IDB, m *Message, traits traits) (found []*Message, err error) {
	for _, phrases := range traits.batches() {
		rows, err := answersWhere(ctx, db, `? AND `+whereSeen, s.dialect.holdsPhrase(phrases, m.ID), m.ChannelID, m.ChannelID, Public)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if traits.in(r.Text) {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// answersWhere are answers that are not erased.
func answersWhere(ctx context.Context, db bun.IDB, condition string, args ...any) (rows []*Message, err error) {
	err = db.NewSelect().Model(&rows).Where(condition, args...).Where("m.role = ? AND m.erased_at = 0", Assistant).Scan(ctx)
	return rows, err
}

// traits are what gives a repetition of a text away.
type traits struct {
	spans map[string]bool // spanWords folded words, joined by spaces
	codes []string        // code-like words, as folded words joined by spaces
	terms []string        // full-text phrases of both
}

func traitsOf(text string) traits {
	t := traits{spans: map[string]bool{}}
	for _, w := range strings.Fields(text) {
		if w = strings.TrimFunc(w, unicode.IsPunct); codeLike(w) {
			t.codes = append(t.codes, strings.Join(rank.Words(w), " "))
			t.terms = append(t.terms, strings.Join(rank.Terms(w), " "))
		}
	}
	words := rank.Words(text)
	step := 1 + len(words)/mostPhrases
	for i := 0; i+spanWords <= len(words); i++ {
		span := words[i : i+spanWords]
		content := 0
		for _, w := range span {
			if !rank.Stop(w) {
				content++
			}
		}
		if content < contentWords {
			continue
		}
		joined := strings.Join(span, " ")
		t.spans[joined] = true
		if i%step == 0 {
			t.terms = append(t.terms, strings.Join(rank.Terms(joined), " "))
		}
	}
	return t
}

// codeLike reports whether a word is one that nobody repeats by chance: letters
// and digits, or four digits or more, but no year.
func codeLike(w string) bool {
	digits, letters := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	year := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
	return digits > 0 && letters > 0 && digits+letters >= 4 || digits >= 4 && !year
}

// batches are the phrases of which a text that repeats something has one, as many at once
// as a query takes.
func (t traits) batches() (list [][]string) {
	for batch := range slices.Chunk(t.terms, phraseBatch) {
		if batch = slices.DeleteFunc(slices.Clone(batch), func(p string) bool { return p == "" }); len(batch) > 0 {
			list = append(list, batch)
		}
	}
	return list
}

// in reports whether text repeats one of the spans or codes.
func (t traits) in(text string) bool {
	words := rank.Words(text)
	joined := " " + strings.Join(words, " ") + " "
	for _, code := range t.codes {
		if strings.Contains(joined, " "+code+" ") {
			return true
		}
	}
	for i := 0; i+spanWords <= len(words); i++ {
		if t.spans[strings.Join(words[i:i+spanWords], " ")] {
			return true
		}
	}
	return false
}
