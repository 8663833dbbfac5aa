package agent

import (
	"cmp"
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

// notesOf are the notes on a cell, the weightiest first by a plain rule; unread reports whether a part of the document was not read.
func (w *wholeReading) notesOf(d *memory.Document, point int) (notes []memory.Finding, unread bool) {
	for n, more := 0, true; more; n++ { // of each part the first, then the second
		more = false
		for _, p := range w.portions {
			if p.document != d {
				continue
			}
			unread = unread || !p.read
			if n < len(p.found) {
				if more = true; p.found[n].Point == point {
					notes = append(notes, p.found[n])
				}
			}
		}
	}
	weight := func(f memory.Finding) float64 {
		text := f.Claim + " " + f.Quote
		has := reading.Coverage(reading.ContentTerms(w.points[point]), text)
		if has > 0 && reading.HasPhrase(text, totals) {
			has++
		}
		return has
	}
	slices.SortStableFunc(notes, func(a, b memory.Finding) int { return cmp.Compare(weight(b), weight(a)) })
	return notes, unread
}

// totals are words of a figure that is for the whole.
const totals = `total|totals|overall|consolidated|gesamt|insgesamt|summe|konzern|konsolidiert|totale|totaux|consolide|consolidee|consolides|totales|consolidado|consolidada|consolidados`

// choose sets what the cells of a comparison show, where they have more notes than they hold. Without the call's answer, and for
// cells it chose nothing for, the plain rule decides.
func (r *run) choose(ctx context.Context, w *wholeReading) error {
	cells, notes, lines := []cell{}, []memory.Finding{}, []string{}
	crowded, room := false, choiceRoom
	each := min(choiceNotes, max(cellNotes, choiceRoom/(choiceNote/3)/(len(w.documents)*len(w.points))))
	for point, name := range w.points {
		for i, d := range w.documents {
			all, _ := w.notesOf(d, point)
			crowded = crowded || len(all) > cellNotes
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
	if err != nil {
		return err
	}
	w.chosen = map[cell][]memory.Finding{}
	for _, n := range chosen {
		if n < 1 || n > len(notes) {
			continue
		}
		if c := cells[n-1]; len(w.chosen[c]) < cellNotes {
			w.chosen[c] = append(w.chosen[c], notes[n-1])
		}
	}
	return nil
}

// chosenOf are the numbers of the notes that the model chooses, or chose before for the same; none where it fails.
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
	if err := r.tellAgain(ctx); err != nil {
		return nil, err
	}
	messages := prompt(r.marker)
	response, failure := r.generate(model.WithSchema(ctx, "chosen", json.RawMessage(choiceSchema)), r.model("read"), messages, llms.WithMaxTokens(min(choiceReply, r.answerRoom())))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.countPortion(messages, response, failure)
	var said struct{ Chosen []json.RawMessage }
	if failure == nil {
		failure = json.Unmarshal([]byte(braces(model.Text(response))), &said)
	}
	if failure != nil {
		r.Log.InfoContext(ctx, "could not choose the notes of a comparison", "error", failure)
		return nil, nil
	}
	for _, n := range said.Chosen {
		chosen = append(chosen, number(n))
	}
	return chosen, r.Store.KeepFindings(ctx, &memory.Findings{ContentID: w.documents[0].ContentID, SessionID: r.turn.Session.ID, Hash: hash,
		Asked: r.turn.Messages[len(r.turn.Messages)-1].ID}, chosen)
}

const choiceSchema = `{"type": "object", "additionalProperties": false, "required": ["chosen"], "properties": {"chosen": {"type": "array", "items": {"type": "integer"}}}}`
