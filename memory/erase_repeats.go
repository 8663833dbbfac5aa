package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// A repetition is spanWords words in a row of which contentWords are not stop
// words, or one code-like word, or one word that is found nowhere else, or in the
// same session any number that nobody else said there.
const (
	spanWords    = 5
	contentWords = 2
	mostPhrases  = 2000 // of a longer text spans are looked for at intervals
	phraseBatch  = 100  // phrases of one full-text query
)

// search is how far the answers that repeat a message were looked for before the
// transaction that erases it: that takes longer the more is stored, and the writer must not
// be held meanwhile.
type search struct {
	rev    int64   // of the message
	upTo   int64   // later answers were not looked at
	found  []int64 // answers
	traits traits
}

// searches looks for the answers that repeat what messages lose when they say text, "" if they are
// erased, by message id.
func (s *Store) searches(ctx context.Context, messages []*Message, text string, l leaving) (map[int64]search, error) {
	all := map[int64]search{}
	for _, m := range messages {
		if m.Role != User || m.Text == "" {
			continue
		}
		done := search{rev: m.Rev, traits: traitsLost(m.Text, text)}
		if err := s.reader.NewSelect().Table("messages").ColumnExpr("MAX(id)").Scan(ctx, &done.upTo); err != nil {
			return nil, err
		}
		found, err := s.alike(ctx, s.reader, m, &done.traits, l)
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

// repeats finds what goes with a message that is about to be erased: what was said to it, what
// rests on it, or cites or names its files, and the answers that repeat it.
func (s *Store) repeats(ctx context.Context, tx bun.Tx, m *Message, before map[int64]search, l leaving) ([]*Message, error) {
	if m.Role != User || m.ErasedAt > 0 {
		return nil, nil
	}
	own, err := s.saidTo(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	var brought []int64
	if err := tx.NewSelect().Model((*Document)(nil)).Column("id").Where("message_id = ?", m.ID).Scan(ctx, &brought); err != nil {
		return nil, err
	}
	resting, err := restingOn(ctx, tx, Shown{Documents: brought, Messages: append(idsOf(own), m.ID)})
	if err != nil {
		return nil, err
	}
	names, err := fileNames(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	naming, err := s.naming(ctx, tx, names, l)
	if err != nil || m.Text == "" { // it was a file
		return merged(own, resting, naming), err
	}
	others, err := s.repeating(ctx, tx, m, "", before, l)
	return merged(own, resting, naming, others), err
}

// saidTo are the answers to a message, and the choice its author clicked when we asked back: it was
// made of the message.
func (s *Store) saidTo(ctx context.Context, tx bun.IDB, m *Message) (rows []*Message, err error) {
	err = tx.NewSelect().Model(&rows).
		Where("m.id > ?0 AND m.erased_at = 0 AND (m.role = ?1 OR m.platform_id LIKE ?2)", m.ID, Assistant, localPrefixClick+"%").
		Where(`(m.interaction_id = ?0 OR m.interaction_id = (SELECT NULLIF(i.answered_with, 0) FROM interactions AS i WHERE i.id = ?0))`, m.InteractionID).
		Order("m.id").Scan(ctx)
	return rows, err
}

// merged are the messages of all lists in order, each once.
func merged(lists ...[]*Message) []*Message {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b *Message) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(all, func(a, b *Message) bool { return a.ID == b.ID })
}

// repeating are the later answers, where m can or could be seen, that hold something that it loses when
// it says text. What before holds of the message was looked for already.
func (s *Store) repeating(ctx context.Context, tx bun.Tx, m *Message, text string, before map[int64]search, l leaving) ([]*Message, error) {
	done, ok := before[m.ID]
	if !ok || done.rev != m.Rev {
		t := traitsLost(m.Text, text)
		return s.alike(ctx, tx, m, &t, l)
	}
	known, err := answersWhere(ctx, tx, "m.id IN (?)", bun.List(done.found))
	if err != nil {
		return nil, err
	}
	since, err := answersWhere(ctx, tx, "m.id > ? AND ("+whereSeen+" OR "+readBack+" AND "+whereNear+")", done.upTo, m.ChannelID, m.ChannelID, m.At, m.ChannelID)
	if err != nil || len(since) == 0 {
		return known, err
	}
	e, err := s.elsewhere(ctx, tx, m, l)
	if err != nil {
		return nil, err
	}
	since, err = e.holding(ctx, done.traits, since)
	return append(known, since...), err
}

// whereSeen is true of messages where those of a channel can be seen, or could be; it takes
// the channel twice.
const whereSeen = `(m.channel_id = ? OR EXISTS (SELECT 1 FROM channels AS own JOIN channels AS there
	ON there.platform = own.platform AND there.workspace = own.workspace
	WHERE own.id = ? AND own.was_public AND there.id = m.channel_id))`

// readBack is true of posts of ours that we learnt of from the platform, as after a restore, and that are no older than a time. What
// they were made of is not known, nor does their id say when they were said: what they repeat may have been read back later.
const readBack = `(m.at >= ? AND EXISTS (SELECT 1 FROM outbox AS a WHERE a.message_id = m.id AND a.nonce LIKE '` + adoptedPrefix + `%'))`

// whereNear is true of messages on the platform of a channel: a word to one person may rest on what all of a channel were told.
const whereNear = `m.channel_id IN (SELECT there.id FROM channels AS own JOIN channels AS there ON there.platform = own.platform WHERE own.id = ?)`

// alike are the later answers, where m can or could be seen, that hold one of the traits. Words that stand
// elsewhere are struck from them.
func (s *Store) alike(ctx context.Context, db bun.IDB, m *Message, t *traits, l leaving) ([]*Message, error) {
	if len(t.words)+len(t.terms)+len(t.numbers) == 0 {
		return nil, nil
	}
	e, err := s.elsewhere(ctx, db, m, l)
	if err != nil {
		return nil, err
	}
	found, err := e.strikeCommon(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, phrases := range t.batches() {
		rows, err := answersWhere(ctx, db, `? AND `+whereSeen, s.dialect.holdsPhrase(phrases, m.ID), m.ChannelID, m.ChannelID)
		if err != nil {
			return nil, err
		}
		before, err := answersWhere(ctx, db, `? AND `+readBack+` AND `+whereNear, s.dialect.holdsPhrase(phrases, 0), m.At, m.ChannelID)
		if err != nil {
			return nil, err
		}
		found = slices.Concat(found, rows, before)
	}
	for phrases := range slices.Chunk(t.numbers, phraseBatch) {
		rows, err := answersWhere(ctx, db, `? AND m.session_id = ?`, s.dialect.holdsPhrase(phrases, m.ID), m.SessionID)
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
	}
	asked, err := answersWhere(ctx, db, "m.id > ? AND m.id IN (SELECT asked_id FROM questions WHERE session_id = ?)", m.ID, m.SessionID)
	if err != nil {
		return nil, err
	}
	long, err := answersWhere(ctx, db, "m.id > ? AND m.id IN (SELECT message_id FROM wholes) AND "+whereSeen, m.ID, m.ChannelID, m.ChannelID)
	if err != nil {
		return nil, err
	}
	return e.holding(ctx, *t, merged(found, asked, long))
}

// answersWhere are answers that are not erased.
func answersWhere(ctx context.Context, db bun.IDB, condition string, args ...any) (rows []*Message, err error) {
	err = db.NewSelect().Model(&rows).Where(condition, args...).Where("m.role = ? AND m.erased_at = 0", Assistant).Scan(ctx)
	return rows, err
}

// traits are what gives a repetition of a text away.
type traits struct {
	spans   map[string]bool // spanWords folded words, joined by spaces
	codes   []string        // code-like words, as folded words joined by spaces
	words   map[string]bool // terms of other words, in letters
	numbers []string        // that are not code-like
	terms   []string        // full-text phrases of spans and codes
}

// traitsLost are the traits that a text loses when it becomes another, "" if it is erased. What is
// only spelt otherwise, or put in another order, is no loss.
func traitsLost(old, text string) traits {
	t := traits{spans: map[string]bool{}, words: map[string]bool{}}
	gone := wordsLost(old, text)
	stays := " " + strings.Join(rank.Words(text), " ") + " "
	for _, w := range strings.Fields(old) {
		if w = strings.TrimFunc(w, unicode.IsPunct); reading.CodeLike(w) {
			if code := strings.Join(rank.Words(w), " "); !strings.Contains(stays, " "+code+" ") {
				t.codes = append(t.codes, code)
				t.terms = append(t.terms, strings.Join(rank.Terms(w), " "))
			}
		}
	}
	for w, other := range gone.words {
		if (other || gone.names[w]) && telling(w) {
			t.words[rank.Terms(w)[0]] = true
		}
		if w[0] >= '0' && w[0] <= '9' && !reading.CodeLike(w) {
			t.numbers = append(t.numbers, w)
		}
	}
	slices.Sort(t.numbers)
	t.numbers = t.numbers[:min(len(t.numbers), mostWords)]
	words := rank.Words(old)
	step := 1 + len(words)/mostPhrases
	for i := 0; i+spanWords <= len(words); i++ {
		span := words[i : i+spanWords]
		content, lost := 0, false
		for _, w := range span {
			if !rank.Stop(w) {
				content++
			}
			lost = lost || gone.words[w]
		}
		joined := strings.Join(span, " ")
		if content < contentWords || !lost || strings.Contains(stays, " "+joined+" ") {
			continue
		}
		t.spans[joined] = true
		if i%step == 0 {
			t.terms = append(t.terms, strings.Join(rank.Terms(joined), " "))
		}
	}
	return t
}

// telling reports whether a folded word is one that a repetition could be known by: in letters, and
// none that says when or how something is asked.
func telling(w string) bool {
	return utf8.RuneCountInString(w) >= 3 && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) &&
		!reading.PeriodWord(w) && !reading.FramingWord(w)
}

// batches are the phrases to look for: a text that repeats something has one of them. As many at once
// as a query takes.
func (t traits) batches() (list [][]string) {
	for batch := range slices.Chunk(t.terms, phraseBatch) {
		if batch = slices.DeleteFunc(slices.Clone(batch), func(p string) bool { return p == "" }); len(batch) > 0 {
			list = append(list, batch)
		}
	}
	return list
}

// heldBy are the spans and codes that a text repeats.
func (t traits) heldBy(text string) (spans, codes []string) {
	words := rank.Words(text)
	joined := " " + strings.Join(words, " ") + " "
	for _, code := range t.codes {
		if strings.Contains(joined, " "+code+" ") {
			codes = append(codes, code)
		}
	}
	for i := 0; i+spanWords <= len(words); i++ {
		if span := strings.Join(words[i:i+spanWords], " "); t.spans[span] {
			spans = append(spans, span)
		}
	}
	return spans, codes
}

func (t traits) hasWord(text string) bool {
	return len(t.words) > 0 && slices.ContainsFunc(rank.Terms(text), func(w string) bool { return t.words[w] })
}

// numbersIn are those of the numbers that a text says, other than to count its lines or to cite.
func (t traits) numbersIn(text string) (held []string) {
	if len(t.numbers) == 0 {
		return nil
	}
	said := map[string]bool{}
	for line := range strings.Lines(reading.WithoutCitations(text)) {
		if count := strings.TrimLeft(strings.TrimSpace(line), "0123456789"); strings.HasPrefix(count, ". ") || strings.HasPrefix(count, ") ") {
			line = count
		}
		for _, w := range rank.Words(line) {
			said[w] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(t.numbers), func(n string) bool { return !said[n] })
}
