package agent

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory"
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

// numberedIn are the pages and sections that a text names.
func numberedIn(text string) []numbered {
	var all []numbered
	for _, m := range numberedForm.FindAllStringSubmatch(text, 3) {
		n := numbered{text: m[1] + m[4], number: strings.ToLower(m[3] + m[5])}
		if strings.HasPrefix("ページ頁页", m[6]) && m[6] != "" || slices.Contains([]string{"p", "s", "pg", "page", "seite", "pagina", "pag", "стр", "страница"}, strings.Trim(rank.Fold(m[2]), ".")) {
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
	numberedPages  = 300 // pages looked at for a section
	numberedLength = 700 // runes shown of a page or section
)

// showNumbered shows a page or section of the documents: what it says first.
func (r *run) showNumbered(ctx context.Context, of library, n numbered) ([]piece, error) {
	var all []piece
	for _, d := range of[:min(len(of), 4)] {
		from, to := n.page, n.page
		if n.page == 0 {
			from, to = 1, numberedPages
		}
		pages, err := r.pagesOf(ctx, d, from, to)
		if err != nil {
			return nil, err
		}
		p := piece{document: d, cover: 1, own: 1, value: true}
		for _, page := range pages {
			if n.page > 0 {
				p.page, p.lines = page.number, linesOf(page.statements, numberedLength)
				break
			}
			if from := slices.IndexFunc(page.statements, func(s reading.Statement) bool { return isTitle(s) && n.opens(s.Text) }); from >= 0 {
				if lines := linesOf(sectionFrom(page.statements[from+1:]), numberedLength); len(lines) > 0 {
					p.page, p.title, p.lines = page.number, page.statements[from].Text, lines
				}
			}
		}
		if len(p.lines) > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}

// sectionFrom are the statements up to the next numbered title.
func sectionFrom(statements []reading.Statement) []reading.Statement {
	end := slices.IndexFunc(statements, func(s reading.Statement) bool {
		return isTitle(s) && (len(numberedIn(s.Text)) > 0 || strings.ContainsAny(s.Text[:1], "0123456789"))
	})
	if end < 0 {
		return statements
	}
	return statements[:end]
}

// linesOf are the first statements that may be quoted, in about limit runes.
func linesOf(statements []reading.Statement, limit int) []line {
	var lines []line
	for _, s := range statements {
		if !showable(s.Quote()) || reading.HasLeader(s.Text) {
			continue
		}
		if limit -= utf8.RuneCountInString(s.Quote()); limit < 0 && len(lines) > 0 {
			break
		}
		lines = append(lines, line{text: s.Text, quote: s.Quote(), items: s.Items, bold: isTitle(s)})
	}
	return lines
}

// isTitle reports whether a statement is a title rather than a sentence or a row.
func isTitle(s reading.Statement) bool { return !s.Row && reading.TitleLike(s.Text) }

// readPage is a page of a document as statements.
type readPage struct {
	number     int
	text       string
	statements []reading.Statement
}

// pagesOf reads pages from to to, those that the document has.
func (r *run) pagesOf(ctx context.Context, d *memory.Document, from, to int) ([]readPage, error) {
	total, err := r.Index.Pages(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	var pages []readPage
	for n := from; n <= min(to, total); n++ {
		text, err := r.Index.Page(ctx, d.ID, n)
		if notThere(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pages = append(pages, readPage{n, text, reading.Statements(text)})
	}
	return pages, nil
}
