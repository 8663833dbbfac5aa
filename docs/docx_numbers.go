package docs

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// numbering are the numbers that Word gives paragraphs by itself ("4.2", "(b)"): they stand in no text, and people name clauses by them.
type numbering struct {
	levels map[string]*[listLevels]listLevel // by what a list is one of
	lists  map[string]list
	counts map[string]*[listLevels]int // of the paragraphs so far, by what a list is one of
}

const (
	listLevels = 9
	maxLists   = 10_000
	maxLabel   = 60 // bytes
)

type listLevel struct {
	start       int
	form, label string // "lowerLetter", "%1.%2"
	style       string // whose paragraphs are of this level
	legal       bool   // all parts are written as digits
	after       int    // it begins anew only behind a level above this one, plus 1; 0: behind each above it
}

// list is one of several that may share levels and counts; at some levels it may begin anew.
type list struct {
	of     string
	own    *[listLevels]listLevel // in place of those it shares
	anew   [listLevels]int        // the first number plus 1, 0: it continues
	joined bool                   // it has a paragraph
}

// numbered is what a paragraph or a style says of its number: "" where it says nothing.
type numbered struct{ list, level string }

// or is what a paragraph says, or else its style.
func (p numbered) or(style numbered) numbered {
	if p.list != "" {
		return p
	}
	return numbered{style.list, cmp.Or(p.level, style.level)}
}

func newNumbering() *numbering {
	return &numbering{levels: map[string]*[listLevels]listLevel{}, lists: map[string]list{}, counts: map[string]*[listLevels]int{}}
}

// numbering reads the lists of a Word document. One whose lists cannot be read has none.
func (o officeFile) numbering(part string) *numbering {
	n := newNumbering()
	of, id, at := "", "", 0
	_ = o.walk(part, maxXML, func(token xml.Token) error {
		t, is := token.(xml.StartElement)
		if !is {
			return nil
		}
		value := attr(t, "val")
		number, _ := strconv.Atoi(value)
		if t.Name.Local == "lvl" || t.Name.Local == "lvlOverride" {
			at, _ = strconv.Atoi(attr(t, "ilvl"))
			at = min(max(at, 0), listLevels-1)
		}
		level := &listLevel{}
		l, known := n.lists[id]
		switch shared := n.levels[l.of]; {
		case id == "" && n.levels[of] != nil:
			level = &n.levels[of][at]
		case known && shared != nil && t.Name.Local == "lvl":
			if l.own == nil {
				l.own = new(*shared)
				n.lists[id] = l
			}
			l.own[at] = listLevel{}
		case l.own != nil:
			level = &l.own[at]
		}
		switch t.Name.Local {
		case "abstractNum":
			if of, id = attr(t, "abstractNumId"), ""; len(n.levels) < maxLists {
				n.levels[of] = &[listLevels]listLevel{}
			}
		case "num":
			id = attr(t, "numId")
		case "abstractNumId":
			if len(n.lists) < maxLists {
				n.lists[id] = list{of: value}
			}
		case "startOverride":
			if known {
				l.anew[at] = number + 1
				n.lists[id] = l
			}
		case "start":
			level.start = number
		case "lvlRestart":
			level.after = number + 1
		case "numFmt":
			level.form = value
		case "lvlText":
			if len(value) <= maxLabel {
				level.label = value
			}
		case "pStyle":
			level.style = value
		case "isLgl":
			level.legal = on(t)
		}
		return nil
	})
	return n
}

// next is the number of the next paragraph, "" if it has none or one that we cannot write as Word does.
func (n *numbering) next(p numbered, style string) string {
	l, known := n.lists[p.list]
	levels := cmp.Or(l.own, n.levels[l.of])
	if !known || levels == nil {
		return ""
	}
	at, err := strconv.Atoi(p.level)
	for i := range levels {
		if err != nil && levels[i].style != "" && levels[i].style == style { // the level is the style's
			at = i
		}
	}
	at = min(max(at, 0), listLevels-1)
	counts := n.counts[l.of]
	if counts == nil {
		counts = &[listLevels]int{}
		for i := range counts {
			counts[i] = levels[i].start - 1
		}
		n.counts[l.of] = counts
	}
	if !l.joined {
		for i, anew := range l.anew {
			if anew > 0 {
				counts[i] = anew - 2
			}
		}
		l.joined = true
		n.lists[p.list] = l
	}
	counts[at]++
	for i := at + 1; i < listLevels; i++ {
		if after := levels[i].after; after == 0 || at+1 < after {
			counts[i] = levels[i].start - 1
		}
	}
	label := levels[at].label
	if form := levels[at].form; form == "bullet" || form == "none" {
		return ""
	}
	for i := range at + 1 {
		place := fmt.Sprintf("%%%d", i+1)
		if !strings.Contains(label, place) {
			continue
		}
		form, count := levels[i].form, counts[i]
		if levels[at].legal {
			form = "decimal"
		}
		if i < at && count == levels[i].start-1 { // no paragraph is of that level yet
			count++
		}
		part := counted(count, form)
		if label = strings.ReplaceAll(label, place, part); part == "" || len(label) > maxLabel {
			return ""
		}
	}
	return label
}

// counted writes a number as a list does, "" in a form that we do not know.
func counted(n int, form string) string {
	switch {
	case (form == "lowerLetter" || form == "upperLetter") && n > 0 && n <= 26*maxLetters:
		letter := strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
		if form == "upperLetter" {
			letter = strings.ToUpper(letter)
		}
		return letter
	case (form == "lowerRoman" || form == "upperRoman") && n > 0 && n < 4000:
		roman := ""
		for _, r := range romans {
			for ; n >= r.value; n -= r.value {
				roman += r.sign
			}
		}
		if form == "lowerRoman" {
			roman = strings.ToLower(roman)
		}
		return roman
	case form == "decimalZero":
		return fmt.Sprintf("%02d", n)
	case form == "decimal", form == "":
		return strconv.Itoa(n)
	}
	return ""
}

const maxLetters = 10

var romans = []struct {
	value int
	sign  string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}
