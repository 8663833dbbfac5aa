package memory

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// leaving are messages that are about to lose their text: these, and all that a person said in a
// session or, where session is 0, in a channel. Text found only in them counts as found nowhere else.
type leaving struct {
	ids                      []int64
	documents                []int64
	person, channel, session int64
}

func leavingOf(messages []*Message) leaving { return leaving{ids: idsOf(messages)} }

func idsOf(messages []*Message) (ids []int64) {
	for _, m := range messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// without narrows a query to rows that are not of leaving messages; id is their column that
// names the message, alias that of the other columns.
func (l leaving) without(q *bun.SelectQuery, alias, id string) *bun.SelectQuery {
	if alias == "d" {
		q = q.Where("d.id NOT IN (?)", bun.List(append(slices.Clone(l.documents), 0)))
	}
	return q.Where("?0.?1 NOT IN (?2) AND NOT (?0.person_id = ?3 AND ?0.channel_id = ?4 AND (?5 = 0 OR ?0.session_id = ?5))",
		bun.Ident(alias), bun.Ident(id), bun.List(append(slices.Clone(l.ids), 0)), l.person, l.channel, l.session)
}

const (
	rareRows  = 200 // a word in more messages than this is common
	mostWords = 500 // of a longer text the words after them are not looked for
	wordBatch = 100 // words of one look-up
	fewRows   = 50  // passages or messages with a phrase that are searched for one that counts
)

// elsewhere is the other text that people can see where they can see a message.
type elsewhere struct {
	store    *Store
	db       bun.IDB
	m        *Message
	leaving  leaving
	channels []int64
	names    map[string]bool // of documents, in folded words
	terms    string          // of these names
	found    map[string]bool
}

func (s *Store) elsewhere(ctx context.Context, db bun.IDB, m *Message, l leaving) (*elsewhere, error) {
	e := &elsewhere{store: s, db: db, m: m, leaving: l, names: map[string]bool{}, found: map[string]bool{}}
	err := db.NewRaw(`SELECT ?0 UNION SELECT there.id FROM channels AS own JOIN channels AS there
		ON there.platform = own.platform AND there.workspace = own.workspace
		WHERE own.id = ?0 AND own.was_public`, m.ChannelID).Scan(ctx, &e.channels)
	if err != nil {
		return nil, err
	}
	var names []string
	err = l.without(db.NewSelect().Model((*Document)(nil)), "d", "message_id").Column("name").
		Where("d.channel_id IN (?) AND d.removed_at = 0", bun.List(e.channels)).Scan(ctx, &names)
	for _, n := range names {
		e.names[strings.Join(rank.Words(n), " ")] = true
		e.terms += " " + strings.Join(rank.Terms(n), " ") + " \n"
	}
	return e, err
}

// holding are those of answers that hold one of the traits, also where they offer it to choose or in their file. A span that stands in a document is
// its; a code is also whose else says it.
func (e *elsewhere) holding(ctx context.Context, t traits, answers []*Message) (found []*Message, err error) {
	besides, err := besidesText(ctx, e.db, answers)
	if err != nil {
		return nil, err
	}
	for _, r := range answers {
		text := r.Text + besides[r.ID]
		spans, codes := t.heldBy(text)
		holds := t.hasWord(text)
		for i, phrase := range slices.Concat(spans, codes) {
			if holds {
				break
			}
			stands, err := e.stands(ctx, phrase, i >= len(spans))
			if err != nil {
				return nil, err
			}
			holds = !stands
		}
		if !holds && r.SessionID == e.m.SessionID {
			for _, n := range t.numbersIn(text) {
				stands, err := e.standsHere(ctx, n, r)
				if err != nil {
					return nil, err
				}
				holds = holds || !stands
			}
		}
		if holds {
			found = append(found, r)
		}
	}
	return found, nil
}

// besidesText is what answers say besides their text, by id: what they offer to choose, and the whole answer in their file.
func besidesText(ctx context.Context, db bun.IDB, answers []*Message) (map[int64]string, error) {
	var questions []*Question
	if err := db.NewSelect().Model(&questions).Where("asked_id IN (?)", bun.List(append(idsOf(answers), 0))).Scan(ctx); err != nil {
		return nil, err
	}
	besides := map[int64]string{}
	for _, q := range questions {
		for _, o := range q.Options {
			besides[q.AskedID] += "\n" + o.Label + "\n" + o.Query
		}
	}
	var files []struct {
		MessageID int64
		Text      string
	}
	err := db.NewSelect().Table("wholes").Where("message_id IN (?)", bun.List(idsOf(answers))).Scan(ctx, &files)
	for _, f := range files {
		besides[f.MessageID] += "\n" + f.Text
	}
	return besides, err
}

// stands reports whether a phrase occurs in a document or, with people, in another person's message.
func (e *elsewhere) stands(ctx context.Context, phrase string, people bool) (stands bool, err error) {
	stands, known := e.found[phrase]
	if known {
		return stands, nil
	}
	stands, err = e.inDocument(ctx, phrase)
	if err == nil && !stands && people {
		stands, err = e.saidByOthers(ctx, phrase)
	}
	e.found[phrase] = stands
	return stands, err
}

// standsHere reports whether a number occurs in the session otherwise than in what leaves: it was said there, in an answer
// before the message too, or is in a document of the session, or in one that the answer r cites.
func (e *elsewhere) standsHere(ctx context.Context, number string, r *Message) (bool, error) {
	var texts []string
	err := e.leaving.without(e.db.NewSelect().Model((*Message)(nil)), "m", "id").Column("m.text").
		Where("? AND m.session_id = ? AND m.erased_at = 0 AND m.id <> ?", e.store.dialect.holdsPhrase([]string{number}, 0), e.m.SessionID, e.m.ID).
		Where("m.role = ? OR m.id < ?", User, e.m.ID).Scan(ctx, &texts)
	if err != nil {
		return false, err
	}
	says := func(text string) bool { return slices.Contains(rank.Words(text), number) } // the index has the days of messages too
	if slices.ContainsFunc(texts, says) {
		return true, nil
	}
	var contents []string
	err = e.leaving.without(e.db.NewSelect().Model((*Document)(nil)), "d", "message_id").ColumnExpr("'d' || d.content_id").
		Where("d.removed_at = 0 AND (d.session_id = ? OR d.id IN (SELECT document_id FROM citations WHERE message_id = ?))", e.m.SessionID, r.ID).Scan(ctx, &contents)
	if err != nil || len(contents) == 0 {
		return false, err
	}
	rows, err := e.store.dialect.lookUp(ctx, e.db, "passages", []match{{term: number, scope: contents}}, 1, false)
	return err == nil && len(rows[0]) > 0, err
}

// strikeCommon strikes the words from t that say nothing of where they come from: those of another
// message, of an earlier answer, of a document, or of our own sentences. It returns the later
// answers that hold one of the others.
func (e *elsewhere) strikeCommon(ctx context.Context, t *traits) (answers []*Message, err error) {
	words := slices.Sorted(maps.Keys(t.words))
	if e.store.Phrases != nil {
		ours := e.store.Phrases()
		words = slices.DeleteFunc(words, func(w string) bool { return ours[w] })
	}
	words = words[:min(len(words), mostWords)]
	t.words = map[string]bool{}
	for batch := range slices.Chunk(words, wordBatch) {
		matches := make([]match, len(batch))
		for i, w := range batch {
			matches[i].term = w
		}
		rows, err := e.store.dialect.lookUp(ctx, e.db, "messages", matches, rareRows+1, false)
		if err != nil {
			return nil, err
		}
		for i, w := range batch {
			if len(rows[i]) > rareRows {
				continue
			}
			if common, err := e.common(ctx, w, rows[i]); err != nil || common {
				if err != nil {
					return nil, err
				}
				continue
			}
			t.words[w] = true
			holding, err := answersWhere(ctx, e.db, "m.id IN (?) AND m.channel_id IN (?) AND (m.id > ? OR "+readBack+")", bun.List(rows[i]), bun.List(e.channels), e.m.ID, e.m.At)
			if err != nil {
				return nil, err
			}
			answers = append(answers, holding...)
		}
	}
	return answers, nil
}

// common reports whether a word, which is in rows, occurs elsewhere.
func (e *elsewhere) common(ctx context.Context, word string, rows []int64) (bool, error) {
	stands, err := e.leaving.without(e.db.NewSelect().Model((*Message)(nil)), "m", "id").
		Where("m.id IN (?) AND m.erased_at = 0 AND m.channel_id IN (?)", bun.List(rows), bun.List(e.channels)).
		Where("m.role = ? OR m.id < ? AND NOT "+readBack, User, e.m.ID, e.m.At).Exists(ctx)
	if err != nil || stands {
		return stands, err
	}
	return e.inDocument(ctx, word)
}

// inDocument reports whether a phrase occurs in a document or the name of one.
func (e *elsewhere) inDocument(ctx context.Context, phrase string) (bool, error) {
	terms := strings.Join(rank.Terms(phrase), " ")
	if terms == "" || strings.Contains(e.terms, " "+terms+" ") {
		return terms != "", nil
	}
	rows, err := e.store.dialect.lookUp(ctx, e.db, "passages", []match{{term: terms}}, fewRows, true)
	if err != nil || len(rows[0]) == 0 {
		return false, err
	}
	return e.leaving.without(e.db.NewSelect().Model((*Document)(nil)), "d", "message_id").
		Where("d.content_id IN (SELECT content_id FROM passages WHERE id IN (?))", bun.List(rows[0])).
		Where("d.removed_at = 0 AND d.channel_id IN (?)", bun.List(e.channels)).Exists(ctx)
}

// saidByOthers reports whether another person uses a phrase.
func (e *elsewhere) saidByOthers(ctx context.Context, phrase string) (bool, error) {
	rows, err := e.store.dialect.lookUp(ctx, e.db, "messages", []match{{term: strings.Join(rank.Terms(phrase), " ")}}, fewRows, true)
	if err != nil || len(rows[0]) == 0 {
		return false, err
	}
	return e.leaving.without(e.db.NewSelect().Model((*Message)(nil)), "m", "id").
		Where("m.id IN (?) AND m.erased_at = 0 AND m.role = ? AND m.person_id <> ?", bun.List(rows[0]), User, e.m.PersonID).
		Where("m.channel_id IN (?)", bun.List(e.channels)).Exists(ctx)
}
