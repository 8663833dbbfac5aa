package docs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Heading is a heading of a document.
type Heading struct {
	Title string // as the page has it, or the bookmark or the table of contents where the page has it in other words
	Page  int
	Level int // 0 for those by which the document divides itself, 1 for others
	At    int // where it stands on the page, in bytes, and
	End   int // where it ends; both 0 if the page has it in other words
}

const (
	leastHeadings = 3    // by which a document may divide itself
	contentsPages = 15   // at the beginning, among which the table of contents is
	contentsLines = 5    // that one has at least
	titleWords    = 3    // with which a long title begins where the page breaks it
	mostContents  = 200  // lines of one
	maxPrinted    = 9999 // the largest number of a page in a table of contents
	mostRepeats   = 2    // pages that may have the same line; one that more have is their head
	mostShift     = 5    // pages without a number between two titles
	mostPlaces    = 20   // pages on which a title is looked for
	shiftCost     = 0.02 // of a match, for each such page
	fullLine      = 60   // bytes of a line that may be as long as the page is wide
)

// storedHeadings are headings as pages keep them: the level of a bookmark ("b1") or the size of a line ("115"), and the text.
func storedHeadings(all []pdfium.Heading) string {
	var b strings.Builder
	for _, h := range all {
		if h.Level > 0 {
			fmt.Fprintf(&b, "b%d %s\n", h.Level, clean(h.Text))
		} else {
			fmt.Fprintf(&b, "%d %s\n", h.Size, clean(h.Text))
		}
	}
	return b.String()
}

