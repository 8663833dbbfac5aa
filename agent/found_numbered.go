package agent

import (
	"cmp"
	"context"
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
var numberedPlace = reading.Lazy(`(?i)(?:^|[^\pL\pN])((?:(p|pg|pages?|s\.|seiten?|p[aá]g(?:ina)?|стр|страница)|` +
	`section|sec|§§?|article|art|clause|chapter|item|abschnitt|kapitel|artikel|ziffer|chapitre|secci[oó]n|cap[ií]tulo|art[ií]culo|cl[aá]usula|раздел)[ .]*(\d+(?:\.\d+)*[a-z]?))\b|` +
	`(第?(?:\d+) ?(?:(ページ|頁|页)|[条章节節項]))`)

func numberedIn(text string) []numbered {
	var all []numbered
	for _, m := range numberedPlace.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "P") && shortCode.FindString(m[1]) == m[1] { // an article number
			continue
		}
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

func (r *run) showNumbered(ctx context.Context, of library, n numbered) ([]foundPiece, error) {
	var all []foundPiece
	for _, d := range of[:min(len(of), 4)] {
		pages, err := r.pagesOf(ctx, d, max(n.page, 1), cmp.Or(n.page, manyPages))
		if err != nil {
			return nil, err
		}
		for _, page := range slices.Backward(pages) { // what a table of contents lists is behind it
			p, left := foundPiece{document: d, page: page.number, cover: 1}, numberedLength
			for _, s := range page.statements {
				if n.page == 0 && (isTitle(s) || !n.opens(s.Heading)) || !showable(s.Quote(), r.request) || reading.HasLeader(s.Text) {
					continue
				}
				if left -= utf8.RuneCountInString(s.Quote()); left < 0 && p.quote != "" {
					break
				}
				if isTitle(s) {
					p.shown = append(p.shown, bold(s.Text))
					continue
				}
				p.shown, p.quote = append(p.shown, shownText(s.Quote())), cmp.Or(p.quote, s.Quote())
				if n.page == 0 {
					p.title = s.Heading
				}
			}
			if p.quote == "" {
				continue
			}
			if place, err := r.Index.Place(ctx, d.ID, page.number, p.quote); err != nil {
				return nil, err
			} else if n.page == 0 || place == "" || strings.HasPrefix(place, "slide ") { // a text has lines, and no pages
				all = append(all, p)
			}
			break
		}
	}
	return all, nil
}
