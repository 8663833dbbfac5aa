package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	mostPages  = 2   // of documents that a turn shows as pictures
	sparsePage = 500 // bytes of text, below which a page shows more than it says
)

// Signs that a page is worth looking at, besides the share of the request's terms that it contains.
const (
	labelWorth   = 2   // the figure that the request names by its number
	sparseWorth  = 0.5 // hardly any text
	captionWorth = 0.2 // a figure of any number
)

const (
	pageNumber = `\d{1,4}|two|three|four|five|six|zwei|drei|vier|funf|sechs|deux|trois|quatre|cinq|dos|tres|cuatro|cinco`
	frontPage  = `on the cover|cover page|front page|first page|title page|titelseite|titelblatt|erste seite|ersten seite|premiere page|page de garde|couverture|portada|primera pagina|copertina|prima pagina`
	lastPage   = `last page|letzte seite|letzten seite|derniere page|ultima pagina`
)

var (
	// figureCue matches words for drawings on a page, followed by their number if they have one.
	figureNouns = `figures?|fig\.?|charts?|graphs?|plots?|diagrams?|drawings?|illustrations?|maps?|pie charts?|bar charts?|flow ?charts?|` +
		`abbildung\pL*|abb\.?|diagramm\pL*|grafik\pL*|schaubild\pL*|zeichnung\pL*|` +
		`graphiques?|schemas?|illustrations?|figuras?|graficos?|graficas?|diagramas?|ilustracion\pL*|dibujos?|figur[ae]|grafic[oi]|` +
		`figuur|grafiek\pL*|график\pL*|диаграмм\pL*|рисун\pL*|схем\pL*`
	figureCue = reading.Cue(figureNouns+`|colou?rs?|icons?|legends?|axis|axes|arrows?|curves?|highlighted|signatures?|handwritten|box|appears? on|`+
		`farben?|farbig\pL*|legende|achsen?|pfeile?|kurven?|unterschrift(?:en)?|handschriftlich\pL*|couleurs?|fleches?|courbes?|colore?s?|flechas?|curvas?|leyenda|firmas?|kleur\pL*|цвет\pL*|подпис\pL*`,
		`図|グラフ|圖表|图表|图|차트|그래프|도표|颜色|顏色|色は|署名|签名`)
	figureLabel = reading.Lazy(`(?:^|[^\pL\pN])(?:figure|fig\.?|chart|exhibit|graph|diagram|abbildung|abb\.?|grafik|graphique|figura|grafico|figuur|рис\.?|рисунок) ?(\d+(?:[.-]\d+)*)`)
	pageLabel   = reading.Lazy(`(?:^|[^\pL\pN])(?:pages?|p\.|pg\.?|seiten?|s\.|pagina|pag\.?|paginas|стр\.?|страниц\pL*) ?((?:` + pageNumber + `)(?: ?(?:,|-|–|and|to|und|bis|et|a|y|e|и) ?(?:page |seite |pagina )?(?:` + pageNumber + `))*)(?:$|[^\pL\pN])|第? ?(\d{1,4}) ?(?:ページ|頁|页|쪽|페이지)`)
)

// pagePictures are the pages of a PDF that the request asks to look at: that it names, on which the figure stands
// that it names, else those in the evidence that fit it best; and poor scans that it is about.
func (r *run) pagePictures(ctx context.Context) ([]view, error) {
	pages, err := r.pagesAskedToSee(ctx)
	if err != nil {
		return nil, err
	}
	poor, err := r.poorScans(ctx)
	if err != nil {
		return nil, err
	}
	var views []view
	for _, at := range slices.Concat(pages, poor) {
		if len(views) == mostPages {
			break
		}
		drawn, err := r.Index.PagePicture(ctx, at.document, at.page)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // no PDF, or no such page
			if !errors.Is(err, docs.ErrUnsupported) {
				r.Log.InfoContext(ctx, "could not prepare a page for the model", "document", at.document, "page", at.page, "error", err)
			}
			continue
		}
		v := view{Picture: drawn, document: at.document, line: fmt.Sprintf("page %d of %s, as it looks", at.page, r.library.alias(at.document))}
		if slices.Contains(poor, at) {
			v.poor = at
			v.line += "; a poor scan"
		}
		views = append(views, v)
	}
	return views, nil
}

