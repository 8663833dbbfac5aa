package agent

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/docs/figures"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Answers computed from a file of figures, with or without a model, if the question's meaning is certain.

const (
	mostComputed = 8  // documents looked at, the newest
	mostToldRows = 10 // numbers of rows in a note
	shownValue   = 80 // characters of a value of a file
)

// computed is the answer that one document gives by computing; nil if none does, or several do.
func (r *run) computed(ctx context.Context) (*Reply, error) {
	if r.turn.Overheard || r.turn.Question != nil || r.quoted != "" || !figures.Asks(r.request) {
		return nil, nil
	}
	of := r.library
	if posted := of.of(r.turn.New); len(posted) > 0 {
		of = posted
	} else if named := of.named(r.request); named != nil {
		of = named
	}
	var from *memory.Document
	var answer figures.Answer
	for _, d := range of[max(0, len(of)-mostComputed):] {
		a, ok, err := r.Index.Compute(ctx, d, r.request)
		switch {
		case errors.Is(err, memory.ErrNotFound): // removed meanwhile
		case err != nil:
			return nil, err
		case ok && (from != nil || a.Bare && len(of) > 1):
			return nil, nil
		case ok:
			from, answer = d, a
		}
	}
	if from == nil {
		return nil, nil
	}
	r.route, r.understanding.Understanding = routeLookup, plain(r.request, r.say.because.alone)
	reply, err := r.tellComputed(ctx, from, answer)
	if err != nil {
		return nil, err
	}
	r.tooled = append(r.tooled, shown{document: from.ID, text: reply.Text})
	return r.whole(reply), nil
}

// tellComputed describes a computed answer, each number with its place.
func (r *run) tellComputed(ctx context.Context, d *memory.Document, a figures.Answer) (*Reply, error) {
	reply := &Reply{}
	var b strings.Builder
	fmt.Fprintf(&b, r.say.figures.from, plainName(d.Name))
	for i, w := range a.Where {
		said := fmt.Sprintf(r.say.figures.where, fileText(w.Column), fileText(w.Value))
		if w.Sign != "" {
			said = fileText(w.Column) + " " + w.Sign + " " + w.Value
		}
		b.WriteString([]string{"; ", ", "}[min(i, 1)] + said)
	}
	b.WriteString(":\n")
	grouped := len(a.Rows) > 1 && sameButGroup(a.Rows)
	for i, row := range a.Rows {
		switch {
		case grouped && i == 0:
			cited, err := r.citeRow(ctx, reply, d, row)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n%s%s%s:\n", r.say.figures.named(row), r.say.placeOf(row.Place, a.IsTable), cited)
			fallthrough
		case grouped:
			fmt.Fprintf(&b, "- %s: **%s**", fileText(row.Group), fileText(row.Value))
			if row.Rows > 0 {
				fmt.Fprintf(&b, " (%s)", r.say.figures.rowCount(row.Rows))
			}
			b.WriteByte('\n')
		default:
			cited, err := r.citeRow(ctx, reply, d, row)
			if err != nil {
				return nil, err
			}
			if len(a.Rows) > 1 {
				b.WriteString("- ")
			} else {
				b.WriteByte('\n')
			}
			b.WriteString(r.say.figures.line(row) + r.say.placeOf(row.Place, a.IsTable) + cited + "\n")
		}
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "\n"+r.say.andMore+"\n", a.More)
	}
	if len(a.Unread) > 0 {
		fmt.Fprintf(&b, "\n"+r.say.figures.unread+"\n", rowList(a.Unread))
	}
	if len(a.Totals) > 0 {
		fmt.Fprintf(&b, "\n"+r.say.figures.totals+"\n", rowList(a.Totals))
	}
	if len(a.Further) > 0 {
		var lines []string
		for _, l := range a.Further[:min(len(a.Further), mostToldRows)] {
			lines = append(lines, nameText(l))
		}
		fmt.Fprintf(&b, "\n"+r.say.figures.further+"\n", strings.Join(lines, ", "))
	}
	reply.Text = strings.TrimSpace(b.String())
	return reply, nil
}

// sameButGroup reports whether rows say the same of several groups, from one place.
func sameButGroup(rows []figures.Row) bool {
	for _, row := range rows {
		if row.Group == "" || row.What != rows[0].What || row.Of != rows[0].Of || !reflect.DeepEqual(row.Place, rows[0].Place) {
			return false
		}
	}
	return true
}

// citeRow cites the place of a number; "" if that is not found again.
func (r *run) citeRow(ctx context.Context, reply *Reply, d *memory.Document, row figures.Row) (string, error) {
	mark, _, err := r.cite(ctx, reply, d, row.Place.Part, reading.Shorten(row.Place.Quote, reading.QuoteLength))
	return mark, err
}

// rowList are the numbers of rows, the first of them if they are many.
func rowList(rows []int) string {
	if len(rows) <= mostToldRows {
		return docs.PageList(rows)
	}
	return docs.PageList(rows[:mostToldRows]) + fmt.Sprintf(", … (%d)", len(rows))
}

// fileText is a value of a file as it may be shown: nothing in it is acted on.
func fileText(text string) string {
	text = plainName(reading.Shorten(reading.CollapseSpace(text), shownValue))
	if !showable(text, "") {
		return "…"
	}
	return fenceLinks(text)
}

// nameText is a name or a version of a file, as code.
func nameText(text string) string {
	if text = strings.ReplaceAll(reading.Shorten(reading.CollapseSpace(reading.Visible(text)), shownValue), "`", "'"); text == "" || !showable(text, "") {
		return "…"
	}
	return "`" + text + "`"
}
