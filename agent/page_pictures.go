package agent

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	mostPages  = 2   // of documents that a turn shows as pictures
	sparsePage = 500 // bytes of text, below which a page shows more than it says
)

var (
	// figureCue are words for what is drawn on a page; what they match is followed by a number if it has one.
	figureNouns = `figures?|fig\.?|charts?|graphs?|plots?|diagrams?|drawings?|illustrations?|maps?|pie charts?|bar charts?|flow ?charts?|` +
		`abbildung\pL*|abb\.?|diagramm\pL*|grafik\pL*|schaubild\pL*|zeichnung\pL*|` +
		`graphiques?|schemas?|illustrations?|figuras?|graficos?|graficas?|diagramas?|ilustracion\pL*|dibujos?|figur[ae]|grafic[oi]|` +
		`figuur|grafiek\pL*|график\pL*|диаграмм\pL*|рисун\pL*|схем\pL*`
	figureCue   = reading.Cue(figureNouns, `図|グラフ|圖表|图表|图|차트|그래프|도표`)
	figureLabel = regexp.MustCompile(`(?:^|[^\pL\pN])(?:figure|fig\.?|chart|exhibit|graph|diagram|abbildung|abb\.?|grafik|graphique|figura|grafico|figuur|рис\.?|рисунок) ?(\d+(?:[.-]\d+)*)`)
	pageLabel   = regexp.MustCompile(`(?:^|[^\pL\pN])(?:pages?|p\.|pg\.?|seiten?|s\.|pagina|pag\.?|стр\.?|страниц\pL*) ?(\d{1,4})(?:[^\d]|$)|第? ?(\d{1,4}) ?(?:ページ|頁|页|쪽|페이지)`)
)

// pagePictures are the pages of a PDF that the request asks to look at: that it names, on which the figure stands
// that it names, or that have hardly any text and were found.
func (r *run) pagePictures(ctx context.Context) ([]view, error) {
	var views []view
	pages, err := r.pagesAskedToSee(ctx)
	for _, at := range pages {
		drawn, err := r.Index.PagePicture(ctx, at.document, at.page)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // no PDF, or no such page
			if !errors.Is(err, docs.ErrUnsupported) {
				r.Log.InfoContext(ctx, "no page for the model", "document", at.document, "page", at.page, "error", err)
			}
			continue
		}
		views = append(views, view{drawn, at.document, fmt.Sprintf("page %d of %s, as it looks", at.page, r.library.alias(at.document))})
	}
	return views, err
}

// pagesAskedToSee are at most mostPages pages, none if the request asks for nothing that is drawn.
func (r *run) pagesAskedToSee(ctx context.Context) ([]spot, error) {
	asked := rank.Fold(r.request)
	if len(r.library) == 0 || !figureCue.MatchString(asked) && !AboutPicture(asked) {
		return nil, nil
	}
	if named := r.pagesNamed(asked); len(named) > 0 {
		return named[:min(len(named), mostPages)], nil
	}
	all, err := r.pagesInEvidence(ctx)
	if err != nil {
		return nil, err
	}
	var labels, sparse []spot
	label := figureLabel.FindStringSubmatch(asked)
	for _, at := range all {
		text, err := r.page(ctx, at.document, at.page)
		if err != nil {
			return nil, err
		}
		switch {
		case label != nil && labelled(text, label[1]):
			labels = append(labels, at)
		case len(strings.TrimSpace(text)) < sparsePage:
			sparse = append(sparse, at)
		}
	}
	found := slices.Concat(labels, sparse)
	return found[:min(len(found), mostPages)], nil
}

// spot is a page of a document.
type spot struct {
	document int64
	page     int
}

// pagesInEvidence are the pages that the prompt shows something of; of documents that it shows whole all, those
// without any text, too.
func (r *run) pagesInEvidence(ctx context.Context) ([]spot, error) {
	var all []spot
	if !r.complete {
		for _, s := range r.evidence {
			if at := (spot{s.document, s.page}); !slices.Contains(all, at) {
				all = append(all, at)
			}
		}
		return all, nil
	}
	for _, d := range r.library {
		pages, err := r.Index.Pages(ctx, d.ID)
		if err != nil {
			return nil, fmt.Errorf("count pages: %w", err)
		}
		for n := range pages {
			all = append(all, spot{d.ID, n + 1})
		}
	}
	return all, nil
}

// pagesNamed are the pages whose numbers stand in a folded request, of the document that it names, else of the one
// with most evidence, else of the newest.
func (r *run) pagesNamed(asked string) []spot {
	d := r.library[len(r.library)-1].ID
	shows := map[int64]int{}
	for _, s := range r.evidence {
		if shows[s.document]++; shows[s.document] > shows[d] {
			d = s.document
		}
	}
	if named := r.library.named(r.request); len(named) == 1 {
		d = named[0].ID
	}
	var pages []spot
	for _, m := range pageLabel.FindAllStringSubmatch(asked, -1) {
		if n, _ := strconv.Atoi(m[1] + m[2]); n > 0 { // digits
			pages = append(pages, spot{d, n})
		}
	}
	return pages
}

// labelled reports whether a text has a figure of this number.
func labelled(text, number string) bool {
	for _, m := range figureLabel.FindAllStringSubmatch(rank.Fold(text), -1) {
		if m[1] == number {
			return true
		}
	}
	return false
}
