package docs

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// odtLists are the numbers of an OpenDocument text, which stand in no text either.
type odtLists struct {
	*numbering
	defined string            // style of lists that is defined
	within  []string          // the lists we are in, of each its style and a number
	newest  map[string]string // list of each style and of each id
	item    bool              // the next paragraph is the first of an item
}

// odtForms are Word's names of the forms of numbers.
var odtForms = map[string]string{"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}

// odtOutline is the list of the headings, which needs no elements of lists.
const odtOutline = "\x00outline"

// define reads the styles of lists.
func (l *odtLists) define(token xml.Token) error {
	t, is := token.(xml.StartElement)
	switch name := t.Name.Local; {
	case !is || len(l.levels) > maxLists:
	case name == "outline-style":
		l.defined = odtOutline
		l.levels[odtOutline], l.lists[odtOutline] = &[listLevels]listLevel{}, list{of: odtOutline}
	case name == "list-style":
		l.defined = attr(t, "name")
		l.levels[l.defined] = &[listLevels]listLevel{}
	case name == "list-level-style-number", name == "outline-level-style":
		number := func(attribute string) int {
			n, err := strconv.Atoi(attr(t, attribute))
			if err != nil {
				return 1
			}
			return n
		}
		at, levels := number("level"), l.levels[l.defined]
		if levels == nil || at < 1 || at > listLevels {
			break
		}
		var parts []string
		for i := max(at-number("display-levels"), 0) + 1; i <= at; i++ {
			parts = append(parts, fmt.Sprintf("%%%d", i))
		}
		if label := attr(t, "num-prefix") + strings.Join(parts, ".") + attr(t, "num-suffix"); len(label) <= maxLabel {
			levels[at-1] = listLevel{start: number("start-value"), form: cmp.Or(odtForms[attr(t, "num-format")], "none"), label: label}
		}
	}
	return nil
}

// begin notes that a list begins.
func (l *odtLists) begin(t xml.StartElement) {
	of, style := "", attr(t, "style-name")
	if n := len(l.within); n > 0 {
		of = l.within[n-1]
	}
	if around, _, _ := strings.Cut(of, "\x00"); of == "" || style != "" && style != around {
		continued := ""
		if id := attr(t, "continue-list"); id != "" {
			continued = l.newest["\x00"+id]
		} else if attr(t, "continue-numbering") == "true" {
			continued = l.newest[style]
		}
		if of = continued; of == "" && len(l.lists) < maxLists {
			of = fmt.Sprint(style, "\x00", len(l.lists))
			l.levels[of], l.lists[of] = l.levels[style], list{of: of}
		}
	}
	l.within = append(l.within, of)
	l.newest[style], l.newest["\x00"+attr(t, "id")] = of, of
}

// anew makes a list count from a number at a level; without one it goes on.
func (l *odtLists) anew(of string, level int, start string) {
	n, err := strconv.Atoi(start)
	if x, known := l.lists[of]; known && err == nil && level <= listLevels {
		x.anew, x.joined = [listLevels]int{}, false
		x.anew[level-1] = n + 1
		l.lists[of] = x
	}
}

// numberOf is the number of a paragraph or a heading, "" if it has none.
func (l *odtLists) numberOf(t xml.StartElement) string {
	n := len(l.within)
	switch level, _ := strconv.Atoi(attr(t, "outline-level")); {
	case l.item && n > 0:
		l.item = false
		return l.next(numbered{l.within[n-1], strconv.Itoa(n - 1)}, "")
	case n == 0 && level > 0 && attr(t, "is-list-header") != "true":
		if attr(t, "restart-numbering") == "true" {
			l.anew(odtOutline, level, cmp.Or(attr(t, "start-value"), "1"))
		}
		return l.next(numbered{odtOutline, strconv.Itoa(level - 1)}, "")
	}
	return ""
}
