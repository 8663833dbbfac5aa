package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory/rank"

	"github.com/uptrace/bun"
)

// Weights of a page's measures, each scaled so that its best page has 1, and of a passage
// within its page. Measured on company filings, manuals, papers and slides.
const (
	pageWeight      = 1.0
	passageWeight   = 0.5 // the page's best passage
	headWeight      = 0.5 // the page's first words
	figuresWeight   = 1.2 // the share of numbers, for a question that wants one
	neighbourWeight = 0.2 // the pages before and after
	documentWeight  = 1.0 // how well the document itself fits, where several are searched
	withinWeight    = 0.15
	repeatFactor    = 0.5 // for each better passage of the same page
)

const (
	pageK1, pageB       = 3.0, 0.9
	passageK1, passageB = 0.6, 0.2
	headK1, headB       = 1.2, 0.6
	headTerms           = 20
	figuresCap          = 0.4 // beyond this share of numbers a page is no better a table
)

// Search returns the k passages that fit the query best, of the documents that the scope may
// see, best first: those of different pages before more of the same. None is no error.
func (x *Index) Search(ctx context.Context, scope Scope, query string, k int) ([]Passage, error) {
	found, err := x.search(ctx, scope, query, k)
	if err != nil {
		return nil, fmt.Errorf("docs: search: %w", err)
	}
	return found, nil
}

func (x *Index) search(ctx context.Context, scope Scope, query string, k int) ([]Passage, error) {
	q := rank.NewQuery(query)
	if len(q.Terms()) == 0 || k <= 0 {
		return nil, nil
	}
	candidates, err := x.visible(ctx, scope)
	if err != nil {
		return nil, err
	}
	if candidates, err = x.chooseDocuments(ctx, q, query, candidates); err != nil {
		return nil, err
	}
	sheet := newSheet(q)
	for i := range candidates {
		if err := x.read(ctx, sheet, &candidates[i]); err != nil {
			return nil, err
		}
	}
	return x.quoted(ctx, sheet, sheet.best(wantsNumber(query), k))
}

// sheet is the passages of the documents that are searched, in order, counted for one query.
type sheet struct {
	passages *rank.Table
	heads    *rank.Table // the first words of each page
	ids      []int64
	pageOf   []int // by passage: index into pages
	pages    []sheetPage
}

type sheetPage struct {
	document *candidate
	number   int
}

// passagesHint is about how many passages a search reads, to make room at once.
const passagesHint = 3000

func newSheet(q *rank.Query) *sheet {
	return &sheet{passages: q.NewTable(passagesHint, 0), heads: q.NewTable(passagesHint/4, 0)}
}

// read adds the passages of a document.
func (x *Index) read(ctx context.Context, s *sheet, c *candidate) error {
	rows, err := x.Store.Read().QueryContext(ctx, `SELECT id, page, terms FROM passages WHERE content_id = ? ORDER BY id`, c.ContentID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var page int
		var terms string
		if err := rows.Scan(&id, &page, &terms); err != nil {
			return err
		}
		if n := len(s.pages); n == 0 || s.pages[n-1].document != c || s.pages[n-1].number != page {
			s.pages = append(s.pages, sheetPage{c, page})
			s.heads.Add(firstFields(terms, headTerms))
		}
		s.passages.Add(terms)
		s.ids = append(s.ids, id)
		s.pageOf = append(s.pageOf, len(s.pages)-1)
	}
	return rows.Err()
}

