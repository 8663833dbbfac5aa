package memory

import (
	"context"
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

// repeats finds the answers that repeat what is about to be erased: those to
// the message itself, those that cite its files, and later ones, where it could be seen,
// that hold a code-like word or a span of it. Messages of people are their own.
func (s *Store) repeats(ctx context.Context, tx bun.Tx, m *Message) ([]*Message, error) {
	if m.Role != User || m.Text == "" {
		return nil, nil
	}
	found := map[int64]*Message{}
	add := func(q *bun.SelectQuery, holds func(*Message) bool) error {
		var rows []*Message
		err := q.Model(&rows).Where("m.role = ? AND m.erased_at = 0", Assistant).Scan(ctx)
		for _, r := range rows {
			if holds(r) {
				found[r.ID] = r
			}
		}
		return err
	}
	always := func(*Message) bool { return true }
	if err := add(tx.NewSelect().Where("m.interaction_id = ? AND m.id > ?", m.InteractionID, m.ID), always); err != nil {
		return nil, err
	}
	cites := tx.NewSelect().Where(`m.id IN (SELECT ci.message_id FROM citations AS ci
		JOIN documents AS d ON d.id = ci.document_id WHERE d.message_id = ?)`, m.ID)
	if err := add(cites, always); err != nil {
		return nil, err
	}
	traits := traitsOf(m.Text)
	for _, match := range traits.queries() {
		q := tx.NewSelect().Where("m.id > ?", m.ID).
			Where("m.id IN (SELECT rowid FROM messages_fts WHERE messages_fts MATCH ?)", match).
			Where(`(m.channel_id = ? OR EXISTS (SELECT 1 FROM channels AS own JOIN channels AS there
				ON there.platform = own.platform AND there.workspace = own.workspace
				WHERE own.id = ? AND own.kind = ? AND NOT own.external AND there.id = m.channel_id))`, m.ChannelID, m.ChannelID, Public)
		if err := add(q, func(r *Message) bool { return traits.in(r.Text) }); err != nil {
			return nil, err
		}
	}
	list := make([]*Message, 0, len(found))
	for _, r := range found {
		list = append(list, r)
	}
	return list, nil
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

// queries are full-text queries that find every text with one of the phrases.
func (t traits) queries() []string {
	var list []string
	for start := 0; start < len(t.terms); start += phraseBatch {
		var phrases []string
		for _, p := range t.terms[start:min(start+phraseBatch, len(t.terms))] {
			if p != "" {
				phrases = append(phrases, `terms : "`+p+`"`)
			}
		}
		if len(phrases) > 0 {
			list = append(list, strings.Join(phrases, " OR "))
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
