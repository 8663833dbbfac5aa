package docs

import (
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// askedPlace is a part of a document that a question names.
type askedPlace struct {
	pages    []int    // "page 2"; -1 is the last
	headings []string // "appendix B", "table of contents": as search terms joined by spaces
}

var (
	pageForm     = reading.Lazy(`(?i)\b(?:pages?|slides?|seite|folie|página|pagina)\s+(?:no\.?\s*|number\s+)?(\d{1,4})\b`)
	pageNth      = reading.Lazy(`(?i)\b(\d{1,3})(?:st|nd|rd|th)\s+(?:page|slide)\b`)
	pageWord     = reading.Lazy(`(?i)\b(\pL+)\s+(?:page|slide)\b`)
	headingForm  = reading.Lazy(`(?i)\b(appendix|annex|exhibit|figure|fig\.|table|chapter|section|part|item|note|schedule|algorithm|equation|box|chart|article|anhang|kapitel|tabelle|abbildung)\s+([A-Z]|\d{1,3}|[IVX]{1,4})\b`)
	contentsForm = reading.Lazy(`(?i)\btable of contents\b`)
)

var pageWords = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "cover": 1, "title": 1, "front": 1, "last": -1, "final": -1}

func askedPlaceOf(question string) (p askedPlace) {
	for _, form := range []*reading.Regexp{pageForm, pageNth} {
		for _, m := range form.FindAllStringSubmatch(question, -1) {
			n, _ := strconv.Atoi(m[1]) // digits
			p.pages = append(p.pages, n)
		}
	}
	for _, m := range pageWord.FindAllStringSubmatch(question, -1) {
		if n, ok := pageWords[strings.ToLower(m[1])]; ok {
			p.pages = append(p.pages, n)
		}
	}
	for _, m := range headingForm.FindAllStringSubmatch(question, -1) {
		if terms := rank.Terms(m[1] + " " + m[2]); len(terms) == 2 {
			p.headings = append(p.headings, strings.Join(terms, " "))
		}
	}
	if contentsForm.MatchString(question) {
		p.headings = append(p.headings, strings.Join(rank.Terms("table contents"), " "))
	}
	return p
}
