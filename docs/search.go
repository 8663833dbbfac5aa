package docs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"

	"github.com/uptrace/bun"
)

// Weights weigh the signs that a passage answers a question, each 0 to 1: of its own text, of its page and of its document.
type Weights struct {
	Passage   float64 // the passage's text
	Page      float64 // the page's text
	Near      float64 // terms that are adjacent in the question and on the page
	Head      float64 // the page's first words
	Neighbour float64 // the pages before and after
	Cover     float64 // the terms the page has at all
	Place     float64 // each: figures, a statement's rows, its title, a part that the question names

	// Where several documents may be searched:
	Document float64 // how well the document itself fits, by the three below
	Named    float64 // each: the names in the question, its year, the first pages
	Kind     float64 // kind of report, quarter and date
	Best     float64 // the best passage
}

// Fitted are the weights of an Index that names none. They were fitted on company filings, manuals, papers and slides
// together, each set with the same weight.
var Fitted = Weights{Passage: 7, Page: 8, Near: 6.5, Head: 5, Neighbour: 6, Cover: 3, Place: 2, Document: 16, Named: 4, Kind: 2, Best: 8}

// all is the score of a passage that has every sign.
func (w Weights) all() float64 {
	return w.Passage + w.Page + w.Near + w.Head + w.Neighbour + w.Cover + 4*w.Place + w.Document
}

const (
	pageK1, pageB       = 1.5, 0.75
	passageK1, passageB = 0.6, 0.2
	headK1, headB       = 1.2, 0.6
	nearK1, nearB       = 0.9, 0.3
	nearReach           = 3   // terms
	headTerms           = 20  // of a page
	figuresCap          = 0.4 // beyond this share of numbers a page is no better a table
	figuresLeast        = 0.1 // below it a page contains no statement
	repeatFactor        = 0.5 // for each better passage of the same page
)

// Search returns the k passages that best fit the query, from the documents that the scope may
// see, best first: passages of different pages before more from the same page. None is no error.
func (x *Index) Search(ctx context.Context, scope Scope, query string, k int) ([]Passage, error) {
	found, err := x.search(ctx, scope, query, k)
	if err != nil {
		return nil, fmt.Errorf("docs: search: %w", err)
	}
	return found, nil
}

func (x *Index) weights() Weights {
	if x.Weights != nil {
		return *x.Weights
	}
	return Fitted
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
	sheet := newSheet(q, query)
	sheet.weights = x.weights()
	for i := range candidates {
		if err := x.read(ctx, sheet, &candidates[i]); err != nil {
			return nil, err
		}
	}
	return x.quoted(ctx, sheet, sheet.best(k))
}

// sheet is the passages of the documents that are searched, in order, counted for one query.
type sheet struct {
	passages *rank.Table
	heads    *rank.Table // the first words of each page
	ids      []int64
	terms    []string // of the passages
	pageOf   []int    // by passage: index into pages
	pages    []sheetPage

	weights Weights
	figures bool // the question wants a number
	account reading.Account
	place   askedPlace
}

type sheetPage struct {
	document *candidate
	number   int
	head     string
	known    bool // has what the question names, though it may share no word with it
}

// passagesHint is about how many passages a search reads, to make room at once.
const passagesHint = 3000

func newSheet(q *rank.Query, query string) *sheet {
	return &sheet{passages: q.NewTable(passagesHint, nearReach), heads: q.NewTable(passagesHint/4, 0),
		figures: wantsNumber(query), account: reading.Accounts(query), place: askedPlaceOf(query)}
}

