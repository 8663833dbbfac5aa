package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// RecallQuery asks for older messages.
type RecallQuery struct {
	Audience Audience            // messages of its session and its channel come before others
	Text     string              // the message, or its rewritten form
	Speakers []string            // authors meant besides those the text names
	Exclude  func(id int64) bool // messages already in the prompt; nil excludes nothing
	Limit    int                 // messages; 0 = all
	Before   int64               // only messages with a smaller id; 0 = all

	matching bool // leave out messages that are only neighbours of one with a word of the query
}

// Recalled is one older message, whole and verbatim. Score is its share of the score of a message
// with all words of the query: 0 to about 2, since author and neighbouring messages
// count as well. It can be compared between queries.
type Recalled struct {
	Message *Message
	Score   float64
}

// Weights for scoring messages, in shares of the best text score unless noted otherwise,
// measured on long two-person conversations.
const (
	recallK1        = 1.6 // BM25 of author, date and text; length does not count
	recallNear      = 0.2 // times BM25 of pairs of terms at most nearReach apart
	nearReach       = 3
	recallNeighbour = 0.5 // times the better text score of the messages before and after
	recallStretch   = 0.4 // for the day of a session with the best three messages, less for others
	recallSpeaker   = 0.4 // if a person the query names is the author
	recallChannel   = 0.7 // times the score in other sessions of the channel
	recallElsewhere = 0.5 // times it in other channels
)

const (
	recallAll     = 1000 // up to this many visible messages, all are scored
	recallHits    = 100  // whose neighbours are looked at
	scopeChannels = 16   // with more channels, the full-text index is not limited to them
)

// Recall finds older messages by full-text search, best first: those the audience may see,
// None is no error.
func (s *Store) Recall(ctx context.Context, q RecallQuery) ([]Recalled, error) {
	found, err := s.recall(ctx, q)
	return found, wrap("recall", err)
}

// Search is "memory search": it returns at most limit messages an audience may see, best first.
func (s *Store) Search(ctx context.Context, a Audience, query string, limit int) ([]Recalled, error) {
	found, err := s.recall(ctx, RecallQuery{Audience: a, Text: query, Limit: limit, matching: true})
	return found, wrap("search", err)
}

func (s *Store) recall(ctx context.Context, q RecallQuery) ([]Recalled, error) {
	r := recollection{query: rank.NewQuery(q.Text), at: map[int64]int{}}
	if len(r.query.Terms()) == 0 {
		return nil, nil
	}
	if err := s.collect(ctx, q, &r); err != nil || len(r.lines) == 0 {
		return nil, err
	}
	r.readTexts(q.Audience)
	if err := s.loadNeighbours(ctx, q, &r); err != nil {
		return nil, err
	}
	found := r.rank(q)
	if !q.matching {
		var err error
		if found, err = s.withoutRepeats(ctx, found); err != nil {
			return nil, err
		}
	}
	if q.Limit > 0 {
		found = found[:min(q.Limit, len(found))]
	}
	return s.whole(ctx, found)
}

// withoutRepeats keeps the best of messages in which the same person says the same in a channel: what somebody asks every day
// takes one place.
func (s *Store) withoutRepeats(ctx context.Context, found []scored) ([]scored, error) {
	type saying struct {
		channel      int64
		author, text string
	}
	alike := map[saying][]int64{}
	for _, f := range found {
		key := saying{f.channel, f.author, f.terms}
		alike[key] = append(alike[key], f.id)
	}
	var ids []int64
	for _, same := range alike {
		if len(same) > 1 {
			ids = append(ids, same...)
		}
	}
	if len(ids) == 0 {
		return found, nil
	}
	slices.Sort(ids)
	var rows []struct {
		ID   int64
		Text string
	}
	if err := s.dialect.messagesByID(s.reader, ids).Column("m.id", "m.text").Scan(ctx, &rows); err != nil {
		return nil, err
	}
	texts := make(map[int64]string, len(rows))
	for _, row := range rows {
		texts[row.ID] = row.Text
	}
	said := map[saying]bool{}
	return slices.DeleteFunc(found, func(f scored) bool {
		text, ok := texts[f.id]
		key := saying{f.channel, f.author, text}
		again := ok && said[key]
		said[key] = said[key] || ok
		return again
	}), nil
}

