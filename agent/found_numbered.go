package agent

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// numbered is a page or section that a request names by its number.
type numbered struct {
	text   string // as the request writes it
	page   int    // 0 for a section
	number string // of a section: "4", "4.2", "7a"
}

var numberedForm = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])((page|p\.|seite|s\.|página|pagina|pág\.|pg\.?|section|sec\.|§+|article|art\.|clause|chapter|item|abschnitt|kapitel|artikel|ziffer|chapitre|sección|seccion|capítulo|capitulo|artículo|articulo|cláusula|стр\.?|страница|раздел)\s?(\d+(?:\.\d+)*[a-z]?))(?:$|[^\pL\pN])|(第?(\d+)\s?(ページ|頁|页|条|章|节|節|項))`)

var pageWords = reading.WordSet(`p s pg page seite pagina pag стр страница ページ 頁 页`)

// numberedIn are the pages and sections that a text names.
func numberedIn(text string) []numbered {
	var all []numbered
	for _, m := range numberedForm.FindAllStringSubmatch(text, 3) {
		n := numbered{text: m[1] + m[4], number: strings.ToLower(m[3] + m[5])}
		if pageWords[strings.Trim(rank.Fold(m[2]), ".")] || pageWords[m[6]] {
			n.page, _ = strconv.Atoi(n.number)
		}
		all = append(all, n)
	}
	return all
}

// opens reports whether a title is that of a numbered section.
func (n numbered) opens(title string) bool {
	if t := numberedIn(title); len(t) > 0 && t[0].page == 0 && strings.HasPrefix(title, t[0].text) {
		return t[0].number == n.number
	}
	first, _, _ := strings.Cut(title, " ")
	return strings.ToLower(strings.TrimRight(first, ".):")) == n.number
}

const (
	manyPages      = 300 // pages of a document looked at for a section or an outline
	numberedLength = 700 // runes shown of a page or section
)

// showNumbered shows a page or section of the documents: what it says first.
func (r *run) showNumbered(ctx context.Context, of library, n numbered) ([]foundPiece, error) {
	var all []foundPiece
	for _, d := range of[:min(len(of), 4)] {
		from, to := n.page, n.page
		if n.page == 0 {
			from, to = 1, manyPages
		}
		pages, err := r.pagesOf(ctx, d, from, to)
		if err != nil {
			return nil, err
		}
		p := foundPiece{document: d, sure: true, cover: 1}
		for _, page := range pages {
			begin := 0
			if n.page == 0 {
				begin = 1 + slices.IndexFunc(page.statements, func(s reading.Statement) bool { return isTitle(s) && n.opens(s.Text) })
			}
			if begin > 0 || n.page > 0 {
				if p.page = page.number; begin > 0 {
					p.title = page.statements[begin-1].Text
				}
				p.begin(page.statements[begin:], n.page == 0)
			}
		}
		if p.quote != "" {
			all = append(all, p)
		}
	}
	return all, nil
}

// begin shows the first statements, of a section up to the next numbered title.
func (p *foundPiece) begin(statements []reading.Statement, section bool) {
	p.quote, p.shown = "", nil
	left := numberedLength
	for _, s := range statements {
		left -= utf8.RuneCountInString(s.Quote())
		if section && isTitle(s) && (len(numberedIn(s.Text)) > 0 || strings.ContainsAny(s.Text[:1], "0123456789")) || left < 0 && p.quote != "" {
			return
		}
		switch {
		case !showable(s.Quote()) || reading.HasLeader(s.Text):
		case isTitle(s):
			p.shown = append(p.shown, bold(s.Text))
		default:
			p.shown = append(p.shown, shownText(s.Quote()))
			if p.quote == "" {
				p.quote = s.Quote()
			}
		}
	}
}
