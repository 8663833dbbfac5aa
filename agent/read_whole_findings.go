package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// findingsIn are the findings of a reply, those of one that was cut off too.
func findingsIn(response *llms.ContentResponse, failure error) ([]memory.Finding, error) {
	text := model.Text(response)
	var cut *model.Error
	if errors.As(failure, &cut) && cut.Kind == model.Truncated {
		text = cut.Partial
	} else if failure != nil {
		return nil, failure
	}
	found, complete := findingsOf(text)
	switch {
	case complete || len(found) > 0:
		return found, nil
	case failure != nil:
		return nil, failure
	}
	return nil, &model.Error{Kind: model.Garbage, Message: "no findings in the reply"}
}

// findingsOf reads the findings of a reply, those before a place where it is cut off too; complete reports whether it ends as it
// should.
func findingsOf(text string) (all []memory.Finding, complete bool) {
	var whole map[string]json.RawMessage
	if json.Unmarshal([]byte(braces(text)), &whole) == nil && string(whole["findings"]) == "null" {
		return nil, true
	}
	_, list, _ := strings.Cut(text, "[")
	d := json.NewDecoder(strings.NewReader("[" + list))
	if _, err := d.Token(); err != nil || !strings.Contains(text, "[") {
		return nil, false
	}
	for d.More() {
		var f struct {
			Point, Page  json.RawMessage
			Claim, Quote string
		}
		if d.Decode(&f) != nil {
			return all, false
		}
		all = append(all, memory.Finding{Point: number(f.Point) - 1, Page: number(f.Page), Claim: f.Claim, Quote: f.Quote})
	}
	_, err := d.Token()
	return all, err == nil
}

// bearOut checks findings as claims of an answer are checked. A quote that does not stand in the portion takes its finding with
// it; a claim that the quote contradicts, or that asks people for something, gives way to the quote with what the page has around it: the heads of its columns, the rest of
// its sentence; one of figures of which the page does not say what they are is left out. In a table one that says
// what the quote says little of does so too.
func (r *run) bearOut(ctx context.Context, w wish, p *portion, found []memory.Finding) ([]memory.Finding, error) {
	g := r.newGate(ctx)
	source := g.source()
	n := 1 + slices.Index(r.library, p.document)
	tidy := func(text string) string {
		return strings.NewReplacer("[", "(", "]", ")").Replace(allowed{}.filter(reading.CollapseSpace(reading.Visible(text))))
	}
	var good []memory.Finding
	for _, f := range found {
		c, err := source.verify(n, f.Page, f.Quote)
		if errors.Is(err, docs.ErrNotFound) || err == nil && (c.Page < p.first || c.Page > p.last) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f.Page, f.Place, f.Quote = c.Page, c.Place, c.Quote
		if w.table && (f.Point < 0 || f.Point >= len(w.points)) {
			continue // of no cell
		}
		if !w.table {
			f.Point = 0
		}
		f.Claim = tidy(f.Claim)
		check := &claims.Reply{Strict: true, Source: source}
		b, err := check.Add(cited(f, n))
		if err != nil {
			return nil, err
		}
		check.Judge(b, true)
		f.Unchecked = w.table && b.Outcome() == claims.Unchecked
		if b.Outcome() == claims.Contradicted || f.Unchecked && unlike(b) || w.table && strange(f) ||
			!showable(f.Claim, "") {
			f.Claim, f.Unchecked = "", false
		}
		if f.Claim == "" {
			text, err := r.page(ctx, p.document.ID, f.Page)
			if err != nil {
				return nil, err
			}
			label, whole := inFull(text, f.Quote)
			if !slices.ContainsFunc(reading.WordTerms(label), func(t string) bool { return !reading.HasPhrase(t, totals) }) {
				continue // the page does not say what the figures are
			}
			if whole = tidy(whole); !w.table && showable(whole, "") {
				f.Claim = whole
			}
		}
		same := func(o memory.Finding) bool {
			return o.Quote == f.Quote && o.Point == f.Point && (o.Claim == f.Claim || o.Claim == "" || f.Claim == "")
		}
		if !slices.ContainsFunc(good, same) && len(good) < max(portionMost, 2*len(w.points)) {
			good = append(good, f)
		}
	}
	return good, nil
}

// inFull is what a page says with a quote: the values of its row under their heads, or its sentence; "" for no more than the quote.
// label is the text that says what the quote's figures are.
func inFull(page, quote string) (label, whole string) {
	rows, sentences := reading.ReadPage(page).Quoted(quote)
	switch {
	case len(rows) == 1 && rows[0].Heads != nil:
		var said []string
		for i := range rows[0].Values {
			said = append(said, rows[0].Says(i))
		}
		return rows[0].Label, strings.Join(said, "; ")
	case len(rows) == 1:
		return rows[0].Label, ""
	case len(rows) == 0 && len(sentences) == 1 && len(sentences[0].Text) <= longestWhole && reading.Squash(sentences[0].Text) != reading.Squash(quote):
		return quote, sentences[0].Text
	}
	return quote, ""
}

const longestWhole = 300 // bytes of a sentence that a part of is quoted

// strange reports whether a claim without a figure has no word that stands in its quote.
func strange(f memory.Finding) bool {
	terms := reading.ContentTerms(f.Claim)
	return len(terms) > 0 && !strings.ContainsFunc(f.Claim, unicode.IsDigit) && reading.Coverage(terms, f.Quote) == 0
}

// unlike reports whether the cited words say little of a block's claims.
func unlike(b *claims.Block) bool {
	return slices.ContainsFunc(b.Claims, func(c *claims.Claim) bool {
		return c.Outcome == claims.Unchecked && c.Reason.Cause != claims.Elsewhere && c.Reason.Cause != claims.Nowhere
	})
}
