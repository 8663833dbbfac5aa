package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// A long document says more of a point than a cell holds. One call sees the notes on all cells and chooses, so that documents are
// compared by the same measure. All it returns is numbers of notes, and a cell is filled from the notes on it alone: a document that
// wants to steer the call can put nothing into the row of another.

const (
	cellNotes   = 2     // shown in a cell
	choiceNotes = 12    // of a cell that are chosen from
	choiceNote  = 200   // characters of one
	choiceRoom  = 6_000 // tokens of all
	choiceReply = 500   // tokens
)

// cell is a place of a comparison's table.
type cell struct {
	document int64
	point    int // from 0
}

// notesOf are the notes on a cell, the weightiest first; unread reports whether a part of the document was not read.
func (w *wholeReading) notesOf(d *memory.Document, point int) (notes []memory.Finding, unread bool) {
	for _, x := range w.notes {
		if x.document == d && x.Point == point {
			notes = append(notes, x.Finding)
		}
	}
	return notes, slices.ContainsFunc(w.portions, func(p *portion) bool { return p.document == d && !p.read })
}

// totals are words of a figure that is for the whole.
const totals = `total|totals|overall|consolidated|gesamt|insgesamt|summe|konzern|konsolidiert|totale|totaux|consolide|consolidee|consolides|totales|consolidado|consolidada|consolidados`

// choose sets what the cells of a comparison show, where they have more notes than they hold: nothing in those it chose nothing for.
// Without the call's answer, and for cells that there was no room to show, the weight of the notes decides.
func (r *run) choose(ctx context.Context, w *wholeReading) error {
	cells, notes, lines := []cell{}, []memory.Finding{}, []string{}
	crowded, room := false, choiceRoom
	each := min(choiceNotes, max(cellNotes, choiceRoom/(choiceNote/3)/(len(w.documents)*len(w.points))))
	for point, name := range w.points {
		for i, d := range w.documents {
			all, _ := w.notesOf(d, point)
			crowded = crowded || len(all) > cellNotes
			all = slices.DeleteFunc(slices.Clone(all), func(f memory.Finding) bool { return !showable(f.Quote, r.request) })
			for n, f := range all[:min(len(all), each)] {
				head := fmt.Sprintf("%s, document %d:\n", reading.CollapseSpace(name), i+1)
				if n > 0 {
					head = ""
				}
				line := fmt.Sprintf("%s%d. %s", head, len(notes)+1, reading.Shorten(reading.CollapseSpace(f.Claim+" “"+f.Quote+"”"), choiceNote))
				if room -= memory.Count(line); room < 0 {
					break
				}
				cells, notes, lines = append(cells, cell{d.ID, point}), append(notes, f), append(lines, line)
			}
		}
	}
	if !crowded {
		return nil
	}
	chosen, err := r.chosenOf(ctx, w, lines)
	if err != nil || len(chosen) == 0 {
		return err
	}
	w.chosen = map[cell][]memory.Finding{}
	for _, c := range cells {
		w.chosen[c] = nil
	}
	for _, n := range chosen {
		if n < 1 || n > len(notes) { // of an earlier version
			continue
		}
		if c := cells[n-1]; len(w.chosen[c]) < cellNotes {
			w.chosen[c] = append(w.chosen[c], notes[n-1])
		}
	}
	for _, d := range w.documents { // what one document says must not empty another's row
		of := slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return c.document != d.ID })
		if points := slices.Compact(of); len(points) > 1 && !slices.ContainsFunc(points, func(c cell) bool { return len(w.chosen[c]) > 0 }) {
			for _, c := range points {
				delete(w.chosen, c)
			}
		}
	}
	return nil
}

// chosenOf are the numbers of the notes that the model chooses, or chose before for the same; none where it fails, or says none twice.
func (r *run) chosenOf(ctx context.Context, w *wholeReading, lines []string) (chosen []int, err error) {
	prompt := func(marker string) []llms.MessageContent {
		return messagesOf("choose", struct {
			Marker string
			Lines  []string
		}{marker, lines})
	}
	asked := prompt("")
	hash := "chosen " + hashOf(r.Name, textOf(asked[0]), textOf(asked[1]))
	kept, err := r.Store.FindingsNamed(ctx, r.turn.Session.ID, hash)
	if err == nil && json.Unmarshal([]byte(kept.Found), &chosen) == nil {
		return chosen, nil
	}
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return nil, err
	}
	messages := prompt(r.marker)
	calling := model.WithSchema(ctx, "chosen", json.RawMessage(choiceSchema))
	for try := 0; try < 2 && len(chosen) == 0; try++ { // a reply that says nothing is asked for again
		if err := r.tellAgain(ctx); err != nil {
			return nil, err
		}
		response, failure := r.generate(calling, r.model("read"), messages, llms.WithMaxTokens(min(choiceReply, r.answerRoom())))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.countPortion(messages, response, failure); failure != nil && kindOf(failure) != model.Garbage {
			r.Log.InfoContext(ctx, "could not choose the notes of a comparison", "error", failure)
			return nil, nil
		}
		var said struct{ Chosen []json.RawMessage }
		_ = json.Unmarshal([]byte(braces(model.Text(response))), &said)
		for _, n := range said.Chosen {
			if n := number(n); n > 0 && n <= len(lines) {
				chosen = append(chosen, n)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	return chosen, r.Store.KeepFindings(ctx, &memory.Findings{ContentID: w.documents[0].ContentID, SessionID: r.turn.Session.ID, Hash: hash,
		Asked: r.turn.Messages[len(r.turn.Messages)-1].ID}, chosen)
}

const choiceSchema = `{"type": "object", "additionalProperties": false, "required": ["chosen"], "properties": {"chosen": {"type": "array", "items": {"type": "integer"}}}}`
