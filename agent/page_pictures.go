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
	for _, p := range pages {
		drawn, err := r.Index.PagePicture(ctx, p.DocumentID, p.Page)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // no PDF, or no such page
			if !errors.Is(err, docs.ErrUnsupported) {
				r.Log.InfoContext(ctx, "no page for the model", "document", p.DocumentID, "page", p.Page, "error", err)
			}
			continue
		}
		views = append(views, view{drawn, p.DocumentID, fmt.Sprintf("page %d of %s %s, as it looks", p.Page, r.library.alias(p.DocumentID), oneLine(p.Document))})
	}
	return views, err
}

// pagesAskedToSee are at most mostPages pages, none if the request asks for nothing that is drawn.
func (r *run) pagesAskedToSee(ctx context.Context) ([]docs.Passage, error) {
	asked := rank.Fold(r.request)
	if len(r.library) == 0 || !figureCue.MatchString(asked) && !AboutPicture(asked) {
		return nil, nil
	}
	if named := r.pagesNamed(asked); len(named) > 0 {
		return named[:min(len(named), mostPages)], nil
	}
	var found []docs.Passage
	label := figureLabel.FindStringSubmatch(asked)
	for _, p := range r.passages {
		if slices.ContainsFunc(found, func(f docs.Passage) bool { return f.DocumentID == p.DocumentID && f.Page == p.Page }) {
			continue
		}
		text, err := r.Index.Page(ctx, p.DocumentID, p.Page)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // it was removed meanwhile
		}
		if len(strings.TrimSpace(text)) < sparsePage || label != nil && labelled(text, label[1]) {
			found = append(found, p)
		}
		if len(found) == mostPages {
			break
		}
	}
	return found, nil
}

// pagesNamed are the pages whose numbers stand in a folded request, of the document that it is about.
func (r *run) pagesNamed(asked string) []docs.Passage {
	d := r.library[len(r.library)-1]
	if len(r.passages) > 0 {
		for _, have := range r.library {
			if have.ID == r.passages[0].DocumentID {
				d = have
			}
		}
	}
	if named := r.library.named(r.request); len(named) == 1 {
		d = named[0]
	}
	var pages []docs.Passage
	for _, m := range pageLabel.FindAllStringSubmatch(asked, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits
		if n > 0 {
			pages = append(pages, docs.Passage{DocumentID: d.ID, Document: d.Name, Page: n})
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