// firstFields returns the first n of the words that single spaces separate in s.
func firstFields(s string, n int) string {
	for i := range len(s) {
		if s[i] == ' ' {
			if n--; n == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// hit is a passage of the result.
type hit struct {
	id    int64
	page  int // index into sheet.pages
	score float64
}

// best returns the k best passages.
func (s *sheet) best(figures bool, k int) []hit {
	if len(s.ids) == 0 {
		return nil
	}
	texts := scaled(s.passages.BM25(s.passages.Stats(), passageK1, passageB))
	pages := s.pageScores(texts, figures)
	hits := make([]hit, 0, len(texts))
	for i, t := range texts {
		if p := s.pageOf[i]; t > 0 {
			hits = append(hits, hit{s.ids[i], p, withinWeight*t + pages[p]})
		}
	}
	byScore := func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) }
	slices.SortFunc(hits, byScore)
	factor := map[int]float64{}
	for i, h := range hits {
		f, repeated := factor[h.page]
		if !repeated {
			f = 1
		}
		hits[i].score *= f
		factor[h.page] = f * repeatFactor
	}
	slices.SortFunc(hits, byScore)
	return hits[:min(k, len(hits))]
}

// pageScores combines what speaks for each page, 0 to about 1.
func (s *sheet) pageScores(texts []float64, figures bool) []float64 {
	whole := s.passages.Group(s.pageOf, len(s.pages))
	page := scaled(whole.BM25(whole.Stats(), pageK1, pageB))
	scores := make([]float64, len(page))
	weights := 0.0
	add := func(weight float64, measure []float64) {
		weights += weight
		for i, m := range scaled(measure) {
			scores[i] += weight * m
		}
	}
	best, beside, fits := make([]float64, len(page)), make([]float64, len(page)), make([]float64, len(page))
	for i, t := range texts {
		best[s.pageOf[i]] = max(best[s.pageOf[i]], t)
	}
	for i, p := range s.pages {
		fits[i] = p.document.fit
		if i > 0 && s.pages[i-1].document == p.document {
			beside[i] += page[i-1]
			beside[i-1] += page[i]
		}
	}
	add(pageWeight, page)
	add(passageWeight, best)
	add(headWeight, s.heads.BM25(s.heads.Stats(), headK1, headB))
	add(neighbourWeight, beside)
	if figures {
		share := whole.Digits()
		for i := range share {
			share[i] = min(share[i], figuresCap)
		}
		add(figuresWeight, share)
	}
	for i := range scores {
		scores[i] = scores[i]/weights + documentWeight*fits[i]
	}
	return scores
}

// scaled divides x by its largest value, in place, unless that is 0.
func scaled(x []float64) []float64 {
	if top := slices.Max(x); top > 0 {
		for i := range x {
			x[i] /= top
		}
	}
	return x
}

// quoted loads the passages of hits.
func (x *Index) quoted(ctx context.Context, s *sheet, hits []hit) ([]Passage, error) {
	found := make([]Passage, len(hits))
	ids := make([]int64, len(hits))
	at := make(map[int64]int, len(hits))
	for i, h := range hits {
		page := s.pages[h.page]
		found[i] = Passage{ID: h.id, DocumentID: page.document.ID, Document: page.document.Name, Page: page.number, Score: h.score}
		ids[i], at[h.id] = h.id, i
	}
	rows, err := x.Store.Read().QueryContext(ctx, `SELECT ps.id, pg.text, ps.start_at, ps.end_at, ps.head
		FROM passages AS ps JOIN pages AS pg ON pg.content_id = ps.content_id AND pg.number = ps.page
		WHERE ps.id IN (?)`, bun.List(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text, head string
		var start, end int
		if err := rows.Scan(&id, &text, &start, &end, &head); err != nil {
			return nil, err
		}
		found[at[id]].Text, found[at[id]].Head = text[start:end], head
	}
	// A passage without text was removed with its document since.
	return slices.DeleteFunc(found, func(p Passage) bool { return p.Text == "" }), rows.Err()
}

var numberWords = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
		many much amount amounts ratio margin percent percentage rate total number value million billion average growth
		net revenue revenues cost costs sum difference price usd eur
		viel viele betrag hohe umsatz anteil prozent kosten summe anzahl quote wert preis
		combien montant taux pourcentage nombre marge cout couts revenus prix
		cuanto cuanta cuantos cuantas importe porcentaje tasa ingresos coste costo margen precio
		quanto quanta quanti quante importo percentuale tasso ricavi margine prezzo
		quantos quantas receita custo valor percentagem taxa preco
		hoeveel bedrag omzet aantal kosten winst prijs
		сколько сумма процент выручка количество доля цена
		多少 いく 금액 얼마`) {
		set[w] = true
	}
	return set
}()

// wantsNumber reports whether a query asks for a figure: its page is then likely a table.
func wantsNumber(query string) bool {
	return strings.ContainsAny(query, "%$€£¥") ||
		slices.ContainsFunc(rank.Words(query), func(w string) bool { return numberWords[w] })
}
