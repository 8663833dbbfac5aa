package docs

import (
	"encoding/xml"

	"threadkeeper/memory/reading"
)

type styles map[string]style

type style struct {
	name, base string
	outline    string // its level, from 0; "" if it has the one of base
	numbered
}

var (
	headingName = reading.Lazy(`(?i)^heading ?[1-9]$`) // in files of every language
	outline     = reading.Lazy(`^[0-8]$`)              // 9 is body text
)

func isOutline(level string) bool { return outline.MatchString(level) }

const maxStyles = 10_000

// styles reads the styles of a Word document. A document whose styles cannot be read has none.
func (o officeFile) styles(part string) styles {
	all := styles{}
	id, s := "", style{}
	_ = o.walk(part, maxXML, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "style":
				id, s = attr(t, "styleId"), style{}
			case "name":
				s.name = attr(t, "val")
			case "basedOn":
				s.base = attr(t, "val")
			case "outlineLvl":
				s.outline = attr(t, "val")
			case "numId":
				s.list = attr(t, "val")
			case "ilvl":
				s.level = attr(t, "val")
			}
		case xml.EndElement:
			if t.Name.Local == "style" && len(all) < maxStyles {
				all[id] = s
			}
		}
		return nil
	})
	return all
}

const deepest = 20 // styles, each based on the next

// number is what a style says of the numbers of its paragraphs, or the styles it is based on.
func (all styles) number(id string) (n numbered) {
	for range deepest {
		n = n.or(all[id].numbered)
		id = all[id].base
	}
	return n
}

// heading reports whether paragraphs of a style are headings, by its outline level or name or those of the styles it
// is based on.
func (all styles) heading(id string) bool {
	for range deepest {
		s, known := all[id]
		switch {
		case !known:
			return headingName.MatchString(id)
		case s.outline != "":
			return isOutline(s.outline)
		case headingName.MatchString(s.name):
			return true
		}
		id = s.base
	}
	return false
}
