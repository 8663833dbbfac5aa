package docs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

const (
	routeDocuments = 3    // searched in full
	routeRows      = 1000 // read of each term's passages
	routePassages  = 200  // whose documents are looked at
	routeScope     = 64   // more documents than this are not told to the full-text index
)

// Weights of what speaks for a document, each scaled so that its best document has 1.
const (
	nameWeight   = 0.25
	squashWeight = 0.75 // the name written as one word
	firstWeight  = 0.25 // the first pages
	bestWeight   = 1    // the best passage
	sumWeight    = 0.25 // the best five passages together
	yearWeight   = 0.5  // a year of the query in the name
)

// candidate is a document that may be searched.
type candidate struct {
	ID         int64
	ContentID  int64
	Name       string
	NameTerms  string
	FirstTerms string
	fit        float64 // to the query, 0 to 1; 0 where nothing had to be chosen
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

// chooseDocuments chooses the documents to search in full: those whose name, first pages or best
// passages fit the query.
func (x *Index) chooseDocuments(ctx context.Context, q *rank.Query, query string, all []candidate) ([]candidate, error) {
	if len(all) <= 1 {
		return all, nil
	}
	best, sum, err := x.passageFits(ctx, q, all)
	if err != nil {
		return nil, err
	}
	names, firsts := q.NewTable(len(all), 0), q.NewTable(len(all), 0)
	for _, c := range all {
		names.Add(c.NameTerms)
		firsts.Add(c.FirstTerms)
	}
	for _, m := range []struct {
		weight float64
		fits   []float64
	}{
		{nameWeight, names.BM25(names.Stats(), 0.5, 0)},
		{squashWeight, squashed(query, all)},
		{firstWeight, firsts.BM25(firsts.Stats(), 0.9, 0.3)},
		{bestWeight, best},
		{sumWeight, sum},
		{yearWeight, years(query, all)},
	} {
		for i, fit := range scaled(m.fits) {
			all[i].fit += m.weight * fit
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.fit, a.fit) })
	top := all[0].fit
	all = all[:min(routeDocuments, len(all))]
	for i := range all {
		if top > 0 {
			all[i].fit /= top
		}
	}
	return all, nil
}

// passageFits returns for each document the weight of the query's rare terms in its best
// passage, and the sum over its best five.
func (x *Index) passageFits(ctx context.Context, q *rank.Query, all []candidate) (best, sum []float64, err error) {
	best, sum = make([]float64, len(all)), make([]float64, len(all))
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
		return nil, nil, err
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
	rows, err := x.Store.Read().QueryContext(ctx, `SELECT id, content_id FROM passages WHERE id IN (?)`, bun.List(ids))
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	content := make(map[int64]int64, len(fused))
	for rows.Next() {
		var id, of int64
		if err := rows.Scan(&id, &of); err != nil {
			return nil, nil, err
		}
		content[id] = of
	}
	taken := make([]int, len(all))
	for _, f := range fused { // best first
		i, ok := at[content[f.Row]]
		if !ok || taken[i] == 5 {
			continue
		}
		taken[i]++
		best[i] = max(best[i], f.Score)
		sum[i] += f.Score
	}
	return best, sum, rows.Err()
}

// squashed finds names written as one word ("AcmeCorp2020.pdf" for "Acme Corp"): one to
// three words of the query in a row, the longer and rarer the better.
func squashed(query string, all []candidate) []float64 {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = strings.Join(rank.Words(c.Name), "")
	}
	fits := make([]float64, len(all))
	words := rank.Words(query)
	for n := 1; n <= 3; n++ {
		for i := 0; i+n <= len(words); i++ {
			run := strings.Join(words[i:i+n], "")
			if run[0] <= '9' || n == 1 && rank.Stop(run) || len(run) < 4 && !isAcronym(run, query) {
				continue
			}
			in := 0
			for _, name := range names {
				if strings.Contains(name, run) {
					in++
				}
			}
			if in == 0 || in > max(1, len(all)/3) {
				continue
			}
			fit := math.Log(float64(len(all)+1)/float64(in)) * float64(len(run))
			for d, name := range names {
				if strings.Contains(name, run) {
					fits[d] = max(fits[d], fit)
				}
			}
		}
	}
	return fits
}

// isAcronym reports a short word that the query has in capitals.
func isAcronym(word, query string) bool {
	return len(word) == 3 && strings.Contains(query, strings.ToUpper(word))
}

var (
	yearForm   = regexp.MustCompile(`(?:19|20)\d\d`)
	fiscalForm = regexp.MustCompile(`(?i)\bFY\s?'?(\d\d)\b`)
)

// years is 1 for documents with a year of the query in their name.
func years(query string, all []candidate) []float64 {
	asked := yearForm.FindAllString(query, -1)
	for _, m := range fiscalForm.FindAllStringSubmatch(query, -1) {
		asked = append(asked, "20"+m[1])
	}
	fits := make([]float64, len(all))
	for i, c := range all {
		for _, y := range yearForm.FindAllString(c.Name, -1) {
			if slices.Contains(asked, y) {
				fits[i] = 1
			}
		}
	}
	return fits
}
