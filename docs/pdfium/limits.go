package pdfium

import "unicode/utf8"

// Limits bounds what Pages delivers. 0 means that the caller sets no limit; a page never has
// more than 4,000,000 characters.
type Limits struct {
	Pages        int // of the document, from its first
	CharsPerPage int // characters (not bytes); what is over is cut off and the page marked Truncated
	Chars        int // characters in all; the page that runs over is cut, marked, and the last

	Large bool // a picture is wanted as large as is read, not as a model sees it
}

// pages is how many of total pages are read.
func (l Limits) pages(total int) int {
	if l.Pages > 0 {
		return min(l.Pages, total)
	}
	return total
}

const maxReason = 300

// meter keeps the count of characters against the limits. Worker and parent each have one.
type meter struct {
	limits Limits
	used   int  // characters so far
	full   bool // a page had to be cut for the sum; no more follow
}

func (m *meter) allowed() int {
	n := maxPageChars
	if m.limits.CharsPerPage > 0 {
		n = min(n, m.limits.CharsPerPage)
	}
	if m.limits.Chars > 0 {
		n = min(n, m.limits.Chars-m.used)
	}
	return n
}

// count enforces the limits on a page and adds it.
func (m *meter) count(p Page) Page {
	text, over := Cut(clean(p.Text), m.allowed())
	p.Text, p.Truncated = text, p.Truncated || over
	p.Failed, _ = Cut(clean(p.Failed), maxReason)
	p.Headings = p.Headings[:min(len(p.Headings), 2*mostHeadings)]
	for i, h := range p.Headings {
		p.Headings[i].Text, _ = Cut(clean(h.Text), longHeading)
	}
	m.used += utf8.RuneCountInString(text)
	m.full = m.limits.Chars > 0 && p.Truncated && m.used >= m.limits.Chars
	return p
}
