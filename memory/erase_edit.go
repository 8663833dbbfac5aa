package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// edit replaces the text of m and erases what it loses: of the old text the number and the hash
// stay. Answers elsewhere that repeat it are erased. Those to m itself are if m was reworded, or if
// they hold a word that it lost; again is true if they were, so that m is to be asked again.
func (s *Store) edit(ctx context.Context, tx bun.Tx, m *Message, text string, before map[int64]search, l leaving, quiet bool) (again bool, err error) {
	lost := wordsLost(m.Text, text)
	own, err := s.saidTo(ctx, tx, m)
	if err != nil {
		return false, err
	}
	// A post of ours from before we were here answers nothing that we know of.
	own = slices.DeleteFunc(own, func(a *Message) bool { return a.Role == Assistant && a.ReplyTo == 0 })
	resting, err := restingOn(ctx, tx, Shown{Messages: []int64{m.ID}})
	if err != nil {
		return false, err
	}
	besides, err := besidesText(ctx, tx, merged(own, resting))
	if err != nil {
		return false, err
	}
	again = len(own) > 0 && lost.reworded() && !quiet
	for _, a := range own {
		again = again || lost.in(a.Text+besides[a.ID])
	}
	struck, err := s.strikeQuotes(ctx, tx, m, text, l)
	if err != nil {
		return false, err
	}
	if struck {
		before = nil // what they said is found nowhere else now
	}
	gone, err := s.repeating(ctx, tx, m, text, before, l)
	if err != nil {
		return false, err
	}
	if again {
		gone = merged(gone, own)
	}
	for _, a := range resting { // its request may have been read with a word that the answer does not say
		if err := forgetReadings(ctx, tx, a.SessionID, a.ReplyTo, a.ID, lost); err != nil {
			return false, err
		}
	}
	gone = merged(gone, slices.DeleteFunc(resting, func(a *Message) bool { return !lost.in(a.Text + besides[a.ID]) }))
	if err := untitle(ctx, tx, m, text); err != nil {
		return false, err
	}
	if err := s.forgetReading(ctx, tx, m, lost, again); err != nil {
		return false, err
	}
	if err := s.setText(ctx, tx, m, text); err != nil {
		return false, err
	}
	if err := eraseFindings(ctx, tx, m.SessionID); err != nil {
		return false, err
	}
	for _, a := range gone {
		if err := s.eraseQuoted(ctx, tx, a, m.PersonID, l); err != nil {
			return false, err
		}
	}
	if err := dropFactsWith(ctx, tx, m, lost); err != nil {
		return false, err
	}
	if err := s.rederive(ctx, tx, append(gone, m)); err != nil || len(lost.words) == 0 {
		return again, err
	}
	if err := s.Queue.eraseShownOf(ctx, tx, m); err != nil {
		return false, err
	}
	return again, s.oweSecureErase(ctx, tx)
}

func (s *Store) setText(ctx context.Context, tx bun.Tx, m *Message, text string) error {
	sum := sha256.Sum256([]byte(m.Text))
	old := Revision{MessageID: m.ID, Rev: m.Rev, Hash: hex.EncodeToString(sum[:]), At: s.Now()}
	if _, err := tx.NewInsert().Model(&old).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
		return err
	}
	m.Text, m.Rev = text, m.Rev+1
	m.Terms, m.Tokens = SpokenTerms(m.Author, m.At, text), CountMessage(m.Role, text)
	if _, err := tx.NewUpdate().Model(m).Column("text", "rev", "terms", "tokens").WherePK().Exec(ctx); err != nil {
		return err
	}
	return s.Queue.retitle(ctx, tx, m)
}

// readingsAfter is how many messages after one are looked at for words that were taken from it: "it" is what was said
// not long ago.
const readingsAfter = 500

// forgetReadings erases how messages of a conversation were read, from one to some after another, where that holds a word that was lost
// and that they do not say themselves.
func forgetReadings(ctx context.Context, tx bun.Tx, session, from, to int64, lost lostWords) error {
	if len(lost.words) == 0 {
		return nil
	}
	var read []struct {
		ID   int64
		Text string
		JSON string `bun:"json"`
	}
	if err := tx.NewRaw(`SELECT m.id, m.text, u.json FROM messages AS m JOIN understandings AS u ON u.message_id = m.id
		WHERE m.session_id = ?0 AND m.id >= ?1 AND m.id <= COALESCE((SELECT id FROM messages WHERE session_id = ?0 AND id > ?2 ORDER BY id LIMIT 1 OFFSET ?3), ?4)`,
		session, from, to, readingsAfter, int64(math.MaxInt64)).Scan(ctx, &read); err != nil {
		return err
	}
	for _, r := range read {
		own := reading.TermSet(r.Text)
		if !slices.ContainsFunc(rank.Terms(r.JSON), func(t string) bool { return lost.terms[t] && !own[t] }) {
			continue
		}
		if err := exec(ctx, tx, "DELETE FROM understandings WHERE message_id = ?", r.ID); err != nil {
			return err
		}
	}
	return nil
}

// forgetReading erases how m and what came after it was read, if that holds a word that m lost, and what we asked back about
// it, if it is to be asked again.
func (s *Store) forgetReading(ctx context.Context, tx bun.Tx, m *Message, lost lostWords, again bool) error {
	var read []string
	if err := tx.NewSelect().Table("understandings").Column("json").Where("message_id = ?", m.ID).Scan(ctx, &read); err != nil {
		return err
	}
	if lost.in(strings.Join(read, " ")) {
		if err := exec(ctx, tx, "DELETE FROM understandings WHERE message_id = ?", m.ID); err != nil {
			return err
		}
	}
	if err := forgetReadings(ctx, tx, m.SessionID, m.ID+1, m.ID, lost); err != nil {
		return err
	}
	if !again {
		return nil
	}
	return s.Queue.eraseQuestions(ctx, tx, m)
}

// dropFactsWith takes m from the sources of facts that say a word that m lost: their quote may still
// stand in it.
func dropFactsWith(ctx context.Context, tx bun.Tx, m *Message, lost lostWords) error {
	var facts []*Fact
	err := tx.NewSelect().Model(&facts).Where("id IN (SELECT fact_id FROM fact_sources WHERE message_id = ?)", m.ID).Scan(ctx)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if !lost.in(strings.Join([]string{f.Text, f.Subject, f.Slot}, " ")) {
			continue
		}
		if err := dropSource(ctx, tx, &FactSource{FactID: f.ID, MessageID: m.ID}); err != nil {
			return err
		}
	}
	return nil
}
