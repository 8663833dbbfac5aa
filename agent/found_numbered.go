package agent

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

// numbered is a page or section that a request names by its number.
type numbered struct {
	text   string // as the request writes it
	page   int    // 0 for a section
	number string // of a section: "4", "4.2", "7a"
}

// numberedPlace matches a page or section with its number: its text, the word for a page, the number, and the same of Japanese
// and Chinese.
var numberedPlace = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])((?:(p|pg|pages?|s\.|seiten?|p[aá]g(?:ina)?|стр|страница)|` +
	`section|sec|§§?|article|art|clause|chapter|item|abschnitt|kapitel|artikel|ziffer|chapitre|secci[oó]n|cap[ií]tulo|art[ií]culo|cl[aá]usula|раздел)[ .]*(\d+(?:\.\d+)*[a-z]?))\b|` +
	`(第?(?:\d+) ?(?:(ページ|頁|页)|[条章节節項]))`)

// numberedIn are the pages and sections that a text names.
func numberedIn(text string) []numbered {
	var all []numbered
	for _, m := range numberedPlace.FindAllStringSubmatch(text, -1) {
		n := numbered{text: m[1] + m[4], number: strings.ToLower(m[3])}
		if n.number == "" {
			n.number = strings.TrimFunc(m[4], func(c rune) bool { return !unicode.IsDigit(c) })
		}
		if m[2]+m[5] != "" {
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

// showNumbered shows the beginning of a page or section of the documents.
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
		p := foundPiece{document: d, cover: 1}
		for _, page := range pages {
			begin := 0
			if n.page == 0 {
				begin = 1 + slices.IndexFunc(page.statements, func(s reading.Statement) bool { return isTitle(s) && n.opens(strings.TrimLeft(s.Text, "# ")) })
			}
			if begin > 0 || n.page > 0 {
				if p.page = page.number; begin > 0 {
					p.title = strings.TrimLeft(page.statements[begin-1].Text, "# ")
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
		if section && isTitle(s) && (len(numberedIn(s.Text)) > 0 || strings.ContainsAny(strings.TrimLeft(s.Text, "# ")[:1], "0123456789")) || left < 0 && p.quote != "" {
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