// Outline returns the headings of a document in order: those by which it divides itself, from its bookmarks or else its table of
// contents, and the lines set larger or bolder than the text around them. There are none where the file gives none: a scan, a
// file that is no PDF, or one that was read by an earlier version.
func (x *Index) Outline(ctx context.Context, document int64) ([]Heading, error) {
	k, name, err := x.contentOf(ctx, document)
	if errors.Is(err, memory.ErrNotFound) { // removed meanwhile, or never read
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("docs: headings of %s: %w", name, err)
	}
	of := outlineOf{k.ID, k.Extractor, k.Chars}
	x.mu.Lock()
	all, known := x.outlines[of]
	x.mu.Unlock()
	if !known {
		if all, err = x.headings(ctx, k.ID); err != nil {
			return nil, fmt.Errorf("docs: headings of %s: %w", name, err)
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.outlines == nil || len(x.outlines) >= mostOutlines {
			x.outlines = map[outlineOf][]Heading{}
		}
		x.outlines[of] = all
	}
	return slices.Clone(all), nil
}

// outlineOf names a text that has an outline: of a content that is read again, or of which a scan is read, the text is another.
type outlineOf struct {
	content   int64
	extractor string
	chars     int
}

const mostOutlines = 1000 // kept in memory, of some ten kilobytes each

func (x *Index) headings(ctx context.Context, content int64) ([]Heading, error) {
	var pages []*pageRow
	err := x.Store.Read().NewSelect().Model(&pages).Column("number", "text", "headings").Where("content_id = ?", content).OrderExpr("number").Scan(ctx)
	if err != nil {
		return nil, err
	}
	marks, lines := givenHeadings(pages)
	own := topBookmarks(marks)
	if len(own) == 0 {
		own = contentsOf(pages)
	}
	return inOrder(pages, own, lines), nil
}

type bookmark struct {
	Heading
	depth int
}

func givenHeadings(pages []*pageRow) (marks []bookmark, lines []Heading) {
	for _, p := range pages {
		for l := range strings.Lines(p.Headings) {
			kind, title, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
			h := Heading{Title: title, Page: p.Number, Level: 1}
			if depth, is := strings.CutPrefix(kind, "b"); is {
				n, _ := strconv.Atoi(depth)
				marks = append(marks, bookmark{h, n})
			} else {
				lines = append(lines, h)
			}
		}
	}
	return marks, lines
}

// topBookmarks are the outermost bookmarks that lead to different pages, together with those below as far as that needs; none
// if the bookmarks only name the pages or the file.
func topBookmarks(marks []bookmark) (own []Heading) {
	for depth := 1; depth <= 3; depth++ {
		own = nil
		titles, on := map[string]bool{}, map[int]bool{}
		for _, m := range marks {
			if m.depth <= depth {
				own = append(own, Heading{Title: m.Title, Page: m.Page})
				titles[reading.FoldTitle(m.Title)], on[m.Page] = true, true
			}
		}
		if min(len(titles), len(on)) >= leastHeadings {
			return own
		}
	}
	return nil
}

// contentsLine is a line of a table of contents: leaders and the number of a page stand at its end.
var contentsLine = reading.Lazy(`^(.*?\pL.*?)[\s.…·_]+(\d{1,4})$`)

type contentsEntry struct {
	title   string
	words   []string
	printed int
}

// contentsOf are the entries of a document's table of contents, each with the page on which its title stands, or else where the
// others say that the printed page is.
func contentsOf(pages []*pageRow) (own []Heading) {
	entries, last := contentsEntries(pages)
	if len(entries) < contentsLines {
		return nil
	}
	found := make([][]int, len(entries)) // pages on which the title of each stands
	for _, p := range pages {
		if p.Number <= last {
			continue
		}
		lines := titleLines(p.Text)
		for i, e := range entries {
			if len(found[i]) < mostPlaces && slices.ContainsFunc(lines, func(l []string) bool { return e.isTitled(l) }) {
				found[i] = append(found[i], p.Number)
			}
		}
	}
	at := chain(entries, found)
	if len(at) < max(leastHeadings, len(entries)/3) {
		return nil
	}
	page, offset := last+1, 0
	for i, e := range entries {
		if at[i] == 0 { // its title is written differently there
			if at[i] = e.printed + offset; len(own) == 0 || at[i] < page || at[i] > pages[len(pages)-1].Number {
				continue
			}
		}
		page, offset = at[i], at[i]-e.printed
		own = append(own, Heading{Title: e.title, Page: page})
	}
	return own
}

// chain is the page of each entry: of the pages on which the titles stand those that follow each other for most entries, with the
// distance to the printed number as even as may be, since unnumbered pages may come between. Entries without one are left out.
func chain(entries []contentsEntry, found [][]int) map[int]int {
	type link struct {
		entry, page int
		score       float64
		before      int // in links, -1 for none
	}
	var links []link
	best := -1
	for i, e := range entries {
		for _, n := range found[i] {
			l := link{i, n, 1 - shiftCost*float64(away(n, e.printed)), -1}
			for j, b := range links {
				shift := away(n-e.printed, b.page-entries[b.entry].printed)
				if score := b.score + 1 - shiftCost*float64(shift); b.entry < i && b.page <= n && shift <= mostShift && score > l.score {
					l.score, l.before = score, j
				}
			}
			if links = append(links, l); best < 0 || l.score > links[best].score {
				best = len(links) - 1
			}
		}
	}
	at := map[int]int{}
	for ; best >= 0; best = links[best].before {
		at[links[best].entry] = links[best].page
	}
	return at
}

// contentsEntries are the lines of the table of contents, and the last page that it is on.
func contentsEntries(pages []*pageRow) (entries []contentsEntry, last int) {
	for _, p := range pages[:min(contentsPages, len(pages))] {
		var on []contentsEntry
		open := "" // lines of a title whose number is still to come
		for line := range strings.Lines(p.Text) {
			line = strings.TrimSpace(line)
			number, err := strconv.Atoi(line)
			title := ""
			switch m := contentsLine.FindStringSubmatch(line); {
			case m != nil && reading.Prose(withoutSpaces.Replace(m[1])):
				title = m[1]
				number, _ = strconv.Atoi(m[2])
			case err == nil && open != "":
			default:
				if line == "" {
					continue
				}
				if open != "" && continuesTitle(open, line) {
					line = open + " " + line
				}
				if open = line; len(open) > longTitle {
					open = ""
				}
				continue
			}
			if open != "" && (title == "" || continuesTitle(open, title)) {
				title = strings.TrimSpace(open + " " + title)
			}
			if m := partAbove.FindStringSubmatch(title); m != nil {
				title = m[1]
			}
			if open = ""; number <= maxPrinted && len(on) < mostContents {
				on = append(on, contentsEntry{title: title, words: rank.Words(title), printed: number})
			}
		}
		if on = rising(on); len(entries) == 0 && len(on) >= contentsLines || len(entries) > 0 && last == p.Number-1 && len(on) >= leastHeadings && on[0].printed >= entries[len(entries)-1].printed {
			entries, last = append(entries, on...), p.Number
		}
	}
	return entries, last
}

const longTitle = 250 // bytes

// withoutSpaces leaves out what leads to the numbers.
var withoutSpaces = strings.NewReplacer(".", "", "…", "", "·", "", "_", "")

// continuesTitle reports whether a line continues the title in the lines before it.
func continuesTitle(open, line string) bool {
	first := []rune(line)[0]
	return unicode.IsLower(first) || strings.HasSuffix(open, ",") || strings.HasSuffix(open, "-") || rank.Stop(lastWord(open)) || numberedOnly.MatchString(open)
}

func lastWord(text string) string {
	words := rank.Words(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// numberedOnly is the number of a title without the title: "Item 12.", "3.1".
var numberedOnly = reading.Lazy(`^(?:\pL+\s*)?\d+[\d.A-Z]*$`)

// partAbove is the heading of a part on the line of its first title: "Part I Item 1 Business".
var partAbove = reading.Lazy(`^(?i:part|teil|partie|parte) [IVX]+[.:]? (.*\d.*)$`)

// rising are entries if their pages follow each other, but for a few; nil for rows of a table.
func rising(on []contentsEntry) []contentsEntry {
	falls := 0
	for i := 1; i < len(on); i++ {
		if on[i].printed < on[i-1].printed {
			falls++
		}
	}
	if len(on) < 2 || 5*falls > len(on) || on[len(on)-1].printed == on[0].printed {
		return nil
	}
	return on
}

// titleLines are the words of a page's lines that are no longer than a title, and of each with the next one.
func titleLines(text string) (lines [][]string) {
	for line := range strings.Lines(text) {
		if len(line) <= longTitle {
			lines = append(lines, rank.Words(line))
		}
	}
	return lines
}

// isTitled reports whether a line is the entry's title: with or without its number, or its beginning where the page breaks it.
func (e contentsEntry) isTitled(line []string) bool {
	n, m := len(e.words), len(line)
	switch {
	case m == 0:
	case m <= n && slices.Equal(line, e.words[n-m:]):
		return m == n || m > 1 || len(line[0]) > 4
	case m < n && m >= titleWords && slices.Equal(line, e.words[:m]):
		return true
	case m > n && m <= n+4 && (slices.Equal(line[m-n:], e.words) || n > 1 && slices.Equal(line[:n], e.words)):
		return n > 1 || m <= n+2 // "Item 1. Business" for "Business"
	}
	return false
}

// inOrder joins the headings by which a document divides itself with the lines, in order. Lines that stand on many pages are
// their heads; a heading of several lines is one.
func inOrder(pages []*pageRow, own, lines []Heading) []Heading {
	on := map[string]map[int]bool{}
	for _, l := range lines {
		if t := reading.FoldTitle(l.Title); on[t] == nil {
			on[t] = map[int]bool{l.Page: true}
		} else {
			on[t][l.Page] = true
		}
	}
	lines = slices.DeleteFunc(lines, func(l Heading) bool { return len(on[reading.FoldTitle(l.Title)]) > mostRepeats })
	var all []Heading
	for _, p := range pages {
		var here []Heading
		for _, h := range own {
			if h.Page == p.Number {
				h.At, h.End = placeOf(p.Text, h.Title)
				here = append(here, h)
			}
		}
		from := 0
		for _, l := range lines {
			if l.Page != p.Number {
				continue
			}
			i := strings.Index(p.Text[from:], l.Title)
			if i < 0 {
				continue
			}
			l.At = from + i
			l.End = l.At + len(l.Title)
			from = l.End
			if !slices.ContainsFunc(here, func(h Heading) bool { return h.Level == 0 && h.At < l.End && l.At < h.End }) {
				here = append(here, l)
			}
		}
		slices.SortStableFunc(here, func(a, b Heading) int { return a.At - b.At })
		all = append(all, joined(p.Text, here)...)
	}
	return all
}

// joined makes one of headings that stand in lines one below the other, if the first is unfinished.
func joined(text string, on []Heading) (all []Heading) {
	for _, h := range on {
		if n := len(all) - 1; n >= 0 && h.Level == 1 && all[n].End > 0 && strings.TrimSpace(text[all[n].End:max(h.At, all[n].End)]) == "" && len(all[n].Title)+len(h.Title) < 2*longTitle && goesOn(all[n].Title, h.Title) {
			if all[n].End = h.End; all[n].Level == 1 {
				all[n].Title += " " + h.Title
			}
			continue
		}
		all = append(all, h)
	}
	return all
}

// goesOn reports whether a heading continues in the next line.
func goesOn(title, next string) bool {
	if strings.ToUpper(title) == title && strings.ToUpper(next) == next && !strings.ContainsAny(next[:min(8, len(next))], "0123456789") {
		return true
	}
	first := []rune(next)[0]
	return unicode.IsLower(first) || len(title) > fullLine && !strings.ContainsAny(title[len(title)-1:], ".:!?") || continuesTitle(title, next)
}

// placeOf is where a title stands on a page, with the lines in which it continues; 0, 0 if it does not.
func placeOf(text, title string) (from, to int) {
	e := contentsEntry{words: rank.Words(title)}
	at := 0
	for line := range strings.Lines(text) {
		if l := rank.Words(line); len(l) > 0 && e.isTitled(l) {
			return at, at + len(strings.TrimRight(line, "\n"))
		}
		at += len(line)
	}
	return 0, 0
}
