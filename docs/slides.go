package docs

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs/pdfium"
)

// readPPTX returns the text of a presentation, a page a slide, in its order, with its charts and notes; that of hidden slides is left
// out. A slide without text counts as scanned. Only the first chars characters count, 0 for all.
func readPPTX(data []byte, chars int) (slides []page, cut bool, err error) {
	o, err := openOffice(data)
	if err != nil {
		return nil, false, err
	}
	main := o.main()
	targets, err := o.relations(main)
	var order []string
	if err == nil {
		err = o.walk(main, maxXML, func(token xml.Token) error {
			if t, is := token.(xml.StartElement); is && t.Name.Local == "sldId" {
				for _, a := range t.Attr {
					if a.Name.Local == "id" && a.Name.Space != "" {
						order = append(order, targets[a.Value])
					}
				}
			}
			return nil
		})
	}
	left, omitted := chars, ""
	for i, name := range order {
		if err != nil || cut {
			break
		}
		var text string
		var hidden bool
		text, hidden, err = o.wholeSlide(name)
		scanned := text == "" && !hidden
		if hidden {
			omitted = HiddenSlides
		}
		if chars > 0 {
			text, cut = pdfium.Cut(text, left)
			left -= utf8.RuneCountInString(text)
		}
		slides = append(slides, page{Number: i + 1, Label: fmt.Sprintf("slide %d", i+1), Text: text, Scanned: scanned})
	}
	if len(slides) > 0 {
		slides[0].Omitted = omitted
	}
	return slides, cut, err
}

// wholeSlide is the text of a slide, of its diagrams and charts, and its notes.
func (o officeFile) wholeSlide(name string) (text string, hidden bool, err error) {
	text, hidden, err = o.slide(name)
	if err != nil || hidden {
		return "", hidden, err
	}
	targets, err := o.relations(name)
	if err != nil {
		return "", false, err
	}
	texts := []string{text, "", ""} // the notes last
	for _, target := range slices.Compact(slices.Sorted(maps.Values(targets))) {
		more, at := "", 1
		switch dir, base := path.Split(target); {
		case strings.HasSuffix(dir, "/diagrams/") && strings.HasPrefix(base, "data"):
			more, _, err = o.slide(target)
		case strings.HasSuffix(dir, "/charts/") && strings.HasPrefix(base, "chart"):
			more, err = o.chart(target)
		case strings.HasSuffix(dir, "/notesSlides/"):
			if more, _, err = o.slide(target); more != "" {
				more, at = "Notes:\n"+more, 2
			}
		}
		if err != nil {
			return "", false, err
		}
		texts[at] = strings.TrimSpace(texts[at] + "\n" + more)
	}
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n")), false, nil
}

// slide is the text of a slide: paragraphs and rows of tables as lines; that of hidden shapes, and its number, are left out.
func (o officeFile) slide(name string) (text string, hidden bool, err error) {
	var b strings.Builder
	cells, inText, depth, unseen := 0, false, 0, 0
	err = o.walk(name, maxXML, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; t.Name.Local == "cNvPr" && unseen == 0 && (attr(t, "hidden") == "1" || attr(t, "hidden") == "true") {
				unseen = depth - 2 // the shape around its properties
			}
			switch t.Name.Local {
			case "sld":
				if show := attr(t, "show"); show == "0" || show == "false" {
					hidden = true
					return errEnough
				}
			case "ph":
				if unseen == 0 && attr(t, "type") == "sldNum" {
					unseen = depth - 3
				}
			case "t":
				inText = true
			case "tc":
				cells++
			case "br":
				b.WriteByte('\n')
			}
		case xml.EndElement:
			if depth--; depth < unseen {
				unseen = 0
			}
			inText = false
			switch t.Name.Local {
			case "p":
				if cells == 0 {
					b.WriteByte('\n')
				} else {
					b.WriteByte(' ')
				}
			case "tc":
				cells--
				b.WriteString("| ")
			case "tr":
				b.WriteByte('\n')
			}
		case xml.CharData:
			if inText && unseen == 0 {
				b.Write(t)
			}
		}
		return nil
	})
	return strings.TrimSpace(clean(b.String())), hidden, err
}

const maxSeries = 64

// chart is a chart as a table: its title, and for each category a row with the values of its series, as the file keeps them.
func (o officeFile) chart(name string) (string, error) {
	type series struct {
		name         string
		labels, data map[int]string
	}
	var all []series
	var title, value strings.Builder
	part, index, inValue, shown := "", 0, false, format{}
	err := o.walk(name, maxXML, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "title", "tx", "cat", "val", "xVal", "yVal":
				if part != "title" {
					part, shown = t.Name.Local, format{}
				}
			case "ser":
				if len(all) == maxSeries {
					return errEnough
				}
				all = append(all, series{labels: map[int]string{}, data: map[int]string{}})
			case "pt":
				index, _ = strconv.Atoi(attr(t, "idx"))
			case "v", "t", "formatCode":
				inValue = true
				value.Reset()
			}
		case xml.EndElement:
			switch t.Name.Local {
			case part:
				part = ""
				title.WriteByte(' ')
			case "formatCode":
				inValue, shown = false, formatOf(value.String())
			case "v", "t":
				inValue = false
				text := cell(value.String())
				if n, err := strconv.ParseFloat(text, 64); err == nil && t.Name.Local == "v" && part != "tx" {
					text = new(workbook).number(n, shown)
				}
				switch last := len(all) - 1; {
				case part == "title":
					title.WriteString(value.String())
				case last < 0:
				case part == "tx":
					all[last].name = text
				case part == "cat" || part == "xVal":
					all[last].labels[index] = text
				case part != "":
					all[last].data[index] = text
				}
			}
		case xml.CharData:
			if inValue && value.Len() < maxValue {
				value.Write(t)
			}
		}
		return nil
	})
	lines := []string{cell(title.String()), ""}
	labels, used := map[int]string{}, false
	for _, s := range all {
		lines[1] += cellMark + s.name
		used = used || s.name != ""
		for i := range s.data {
			labels[i] = cmp.Or(labels[i], s.labels[i])
		}
	}
	if !used {
		lines = lines[:1]
	}
	for _, i := range slices.Sorted(maps.Keys(labels)) {
		row := labels[i]
		for _, s := range all {
			row += cellMark + s.data[i]
		}
		lines = append(lines, strings.TrimRight(row, " |"))
	}
	return strings.TrimSpace(clean(strings.Join(lines, "\n"))), err
}
