package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// A comparison is a table that the program writes: each document is read in calls that see nothing of the others, and fills no
// cells but its own. The model then says what stands out.

const (
	cellLength = 90                           // characters of a quote that fills a cell
	nameLength = 32                           // of a document's name at the head of its cells
	columns    = 3                            // documents up to which each has a column; more have a row each
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" // of the documents, in the labels of their citations; those after Z have none
)

// openWithTable opens the reply with the table of a comparison and what its letters stand for. The model's text continues from there.
func (r *run) openWithTable(ctx context.Context, w *wholeReading) error {
	g := r.newGate(ctx)
	g.strict, g.untrusted = true, true
	var names, points, legend []string
	r.letters = make(map[int64]string)
	for i, d := range w.documents {
		if i < len(letters) {
			r.letters[d.ID] = letters[i : i+1]
			legend = append(legend, r.letters[d.ID]+": "+plainName(reading.Shorten(d.Name, cellLength)))
		}
		names = append(names, plainName(reading.Shorten(withoutEnding(d.Name), nameLength)))
	}
	for _, p := range w.points {
		points = append(points, g.rowName(p))
	}
	heads, labels := names, points
	if len(names) > columns {
		heads, labels = points, names
	}
	table := "|  | " + strings.Join(heads, " | ") + " |\n" + strings.Repeat("|---", len(heads)+1) + "|\n"
	for row, label := range labels {
		table += "| " + label
		for column := range heads {
			document, point := column, row
			if len(names) > columns {
				document, point = row, column
			}
			table += " | " + g.fill(w, w.documents[document], point)
		}
		table += " |\n"
	}
	r.opened = g
	for line := range strings.Lines(table + "\n" + strings.Join(legend, ", ") + "\n\n") { // a row that does not fit is left out whole
		if err := g.release(line); err != nil {
			return err
		}
	}
	return nil
}

// fill is what a document states of a point, cited: two statements at most, where parts of it differ. A bare quote is shown only if
// it was chosen, or where there is no statement.
func (g *gate) fill(w *wholeReading, d *memory.Document, point int) string {
	var said []string
	found, unread := w.notesOf(d, point)
	if chosen, asked := w.chosen[cell{d.ID, point}]; asked {
		found = chosen
	} else if claimed := func(f memory.Finding) bool { return f.Claim != "" }; slices.ContainsFunc(found, claimed) {
		found = slices.DeleteFunc(found, func(f memory.Finding) bool { return !claimed(f) })
	}
	for _, f := range found {
		if len(said) == cellNotes {
			break
		}
		text := "“" + g.inCell(reading.Shorten(f.Quote, cellLength)) + "”"
		if f.Claim != "" {
			text = g.inCell(f.Claim)
		}
		if slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, text+" [") }) {
			continue
		}
		mark := ""
		if f.Unchecked {
			mark = " " + g.run.say.unchecked
		}
		n := 1 + slices.Index(g.run.library, d)
		place := claims.Place{Document: n, Page: f.Page, Quote: f.Quote}
		g.found[place] = docs.Citation{DocumentID: d.ID, Document: d.Name, Page: f.Page, Place: f.Place, Quote: f.Quote}
		said = append(said, text+" "+g.numbered(place)+mark)
		g.passed = append(g.passed, cited(f, n)+"\n")
		if f.Unchecked {
			g.checks.Unchecked++
		} else {
			g.checks.Verified++
		}
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, "; ")
	case unread:
		return "?"
	}
	return g.run.say.notStated
}

// inCell is a text of others in a table cell, which it cannot end; "…" for one that is not to be shown.
func (g *gate) inCell(text string) string {
	if text = g.clean(reading.CollapseSpace(text), nil); !showable(text, g.run.request) {
		return "…"
	}
	return outOfCell.Replace(text)
}

// outOfCell replaces what would end a cell, or begin in one cell what another completes.
var outOfCell = strings.NewReplacer("|", "/", "[", "(", "]", ")", "<", "‹", ">", "›")

func (g *gate) rowName(point string) string {
	if point = hideKeys(g.run.withoutMarker(plainName(point))); !showable(point, g.run.request) {
		return "…"
	}
	return upperFirst(point)
}

// cited is a finding as an answer would write it.
func cited(f memory.Finding, document int) string {
	return fmt.Sprintf(`%s [d%d p%d "%s"]`, f.Claim, document, f.Page, strings.ReplaceAll(f.Quote, `"`, "'"))
}