// collect reads the messages to score: all if the audience may see only a few, else
// candidates.
func (s *Store) collect(ctx context.Context, q RecallQuery, r *recollection) error {
	var channels, ids []int64
	sel := q.Audience.Visible(s.reader.NewSelect().Table("channels").Column("id"), "id").Limit(scopeChannels + 1)
	if err := sel.Scan(ctx, &channels); err != nil {
		return err
	}
	var scope []string
	if len(channels) <= scopeChannels {
		few := s.reader.NewSelect().Table("messages").Column("id").Where("channel_id IN (?)", bun.List(channels)).Limit(recallAll + 1)
		n, err := s.reader.NewSelect().TableExpr("(?)", few).Count(ctx)
		if err != nil {
			return err
		}
		if n <= recallAll {
			if err := few.Scan(ctx, &ids); err != nil {
				return err
			}
			return s.load(ctx, q, r, ids)
		}
		for _, id := range channels {
			scope = append(scope, fmt.Sprintf("c%d", id))
		}
	}
	return s.candidates(ctx, q, r, scope)
}

// stretch is the messages of one session on one day, counted from 1970 in UTC.
type stretch struct{ session, day int64 }

// line is what a message is scored by.
type line struct {
	stretch
	id, channel   int64
	author, terms string
	before, after int64 // the neighbours' ids in the session, 0 for none or not known
}

// recollection is the work on one query: the candidates and their text scores.
type recollection struct {
	query *rank.Query
	stats *rank.Stats // of all visible messages; nil if lines are all of them
	lines []line
	at    map[int64]int // id → index into lines
	base  []float64     // text scores; lines beyond its length are mere neighbours
}

func (s *Store) load(ctx context.Context, q RecallQuery, r *recollection, ids []int64) error {
	slices.Sort(ids)
	sel := s.dialect.messagesByID(s.reader, ids).
		Column("m.id", "m.session_id", "m.channel_id", "m.author", "m.terms", "m.at").Where("m.erased_at = 0")
	if q.Before > 0 {
		sel = sel.Where("m.id < ?", q.Before)
	}
	rows, err := q.Audience.VisibleMessages(sel).Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var l line
		var at int64
		if err := rows.Scan(&l.id, &l.session, &l.channel, &l.author, &l.terms, &at); err != nil {
			return err
		}
		l.day = at / (24 * time.Hour).Milliseconds()
		r.at[l.id] = len(r.lines)
		r.lines = append(r.lines, l)
	}
	return rows.Err()
}

// readTexts scores the texts of the candidates.
func (r *recollection) readTexts(a Audience) {
	t := r.query.NewTable(len(r.lines), nearReach)
	for _, l := range r.lines {
		t.Add(l.terms)
	}
	if r.stats == nil {
		st := t.Stats()
		r.stats = &st
	}
	r.base = t.BM25(*r.stats, recallK1, 0)
	for i, near := range t.Near(0.9, 0.3) {
		r.base[i] += recallNear * near
	}
	for i, l := range r.lines {
		r.base[i] *= nearness(l, a)
	}
}

// nearness is the share of its score that a message counts with for those who ask in
// a session.
func nearness(l line, a Audience) float64 {
	switch {
	case a.Session == 0 || l.session == a.Session:
		return 1
	case l.channel == a.Channel.ID:
		return recallChannel
	}
	return recallElsewhere
}