// poorScans are the pages that the request is about, or that tools brought, which were badly read from their pictures; those first that
// fit it best.
func (r *run) poorScans(ctx context.Context) ([]spot, error) {
	var all []spot
	for _, d := range r.library {
		pages, err := r.Index.PoorScans(ctx, d.ID)
		if err != nil {
			return nil, err
		}
		for _, n := range pages {
			all = append(all, spot{d.ID, n})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	documents, pages, err := r.askedAbout(ctx)
	if err != nil {
		return nil, err
	}
	fits, err := r.fitsOf(ctx, slices.DeleteFunc(all, func(at spot) bool {
		shows := func(s shown) bool { return s.document == at.document && s.page == at.page }
		asked := slices.Contains(pages, at) || slices.ContainsFunc(documents, func(d *memory.Document) bool { return d.ID == at.document })
		return !slices.ContainsFunc(r.tooled, shows) && !(asked && slices.ContainsFunc(r.evidence, shows))
	}))
	return bestFirst(fits), err
}

// askedAbout are the documents that the request names, that came with it, or all if it asks without saying of what; and the pages that
// it names, or that the search for its words found.
func (r *run) askedAbout(ctx context.Context) (documents library, pages []spot, err error) {
	query := r.searchText()
	documents = slices.Concat(r.library.named(r.request), r.library.of(r.turn.New))
	if len(reading.ContentTerms(reading.QuestionOf(query))) == 0 && asksUs(r.request) {
		documents = r.library
	}
	if pages, err = r.pagesNamed(ctx, rank.Fold(r.request)); err != nil {
		return nil, nil, err
	}
	if !r.complete {
		for _, s := range r.evidence {
			if s.passage >= 0 { // no opening of a page from anywhere
				pages = append(pages, spot{s.document, s.page})
			}
		}
		return documents, pages, nil
	}
	found, err := r.searchIn(ctx, query, r.library, bestPassages)
	for _, p := range found {
		pages = append(pages, spot{p.DocumentID, p.Page})
	}
	return documents, pages, err
}

// tellPoor says that the model sees the picture of a page, since its text is not to be trusted.
func (r *run) tellPoor(v view) {
	if slices.Contains(r.poor, v.poor) {
		return
	}
	r.poor = append(r.poor, v.poor)
	if !r.turn.Overheard {
		r.emit(Progress{Status: fmt.Sprintf(r.say.lookingAt, v.poor.page, neutral(oneLine(r.library.name(v.document))))})
	}
}

// pagesAskedToSee are at most mostPages pages, none if the request asks for nothing that is drawn.
func (r *run) pagesAskedToSee(ctx context.Context) ([]spot, error) {
	asked := rank.Fold(r.request)
	if len(r.library) == 0 || !figureCue.MatchString(asked) && !AboutPicture(asked) && !reading.HasPhrase(asked, frontPage) {
		return nil, nil
	}
	if named, err := r.pagesNamed(ctx, asked); err != nil || len(named) > 0 {
		return named[:min(len(named), mostPages)], err
	}
	all, err := r.pagesInEvidence(ctx)
	if err != nil {
		return nil, err
	}
	label := figureLabel.FindStringSubmatch(asked)
	if label != nil && !r.complete {
		found, err := r.searchIn(ctx, label[0], r.library, searchDepth)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			all = append(all, spot{p.DocumentID, p.Page})
		}
	}
	fits, err := r.fitsOf(ctx, all)
	if err != nil {
		return nil, err
	}
	for at := range fits {
		text, err := r.page(ctx, at.document, at.page)
		if err != nil {
			return nil, err
		}
		switch {
		case label != nil && labelled(text, label[1]):
			fits[at] += labelWorth
		case len(strings.TrimSpace(text)) < sparsePage:
			fits[at] += sparseWorth
		case figureLabel.MatchString(rank.Fold(text)):
			fits[at] += captionWorth
		}
	}
	found := bestFirst(fits)
	if len(found) > 0 && fits[found[0]] >= labelWorth {
		found = slices.DeleteFunc(found, func(at spot) bool { return fits[at] < labelWorth })
	}
	return found[:min(len(found), mostPages)], nil
}

func (r *run) fitsOf(ctx context.Context, all []spot) (map[spot]float64, error) {
	terms := r.library.withoutNames(reading.ContentTerms(reading.QuestionOf(r.request)))
	fits := map[spot]float64{}
	for _, at := range all {
		text, err := r.page(ctx, at.document, at.page)
		if err != nil {
			return nil, err
		}
		fits[at] = reading.Coverage(terms, text)
	}
	return fits, nil
}

func bestFirst(fits map[spot]float64) []spot {
	return slices.SortedFunc(maps.Keys(fits), func(a, b spot) int {
		return cmp.Or(cmp.Compare(fits[b], fits[a]), cmp.Compare(a.document, b.document), cmp.Compare(a.page, b.page))
	})
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
func (r *run) pagesNamed(ctx context.Context, asked string) ([]spot, error) {
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
	var numbers []int
	for _, m := range pageLabel.FindAllStringSubmatch(asked, -1) {
		for n := range strings.FieldsFuncSeq(m[1]+m[2], func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
			numbers = append(numbers, reading.SmallNumber(n))
		}
	}
	if reading.HasPhrase(asked, frontPage) || reading.HasPacked(asked, `表紙|封面|표지`) {
		numbers = append(numbers, 1)
	}
	if reading.HasPhrase(asked, lastPage) || reading.HasPacked(asked, `最後のページ|最后一页|마지막 페이지`) {
		last, err := r.Index.Pages(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("count pages: %w", err)
		}
		numbers = append(numbers, last)
	}
	var pages []spot
	for _, n := range numbers {
		if at := (spot{d, n}); n > 0 && !slices.Contains(pages, at) {
			pages = append(pages, at)
		}
	}
	return pages, nil
}

func labelled(text, number string) bool {
	for _, m := range figureLabel.FindAllStringSubmatch(rank.Fold(text), -1) {
		if m[1] == number {
			return true
		}
	}
	return false
}
