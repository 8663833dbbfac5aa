package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

const (
	routeDocuments = 3    // searched in full
	routeRows      = 1000 // read of each term's passages
	routePassages  = 200  // whose documents are looked at
	leastBeside    = 0.4  // of the best document's fit, for one that is named beside it
	routeScope     = 64   // with more documents, the full-text index is not limited to them
)

type candidate struct {
	ID         int64
	ContentID  int64
	Name       string
	NameTerms  string
	FirstTerms string
	fit        float64 // to the query, 0 to 1; 0 if there was no choice
	beside     bool    // named by the question beside another document
	period     period
}

// visible returns the ready documents of a scope that have text, newest first, one for each content.
func (x *Index) visible(ctx context.Context, scope Scope) ([]candidate, error) {
	var all []candidate
	q := x.Store.Read().NewSelect().TableExpr("documents AS d").
		Column("d.id", "d.content_id", "d.name", "d.name_terms", "k.first_terms").
		Join("JOIN contents AS k ON k.id = d.content_id").
		Where("d.state = ? AND NOT d.picture", memory.DocumentReady).OrderExpr("d.id DESC")
	if len(scope.Documents) > 0 {
		q = q.Where("d.id IN (?)", bun.List(scope.Documents))
	}
	if err := scope.Audience.VisibleDocuments(q).Scan(ctx, &all); err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	return slices.DeleteFunc(all, func(c candidate) bool {
		twice := seen[c.ContentID]
		seen[c.ContentID] = true
		return twice
	}), nil
}

func (x *Index) contents(ctx context.Context, scope Scope) (ids []int64, err error) {
	candidates, err := x.visible(ctx, scope)
	for _, c := range candidates {
		ids = append(ids, c.ContentID)
	}
	return ids, err
}

// chooseDocuments chooses the documents to search in full: those whose name, first pages or best
// passages fit the query.
func (x *Index) chooseDocuments(ctx context.Context, q *rank.Query, query string, all []candidate) ([]candidate, error) {
	if len(all) <= 1 {
		return all, nil
	}
	best, err := x.passageFits(ctx, q, all)
	if err != nil {
		return nil, err
	}
	asked := periodOf(query)
	asked.dates = datesOf(query)
	if err := x.readPeriods(ctx, asked, all); err != nil {
		return nil, err
	}
	firsts := q.NewTable(len(all), 0)
	for _, c := range all {
		firsts.Add(c.FirstTerms)
	}
	first := firsts.Cover(firsts.Stats())
	own, named, names := newNameIndex(all).named(query)
	w := x.weights()
	order := make([]int, len(all))
	for i := range all {
		order[i] = i
		c := &all[i]
		c.fit = (w.Named*(named[i]+yearFit(asked, c.period)+first[i]) + w.Kind*kindFit(asked, c.period) + w.Best*best[i]) / (3*w.Named + w.Kind + w.Best)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].fit, all[a].fit) })
	chosen := order[:1:1]
	covered := own[order[0]]
	for _, i := range order[1:] {
		if own[i]&^covered != 0 && own[i]&covered == 0 && covered != names && all[i].fit >= leastBeside*all[order[0]].fit && len(chosen) < routeDocuments {
			all[order[0]].beside, all[i].beside = true, true
			chosen = append(chosen, i)
			covered |= own[i]
		}
	}
	for _, i := range order {
		if len(chosen) < routeDocuments && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	found := make([]candidate, len(chosen))
	for n, i := range chosen {
		found[n] = all[i]
	}
	return found, nil
}

// readPeriods sets what the documents are reports of, by their names, else by their first pages. It reads these once
// for each content, and only for questions that want it.
func (x *Index) readPeriods(ctx context.Context, asked period, all []candidate) error {
	var unread []int64
	x.mu.Lock()
	for i := range all {
		c := &all[i]
		stem, _ := splitExtension(c.Name)
		c.period = periodOf(stem)
		if len(asked.dates) > 0 {
			c.period.dates = datesOf(stem)
		}
		if _, ok := x.periods[c.ContentID]; !ok && !asked.empty() && !c.period.whole() {
			unread = append(unread, c.ContentID)
		}
	}
	x.mu.Unlock()
	read := map[int64]period{}
	if len(unread) > 0 {
		var id int64
		var text string
		err := x.each(ctx, []any{&id, &text}, func() { read[id] = firstPagePeriod(text) },
			`SELECT content_id, substr(text, 1, ?) FROM pages WHERE number = 1 AND content_id IN (?)`, partChars, bun.List(unread))
		if err != nil {
			return err
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.periods == nil {
		x.periods = map[int64]period{}
	}
	for id, p := range read {
		x.periods[id] = p
	}
	for i := range all {
		all[i].period.fill(x.periods[all[i].ContentID])
	}
	return nil
}

// passageFits returns for each document the share of the query's terms in its best passage, 0 to 1: the rarer a term,
// the more it counts.
func (x *Index) passageFits(ctx context.Context, q *rank.Query, all []candidate) ([]float64, error) {
	best := make([]float64, len(all))
	at := make(map[int64]int, len(all))
	var scope []string
	for i, c := range all {
		at[c.ContentID] = i
		if len(all) <= routeScope {
			scope = append(scope, fmt.Sprintf("d%d", c.ContentID))
		}
	}
	postings, total, err := x.Store.Postings(ctx, q, memory.Lookup{Index: "passages", Scope: scope, Limit: routeRows})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(postings, func(p memory.Posting) bool { return p.All && p.DF > 0 }) {
		// Some passages with a frequent term say nothing about the documents of others.
		postings = slices.DeleteFunc(postings, func(p memory.Posting) bool { return !p.All })
	}
	fused := memory.Fuse(postings, total, routePassages)
	ids := make([]int64, len(fused))
	score := make(map[int64]float64, len(fused))
	for i, f := range fused {
		ids[i], score[f.Row] = f.Row, f.Score
	}
	content := make(map[int64]int64, len(fused))
	var id, of int64
	if err := x.each(ctx, []any{&id, &of}, func() { content[id] = of }, `SELECT id, content_id FROM passages WHERE id IN (?)`, bun.List(ids)); err != nil {
		return nil, err
	}
	ideal := 0.0
	for _, p := range postings {
		if p.DF > 0 {
			ideal += memory.IDF(p, total)
		}
	}
	for _, f := range fused {
		if i, ok := at[content[f.Row]]; ok && ideal > 0 {
			best[i] = max(best[i], f.Score/ideal)
		}
	}
	return best, nil
}