// loadNeighbours loads the messages right before and after the best candidates.
func (s *Store) loadNeighbours(ctx context.Context, q RecallQuery, r *recollection) error {
	hits := byScore(r.base)
	hits = hits[:min(recallHits, len(hits))]
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = r.lines[h].id
	}
	rows, err := s.reader.QueryContext(ctx, `SELECT m.id,
		(SELECT COALESCE(MAX(id), 0) FROM messages WHERE session_id = m.session_id AND id < m.id),
		(SELECT COALESCE(MIN(id), 0) FROM messages WHERE session_id = m.session_id AND id > m.id)
		FROM messages AS m WHERE m.id IN (?)`, bun.List(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	var unknown []int64
	for rows.Next() {
		var id, before, after int64
		if err := rows.Scan(&id, &before, &after); err != nil {
			return err
		}
		l := &r.lines[r.at[id]]
		l.before, l.after = before, after
		for _, n := range []int64{before, after} {
			if _, ok := r.at[n]; !ok && n > 0 {
				unknown = append(unknown, n)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return s.load(ctx, q, r, unknown)
}

// byScore returns indices in order of falling score, earlier ones first among equals.
func byScore(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// scored is a candidate with its score.
type scored struct {
	line
	score float64
}

// rank combines the text scores with author and neighbours, best first.
func (r *recollection) rank(q RecallQuery) []scored {
	best := slices.Max(r.base)
	if best == 0 {
		return nil
	}
	if q.matching {
		r.lines = r.lines[:len(r.base)]
	}
	score := make([]float64, len(r.lines))
	copy(score, r.base)
	beside := r.beside()
	stretches, bestStretch := r.stretches()
	spoke := speakers(q)
	for i, l := range r.lines {
		if q.matching && r.base[i] == 0 {
			continue
		}
		score[i] += recallNeighbour * beside[i]
		if score[i] == 0 {
			continue
		}
		score[i] += recallStretch * best * stretches[l.stretch] / bestStretch
		if spoke(l) {
			score[i] += recallSpeaker * best * nearness(l, q.Audience)
		}
	}
	ideal := 0.0
	for i := range r.stats.DF {
		ideal += r.stats.IDF(i) * (recallK1 + 1)
	}
	var found []scored
	for _, i := range byScore(score) {
		if score[i] > 0 && (q.Exclude == nil || !q.Exclude(r.lines[i].id)) {
			found = append(found, scored{r.lines[i], score[i] / ideal})
		}
	}
	return found
}

// beside returns for each line the better text score of those before and after it.
func (r *recollection) beside() []float64 {
	beside := make([]float64, len(r.lines))
	for i, b := range r.base {
		for _, id := range []int64{r.lines[i].before, r.lines[i].after} {
			if n, ok := r.at[id]; ok && n < len(beside) && r.lines[n].stretch == r.lines[i].stretch {
				beside[n] = max(beside[n], b)
			}
		}
	}
	return beside
}

// stretches returns the sum of the best three text scores of each stretch, and the largest.
func (r *recollection) stretches() (sum map[stretch]float64, best float64) {
	sum, taken := map[stretch]float64{}, map[stretch]int{}
	for _, i := range byScore(r.base) {
		if s := r.lines[i].stretch; taken[s] < 3 {
			taken[s]++
			sum[s] += r.base[i]
			best = max(best, sum[s])
		}
	}
	return sum, best
}

// speakers reports whether a line's author is one the query means: named in it or in Speakers.
func speakers(q RecallQuery) func(line) bool {
	named := map[string]bool{}
	for _, text := range append([]string{q.Text}, q.Speakers...) {
		for _, w := range rank.Words(text) {
			named[w] = !rank.Stop(w)
		}
	}
	known := map[string]bool{}
	return func(l line) bool {
		is, ok := known[l.author]
		if !ok {
			is = slices.ContainsFunc(rank.Words(l.author), func(w string) bool { return named[w] })
			known[l.author] = is
		}
		return is
	}
}

// whole loads the messages that were kept.
func (s *Store) whole(ctx context.Context, kept []scored) ([]Recalled, error) {
	ids := make([]int64, len(kept))
	for i, k := range kept {
		ids[i] = k.id
	}
	var messages []*Message
	err := s.reader.NewSelect().Model(&messages).ExcludeColumn("terms").
		Where("id IN (?)", bun.List(ids)).Where("erased_at = 0").Scan(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*Message, len(messages))
	for _, m := range messages {
		byID[m.ID] = m
	}
	found := make([]Recalled, 0, len(kept))
	for _, k := range kept {
		if m := byID[k.id]; m != nil {
			found = append(found, Recalled{m, k.score})
		}
	}
	return found, nil
}
