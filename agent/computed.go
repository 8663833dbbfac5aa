package agent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/docs/figures"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Answers computed from a file of figures, with or without a model, if the question's meaning is certain.

const (
	mostComputed = 20 // documents looked at, the newest
	mostToldRows = 10 // numbers of rows in a note
	shownValue   = 80 // characters of a value of a file
)

// computed is the answer that one document gives by computing; nil if none does, or several do.
func (r *run) computed(ctx context.Context) (*Reply, error) {
	if r.turn.Overheard || r.turn.Question != nil || r.quoted != "" || !figures.Asks(r.request) {
		return nil, nil
	}
	of := [][]*memory.Document{r.library}
	if posted := r.library.of(r.turn.New); len(posted) > 0 {
		of[0] = posted
	} else if named := r.library.named(r.request); named != nil {
		of = [][]*memory.Document{named, r.library} // "tests" need not mean test-plan.pdf
	}
	var from *computable
	var answer figures.Answer
	for _, list := range of {
		for _, c := range computables(list) {
			a, ok, err := r.Index.Compute(ctx, c.Document, r.request)
			if ok && err == nil && a.Bare && len(list) > 1 {
				ok, err = r.onlyIn(ctx, c.Document)
			}
			switch {
			case errors.Is(err, memory.ErrNotFound): // removed meanwhile
			case err != nil:
				return nil, err
			case ok && asksWhether(r.request) && slices.ContainsFunc(a.Rows, func(row figures.Row) bool { return row.What == figures.Found }): // a list is neither
			case ok && from != nil:
				return nil, nil
			case ok:
				from, answer = &c, a
			}
		}
		if from != nil {
			break
		}
	}
	if from == nil {
		return nil, nil
	}
	r.route, r.understanding = routeLookup, plain(r.request, r.say.because.alone)
	name := plainName(from.Name)
	if from.older {
		name += " (" + r.say.date(from.CreatedAt, r.turn.zone()) + ")"
	}
	reply, err := r.tellComputed(ctx, from.Document, name, answer)
	if err != nil {
		return nil, err
	}
	r.tooled = append(r.tooled, shown{document: from.ID, text: reply.Text})
	return r.whole(reply), nil
}

// computable is a document that may be computed from; older reports that there are older ones with its name.
type computable struct {
	*memory.Document
	older bool
}

// computedEndings are how the names of tables and reports end.
var computedEndings = strings.Split(".csv .tsv .xls .xlsx .xlsm .json .jsonl .xml .info .lcov .out .cov .prof .txt .log .mod .in ", " ")

// computables are the newest documents that may be tables or reports, of each name and of the same bytes the newest.
func computables(list []*memory.Document) (all []computable) {
	for _, d := range slices.Backward(list) {
		ending := strings.ToLower(path.Ext(d.Name))
		same := slices.IndexFunc(all, func(c computable) bool { return c.ContentID == d.ContentID || strings.EqualFold(c.Name, d.Name) })
		switch {
		case !slices.Contains(computedEndings, ending):
		case same >= 0:
			all[same].older = all[same].older || all[same].ContentID != d.ContentID
		case len(all) < mostComputed:
			all = append(all, computable{Document: d})
		}
	}
	return all
}

// onlyIn reports whether no other document has a word of the request: coverage may be that of an insurance.
func (r *run) onlyIn(ctx context.Context, d *memory.Document) (bool, error) {
	others := slices.DeleteFunc(r.library.ids(), func(id int64) bool { return id == d.ID })
	words := reading.ContentTerms(r.request)
	if len(others) == 0 || len(words) == 0 {
		return len(others) == 0, nil
	}
	held, err := r.Index.Holds(ctx, docs.Scope{Audience: r.turn.Audience, Documents: others}, words)
	return !slices.Contains(held, true), err
}

// tellComputed describes a computed answer from a document of this name, each number with its place.
func (r *run) tellComputed(ctx context.Context, d *memory.Document, name string, a figures.Answer) (*Reply, error) {
	if u := a.Unclear; u.Value != "" {
		return &Reply{Text: fmt.Sprintf(r.say.figures.unclear, name, fileText(u.Column), u.Value)}, nil
	}
	reply := &Reply{}
	var b strings.Builder
	fmt.Fprintf(&b, r.say.figures.from, name)
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

// citeRow cites the places of a number; "" if they are not found again.
func (r *run) citeRow(ctx context.Context, reply *Reply, d *memory.Document, row figures.Row) (marks string, err error) {
	for _, p := range append([]figures.Place{row.Place}, row.Place.Also...) {
		mark, _, err := r.cite(ctx, reply, d, p.Part, reading.Shorten(p.Quote, reading.QuoteLength))
		if err != nil {
			return "", err
		}
		marks += mark
	}
	return marks, nil
}

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
