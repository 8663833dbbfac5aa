package memory

import (
	"context"
	"slices"
	"strconv"

	"github.com/uptrace/bun"
)

// Label is the citation's name in its answer, as people are shown it in brackets: "2", or "B2" in a comparison.
func (c Citation) Label() string { return c.Letter + strconv.Itoa(c.N) }

// A citation whose number is below 1 is of an earlier version: the answer was made while a picture of the
// document was looked at. Nobody is shown it.

// Citations returns the citations of an answer by number, with the documents' names and links.
func (s *Store) Citations(ctx context.Context, message int64) ([]Citation, error) {
	cited, err := citedIn(ctx, s.reader, []*Message{{ID: message, Role: Assistant}})
	return cited[message], err
}

// CitedIn returns the citations of the answers among messages, by answer, in the order of their numbers. None is no error.
func (s *Store) CitedIn(ctx context.Context, messages []*Message) (map[int64][]Citation, error) {
	return citedIn(ctx, s.reader, messages)
}

func citedIn(ctx context.Context, db bun.IDB, messages []*Message) (map[int64][]Citation, error) {
	answers := slices.DeleteFunc(slices.Clone(messages), func(m *Message) bool { return m.Role != Assistant })
	if len(answers) == 0 {
		return nil, nil
	}
	var all []Citation
	err := db.NewSelect().Model(&all).ColumnExpr("ci.*").ColumnExpr("d.name AS document").ColumnExpr(FileLink+" AS link").Join("JOIN documents AS d ON d.id = ci.document_id").
		Where("ci.message_id IN (?) AND ci.n > 0", bun.List(idsOf(answers))).Order("ci.message_id", "ci.n").Scan(ctx)
	cited := map[int64][]Citation{}
	for _, c := range all {
		cited[c.MessageID] = append(cited[c.MessageID], c)
	}
	return cited, err
}

// LastCitations returns the citations of a session's last answer that has any,
// with their documents' names and links; nil if there are none.
func (v *Views) LastCitations(ctx context.Context, session int64) ([]Citation, error) {
	var id int64
	err := v.reader.NewRaw(`SELECT COALESCE(MAX(m.id), 0) FROM messages AS m JOIN citations AS x ON x.message_id = m.id AND x.n > 0
		WHERE m.session_id = ?`, session).Scan(ctx, &id)
	if err != nil || id == 0 {
		return nil, err
	}
	return v.memory.Citations(ctx, id)
}

// PostedCitation returns the answer that was posted under a nonce, and its citation n;
// ErrNotFound if there is none, or its document was removed.
func (v *Views) PostedCitation(ctx context.Context, nonce string, n int) (*Message, *Citation, error) {
	m, err := v.memory.posted(ctx, nonce)
	if err != nil {
		return nil, nil, err
	}
	cited, err := v.memory.Citations(ctx, m.ID)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(cited, func(c Citation) bool { return c.N == n })
	if i < 0 {
		return nil, nil, ErrNotFound
	}
	return m, &cited[i], nil
}