func (x *Index) read(ctx context.Context, s *sheet, c *candidate) error {
	var id int64
	var page int
	var terms string
	return x.each(ctx, []any{&id, &page, &terms}, func() {
		if n := len(s.pages); n == 0 || s.pages[n-1].document != c || s.pages[n-1].number != page {
			head := firstFields(terms, headTerms)
			s.pages = append(s.pages, sheetPage{document: c, number: page, head: head})
			s.heads.Add(head)
		}
		s.passages.Add(terms)
		s.ids, s.terms = append(s.ids, id), append(s.terms, terms)
		s.pageOf = append(s.pageOf, len(s.pages)-1)
	}, `SELECT id, page, terms FROM passages WHERE content_id = ? ORDER BY id`, c.ContentID)
}

// each runs a query and calls visit with each row in the variables that row points to.
func (x *Index) each(ctx context.Context, row []any, visit func(), query string, args ...any) error {
	rows, err := x.Store.Read().QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(row...); err != nil {
			return err
		}
		visit()
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

type hit struct {
	id    int64
	page  int // index into sheet.pages
	score float64
}

func (s *sheet) best(k int) []hit {
	if len(s.ids) == 0 {
		return nil
	}
	texts := s.passages.BM25Share(s.passages.Stats(), passageK1, passageB)
	pages := s.pageScores()
	hits := make([]hit, 0, len(texts))
	for i, t := range texts {
		if p := s.pageOf[i]; t > 0 || s.pages[p].known {
			hits = append(hits, hit{s.ids[i], p, (s.weights.Passage*t + pages[p]) / s.weights.all()})
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
	hits = s.inTurn(hits)
	return hits[:min(k, len(hits))]
}

// inTurn gives the documents that a question names side by side equal shares: the best passage of each, then the
// next of each. Their scores stay.
func (s *sheet) inTurn(hits []hit) []hit {
	turns := map[*candidate]int{}
	turn := make(map[int64]int, len(hits))
	for _, h := range hits {
		if d := s.pages[h.page].document; d.beside {
			turn[h.id] = turns[d]
			turns[d]++
		}
	}
	if len(turns) < 2 {
		return hits
	}
	most := slices.Max(slices.Collect(maps.Values(turns)))
	slices.SortStableFunc(hits, func(a, b hit) int {
		at := func(h hit) int {
			if n, ok := turn[h.id]; ok {
				return n
			}
			return most
		}
		return cmp.Compare(at(a), at(b))
	})
	return hits
}

// pageScores combines what speaks for each page, weighted, and marks the pages that are known to hold what is
// asked.
func (s *sheet) pageScores() []float64 {
	whole := s.passages.Group(s.pageOf, len(s.pages))
	stats := whole.Stats()
	page := whole.BM25Share(stats, pageK1, pageB)
	near := whole.NearShare(nearK1, nearB)
	cover := whole.Cover(stats)
	head := s.heads.BM25Share(s.heads.Stats(), headK1, headB)
	figures := whole.Digits()
	for i := range figures {
		figures[i] = min(figures[i], figuresCap) / figuresCap
	}
	rows := s.rows(figures)
	w := s.weights
	scores := make([]float64, len(page))
	for i := range s.pages {
		p := &s.pages[i]
		scores[i] += w.Page*page[i] + w.Near*near[i] + w.Head*head[i] + w.Cover*cover[i] + w.Document*p.document.fit
		if i > 0 && s.pages[i-1].document == p.document {
			scores[i] += w.Neighbour / 2 * page[i-1]
			scores[i-1] += w.Neighbour / 2 * page[i]
		}
		place := s.placed(i)
		p.known = rows[i] > 0 || place > 0
		if s.figures {
			place += figures[i]
		}
		if slices.ContainsFunc(s.account.Titles, func(title string) bool { return hasPhrase(p.head, title) }) {
			place += figures[i]
		}
		scores[i] += w.Place * (place + rows[i])
	}
	return scores
}

// rows is for each page the share of the statement rows asked for that it has, the fewer pages have a row the more it
// counts, times its figures.
func (s *sheet) rows(figures []float64) []float64 {
	share := make([]float64, len(s.pages))
	total := 0.0
	for _, ways := range s.account.Rows {
		has := map[int]bool{}
		for i, terms := range s.terms {
			p := s.pageOf[i]
			if figures[p] >= figuresLeast/figuresCap && !has[p] &&
				slices.ContainsFunc(ways, func(way string) bool { return hasPhrase(terms, way) }) {
				has[p] = true
			}
		}
		if len(has) == 0 {
			continue
		}
		idf := math.Log(1 + (float64(len(s.pages)-len(has))+0.5)/(float64(len(has))+0.5))
		total += idf
		for p := range has {
			share[p] += idf
		}
	}
	for p := range share {
		if total > 0 {
			share[p] *= figures[p] / total
		}
	}
	return share
}

// placed is 1 for a page that the question names or whose heading it names, half for one that names that itself.
func (s *sheet) placed(i int) float64 {
	p := s.pages[i]
	last := i+1 == len(s.pages) || s.pages[i+1].document != p.document
	for _, n := range s.place.pages {
		if n == p.number || n < 0 && last {
			return 1
		}
	}
	best := 0.0
	for _, heading := range s.place.headings {
		if hasPhrase(p.head, heading) {
			return 1
		}
		first, _ := slices.BinarySearch(s.pageOf, i)
		for j := first; j < len(s.pageOf) && s.pageOf[j] == i; j++ {
			if hasPhrase(s.terms[j], heading) {
				best = 0.5
			}
		}
	}
	return best
}

// hasPhrase reports whether terms, joined by spaces, has those of phrase in a row.
func hasPhrase(terms, phrase string) bool {
	for at := 0; phrase != ""; {
		i := strings.Index(terms[at:], phrase)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(phrase)
		if (start == 0 || terms[start-1] == ' ') && (end == len(terms) || terms[end] == ' ') {
			return true
		}
		at = start + 1
	}
	return false
}

func (x *Index) quoted(ctx context.Context, s *sheet, hits []hit) ([]Passage, error) {
	found := make([]Passage, len(hits))
	ids := make([]int64, len(hits))
	at := make(map[int64]int, len(hits))
	for i, h := range hits {
		page := s.pages[h.page]
		found[i] = Passage{ID: h.id, DocumentID: page.document.ID, Document: page.document.Name, Page: page.number, Score: h.score}
		ids[i], at[h.id] = h.id, i
	}
	var id int64
	var text, head string
	var start, end int
	err := x.each(ctx, []any{&id, &text, &start, &end, &head}, func() {
		found[at[id]].Text, found[at[id]].Head = text[start:end], head
	}, `SELECT ps.id, pg.text, ps.start_at, ps.end_at, ps.head
		FROM passages AS ps JOIN pages AS pg ON pg.content_id = ps.content_id AND pg.number = ps.page
		WHERE ps.id IN (?)`, bun.List(ids))
	// A passage without text was removed with its document since.
	return slices.DeleteFunc(found, func(p Passage) bool { return p.Text == "" }), err
}

var numberWords = reading.WordSet(`
	many much amount amounts ratio margin percent percentage rate total number value million billion average growth
	net revenue revenues cost costs sum difference price usd eur
	viel viele betrag hohe umsatz anteil prozent kosten summe anzahl quote wert preis
	combien montant taux pourcentage nombre marge cout couts revenus prix
	cuanto cuanta cuantos cuantas importe porcentaje tasa ingresos coste costo margen precio
	quanto quanta quanti quante importo percentuale tasso ricavi margine prezzo
	quantos quantas receita custo valor percentagem taxa preco
	hoeveel bedrag omzet aantal kosten winst prijs
	сколько сумма процент выручка количество доля цена
	多少 いく 금액 얼마`)

// wantsNumber reports whether a query asks for a figure: its page is then likely a table.
func wantsNumber(query string) bool {
	return strings.ContainsAny(query, "%$€£¥") ||
		slices.ContainsFunc(rank.Words(query), func(w string) bool { return numberWords[w] })
}
