package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Platforms hand on the message that another one replies to, or asks about, as lines that begin with ">". What a message
// loses goes from such quotes too.

// quoteWords is how many words of a message its quotes are looked for with; a quote holds the beginning, but of an answer
// of ours that of any of its posts.
const quoteWords = 8

// strikeQuotes removes the quotes of m from other messages before m gets another text, "" if it is erased, and reports whether
// there were any.
func (s *Store) strikeQuotes(ctx context.Context, tx bun.Tx, m *Message, text string, l leaving) (struck bool, err error) {
	lost := traitsLost(m.Text, text)
	if len(lost.words)+len(lost.codes)+len(lost.spans) == 0 {
		return false, nil
	}
	_, own := reading.CutQuote(m.Text)
	words := rank.Words(own)
	begins := strings.Join(rank.Terms(strings.Join(words[:min(len(words), quoteWords)], " ")), " ")
	if begins == "" {
		return false, nil
	}
	opening := " " + strings.Join(words[:min(len(words), quoteWords)], " ") + " "
	whole := " " + strings.Join(words, " ") + " "
	if strings.Contains(" "+strings.Join(rank.Words(text), " ")+" ", whole) {
		whole = ""
	}
	l.ids = append(slices.Clone(l.ids), m.ID)
	searched := [][]string{{begins}}
	if m.Role == Assistant {
		searched = append(searched, lost.batches()...)
	}
	var quoting []int64
	for _, phrases := range searched {
		var ids []int64
		err = tx.NewSelect().Model((*Message)(nil)).Column("id").Where("? AND "+whereSeen, s.dialect.holdsPhrase(phrases, 0), m.ChannelID, m.ChannelID).
			Where("m.role = ? AND m.erased_at = 0 AND m.text LIKE '%> %' AND m.id NOT IN (?)", User, bun.List(l.ids)).Scan(ctx, &ids)
		if err != nil {
			return false, err
		}
		quoting = append(quoting, ids...)
	}
	slices.Sort(quoting)
	for _, id := range slices.Compact(quoting) {
		q := new(Message) // as the one before left it
		if err := tx.NewSelect().Model(q).Where("id = ?", id).Scan(ctx); err != nil {
			return false, err
		}
		var people []string // quoted by name
		if m.Role == Assistant {
			if err := tx.NewSelect().Model((*Person)(nil)).Column("name").Where("name <> '' AND kind <> ? AND ? LIKE '%> ' || name || ': %'", Bot, q.Text).
				Scan(ctx, &people); err != nil {
				return false, err
			}
		}
		rest := reading.WithoutQuotes(q.Text, func(quote string) bool {
			if slices.ContainsFunc(people, func(name string) bool { return strings.HasPrefix(quote, name+": ") }) {
				return false // we may have repeated it
			}
			said := rank.Words(quote)
			joined := " " + strings.Join(said, " ") + " "
			spans, _ := lost.heldBy(quote)
			if m.Role == Assistant && !strings.Contains(joined, opening) { // of a later post it is most of the quote
				return 2*len(spans) > len(said)-spanWords+1
			}
			return len(spans) > 0 || whole != "" && strings.Contains(joined, whole)
		})
		if rest == q.Text {
			continue
		}
		struck = true
		with := l
		with.ids = append(slices.Clone(l.ids), q.ID)
		if rest == "" {
			err = s.erase(ctx, tx, []*Message{q}, m.PersonID, nil, with)
		} else if _, err = s.edit(ctx, tx, q, rest, nil, with, false); err == nil {
			if _, err = s.Queue.interrupt(ctx, tx, q.SessionID, q.ID, StopEdited); err == nil {
				err = s.Queue.retakeTurn(ctx, tx, q.SessionID)
			}
		}
		if err != nil {
			return false, err
		}
	}
	return struck, nil
}

// eraseQuoted erases a message and, if it is an answer of ours, the quotes of it.
func (s *Store) eraseQuoted(ctx context.Context, tx bun.Tx, m *Message, by int64, l leaving) error {
	if m.Role == Assistant && m.ErasedAt == 0 {
		if _, err := s.strikeQuotes(ctx, tx, m, "", l); err != nil {
			return err
		}
	}
	return s.eraseOne(ctx, tx, m, by)
}
