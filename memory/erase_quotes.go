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

// quotePhrases is how many phrases of what is lost quotes are looked for with; a quote holds the beginning.
const quotePhrases = 8

// strikeQuotes removes the quotes of m from other messages before m gets another text, "" if it is erased, and reports whether
// there were any.
func (s *Store) strikeQuotes(ctx context.Context, tx bun.Tx, m *Message, text string, l leaving) (struck bool, err error) {
	lost := traitsLost(m.Text, text)
	if len(lost.words)+len(lost.codes)+len(lost.spans) == 0 {
		return false, nil
	}
	_, own := reading.CutQuote(m.Text)
	whole := " " + strings.Join(rank.Words(own), " ") + " "
	if strings.Contains(" "+strings.Join(rank.Words(text), " ")+" ", whole) {
		whole = ""
	}
	var phrases []string
	if batches := lost.batches(); len(batches) > 0 {
		phrases = batches[0][:min(len(batches[0]), quotePhrases)]
	} else if terms := rank.Terms(own); len(terms) > 0 {
		phrases = []string{strings.Join(terms, " ")}
	} else {
		return false, nil
	}
	l.ids = append(slices.Clone(l.ids), m.ID)
	var quoting []*Message
	err = tx.NewSelect().Model(&quoting).Where("? AND "+whereSeen, s.dialect.holdsPhrase(phrases, 0), m.ChannelID, m.ChannelID).
		Where("m.role = ? AND m.erased_at = 0 AND m.text LIKE '%> %' AND m.id NOT IN (?)", User, bun.List(l.ids)).Order("m.id").Scan(ctx)
	if err != nil {
		return false, err
	}
	for _, q := range quoting {
		rest := reading.WithoutQuotes(q.Text, func(quote string) bool {
			spans, _ := lost.heldBy(quote)
			return len(spans) > 0 || whole != "" && strings.Contains(" "+strings.Join(rank.Words(quote), " ")+" ", whole)
		})
		if rest == q.Text {
			continue
		}
		struck = true
		with := l
		with.ids = append(slices.Clone(l.ids), q.ID)
		if rest == "" {
			err = s.erase(ctx, tx, []*Message{q}, m.PersonID, nil, with)
		} else if _, err = s.edit(ctx, tx, q, rest, nil, with); err == nil {
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
