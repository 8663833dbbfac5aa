package agent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Cards and summaries that need no model: headings and key sentences of a document.

const (
	samplePages  = 40 // pages read for a summary, spread over the document
	summaryLines = 6
	keyLength    = 260 // runes of a sentence of a summary at most
	cardPages    = 6
	cardHeadings = 3
)

// page is one page that was read for an outline.
type page struct {
	number int
	text   string
}

// sample reads at most n pages of a document: all, or the first and others evenly apart.
func sample(ctx context.Context, index *docs.Index, d *memory.Document, n int) ([]page, int, error) {
	total, err := index.Pages(ctx, d.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("count pages of %s: %w", d.Name, err)
	}
	var pages []page
	for i := range min(n, total) {
		number := 1 + i*total/min(n, total)
		text, err := index.Page(ctx, d.ID, number)
		if errors.Is(err, docs.ErrNotFound) || errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("read %s page %d: %w", d.Name, number, err)
		}
		pages = append(pages, page{number, text})
	}
	return pages, total, nil
}

// summarise is the extractive summary of the documents in scope: the sentence that says most
// in each part of a document, in its order, each cited.
func (r *run) summarise(ctx context.Context) (string, []docs.Citation, error) {
	var b strings.Builder
	var cited []docs.Citation
	for i, d := range r.library {
		pages, total, err := sample(ctx, r.Index, d, samplePages)
		if err != nil {
			return "", nil, err
		}
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, r.say.summary, "**"+plainName(d.Name)+"**", r.say.pageCount(total))
		for _, c := range keySentences(pages, max(2, summaryLines/len(r.library))) {
			verified, err := r.Index.Verify(ctx, docs.Citation{DocumentID: d.ID, Document: d.Name, Page: c.passage.Page, Quote: c.Text})
			if errors.Is(err, docs.ErrNotFound) {
				continue
			}
			if err != nil {
				return "", nil, fmt.Errorf("check a quote: %w", err)
			}
			verified.N = len(cited) + 1
			cited = append(cited, verified)
			fmt.Fprintf(&b, "\n- %s [%d]", fenceLinks(reading.Unhyphenate(c.Text)), verified.N)
		}
	}
	if len(cited) == 0 {
		return "", nil, nil
	}
	return b.String(), cited, nil
}

// keySentences chooses n sentences: the best of each of n parts of the pages, by the terms
// that the document repeats.
func keySentences(pages []page, n int) []candidate {
	if all := sentencesFrom(pages, n, 40); len(all) > 0 {
		return all
	}
	return sentencesFrom(pages, n, 15)
}

// sentencesFrom does so among the sentences that say at least as much as least characters.
func sentencesFrom(pages []page, n, least int) []candidate {
	var all []candidate
	frequency := map[string]int{}
	for _, p := range pages {
		for _, s := range reading.Statements(p.text) {
			for _, t := range rank.Terms(s.Text) {
				frequency[t]++
			}
			length := reading.Extent(s.Text)
			if length >= least && length <= keyLength && !s.Row && !s.Broken && len(s.Items) == 0 && !strings.HasSuffix(s.Text, ":") &&
				!reading.DirectsAssistant(s.Text) && !reading.IsQuestion(s.Text) && !reading.HasLeader(s.Text) && !dangling.MatchString(s.Text) && reading.Prose(s.Text) {
				all = append(all, candidate{Statement: s, passage: docs.Passage{Page: p.number}})
			}
		}
	}
	for i := range all {
		terms := rank.Terms(all[i].Text)
		for _, t := range terms {
			all[i].score += math.Log(float64(frequency[t]))
		}
		all[i].score /= math.Sqrt(float64(len(terms)) + 4)
		if all[i].Before == "" {
			all[i].score *= 1.15 // it opens a paragraph
		}
	}
	var chosen []candidate
	parts := min(n, len(all))
	for part := range parts {
		from, to := part*len(all)/parts, (part+1)*len(all)/parts
		best := slices.MaxFunc(all[from:to], func(a, b candidate) int {
			switch {
			case a.score < b.score:
				return -1
			case a.score > b.score:
				return 1
			}
			return 0
		})
		chosen = append(chosen, best)
	}
	return dedupe(chosen)
}

// dangling opens a sentence that leans on the one before it.
var dangling = regexp.MustCompile(`^(?:It|They|This|These|That|Those|He|She|However|Therefore|In the event|In addition|Also|But|And|Such|Its|Their|Es|Sie|Dies\pL*|Er|Doch|Aber|Außerdem|Il|Elle|Ils|Elles|Cela|Ce|Cette|Mais|Cependant|Esto|Esta|Este|Estos|Pero|Además)(?:$|[^\pL])`)
