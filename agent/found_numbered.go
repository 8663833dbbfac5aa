package agent

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

// Words, folded, before the number of a page and of a section, and signs behind one.
var (
	pageWords    = reading.WordSet(`p pg page s seite pag pagina стр страница ページ 頁 页`)
	sectionWords = reading.WordSet(`section sec § §§ article art clause chapter item abschnitt kapitel artikel ziffer chapitre seccion capitulo articulo clausula раздел 条 章 节 節 項`)
)

// numberedIn are the pages and sections that a text names.
func numberedIn(text string) []numbered {
	var all []numbered
	runs := wordsAndNumbers(text)
	for i, run := range runs {
		if first := rune(text[run[0]]); !unicode.IsDigit(first) {
			continue
		}
		n := numbered{number: strings.ToLower(text[run[0]:run[1]])}
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(runs) {
				continue
			}
			word := text[runs[j][0]:runs[j][1]]
			from, to := min(run[0], runs[j][0]), max(run[1], runs[j][1])
			behind := j > i && !strings.ContainsFunc(word, func(c rune) bool { return c < 0x3000 }) // as Japanese and Chinese have it
			folded := rank.Fold(word)
			if behind {
				first, size := utf8.DecodeRuneInString(word)
				if first != 'ペ' {
					folded, to = string(first), run[1]+size
				}
			}
			if j > i && !behind || strings.Trim(text[min(run[1], runs[j][1]):max(run[0], runs[j][0])], " .") != "" {
				continue
			}
			if pageWords[folded] {
				n.page, _ = strconv.Atoi(n.number)
			}
			if n.page > 0 || sectionWords[folded] {
				n.text = text[from:to]
				all = append(all, n)
				break
			}
		}
	}
	return all
}

// wordsAndNumbers are where the numbers, with a letter behind them, and the words of a text begin and end.
func wordsAndNumbers(text string) [][2]int {
	var all [][2]int
	start, digits := -1, false
	end := func(at int) {
		if start >= 0 {
			all = append(all, [2]int{start, start + len(strings.TrimRight(text[start:at], "."))})
		}
		start = -1
	}
	for i, c := range text {
		switch digit := c >= '0' && c <= '9'; {
		case start >= 0 && digits && (digit || c == '.' || c >= 'a' && c <= 'z' && !joinsWord(text[i+1:])):
		case start >= 0 && !digits && (unicode.IsLetter(c) || c == '§'):
		default:
			end(i)
			if digit || unicode.IsLetter(c) || c == '§' {
				start, digits = i, digit
			}
		}
	}
	end(len(text))
	return all
}

// joinsWord reports whether a text begins inside a word.
func joinsWord(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) || unicode.IsDigit(first)
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
		p := foundPiece{document: d, cover: 1}
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
