package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Contest is a call of the judge: the claims of an answer that the rules left unchecked and, as far as there is room, those they
// verified and lines that lead in with a number, with the pages that may settle them.
type Contest struct {
	reply  *claims.Reply
	claims []contested
	pages  []Material
	answer string
}

type contested struct {
	block *claims.Block
	claim *claims.Claim
}

// Material is a page that an answer was written from, or a part of one. Documents are numbered as in claims.Source, from 1.
type Material struct {
	Document, Page int
	Text           string
}

// How much a contest holds, in tokens where it is not claims.
const (
	contestClaims = 24 // of more, those that are not unchecked and then the longest are left as they are
	contestRoom   = 4_000
	contestPage   = 1_500
	contestAnswer = 1_000
	contestRounds = 3 // a claim has so many pages at most

	contestCovered = 0.95 // of the words of a text that need not be shown again
)

// NewContest chooses the unchecked and verified claims of blocks, the pages that they cite, and of the evidence what has most of
// their words. It is nil if there is nothing to settle, or no page to settle it by.
func NewContest(reply *claims.Reply, blocks []*claims.Block, evidence []Material) (*Contest, error) {
	k := &Contest{reply: reply}
	for _, b := range blocks {
		for _, c := range b.Claims {
			if k.answer += statement(c.Text) + "\n"; c.Outcome == claims.Unchecked || c.Outcome == claims.Verified || c.Outcome == claims.Plain && c.Counts() {
				k.claims = append(k.claims, contested{b, c})
			}
		}
	}
	for len(k.claims) > contestClaims {
		least := slices.MinFunc(k.claims, func(a, b contested) int {
			return cmp.Or(cmp.Compare(a.claim.Outcome, b.claim.Outcome), cmp.Compare(len(b.claim.Text), len(a.claim.Text)))
		})
		k.claims = slices.DeleteFunc(k.claims, func(c contested) bool { return c == least })
	}
	slices.SortStableFunc(k.claims, func(a, b contested) int { return cmp.Compare(b.claim.Outcome, a.claim.Outcome) }) // the unchecked first
	wanted := make([][]Material, len(k.claims))
	for i, c := range k.claims {
		var err error
		if wanted[i], err = pagesFor(reply.Source, c.claim, evidence); err != nil {
			return nil, err
		}
	}
	room := contestRoom
	for round := range contestRounds {
		for _, list := range wanted {
			if round >= len(list) || k.shows(list[round]) {
				continue
			}
			if cost := memory.Count(list[round].Text) + pageOverhead; cost <= room {
				k.pages, room = append(k.pages, list[round]), room-cost
			}
		}
	}
	if len(k.pages) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(k.pages, func(a, b Material) int { return cmp.Or(a.Document-b.Document, a.Page-b.Page) })
	return k, nil
}

// pagesFor are the pages that may settle a claim, the likeliest first: those it cites, then the evidence most like it.
func pagesFor(source claims.Source, c *claims.Claim, evidence []Material) (list []Material, err error) {
	short := func(text string) string {
		if memory.Count(text) <= contestPage {
			return text
		}
		return shortForm(text, c.Text, contestPage)
	}
	for _, p := range append(slices.Clone(c.Places), claims.Place{Document: c.Reason.Document, Page: c.Reason.Page}) {
		text, err := source.Text(p.Document, p.Page)
		if err != nil {
			return nil, err
		}
		if m := (Material{p.Document, p.Page, short(text)}); text != "" && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	terms := reading.ContentTerms(c.Text + " " + c.Heads())
	like := func(m Material) float64 { return reading.Coverage(terms, m.Text) }
	best := slices.SortedStableFunc(slices.Values(evidence), func(a, b Material) int { return cmp.Compare(like(b), like(a)) })
	for _, m := range best[:min(len(best), contestRounds)] {
		m.Text = short(m.Text)
		list = append(list, m)
	}
	return list, nil
}

// shows reports whether the pages hold a text, or nearly all of its words: a passage has the lines of its table joined otherwise.
func (k *Contest) shows(m Material) bool {
	return slices.ContainsFunc(k.pages, func(p Material) bool {
		return p.Document == m.Document && p.Page == m.Page && reading.Coverage(reading.WordTerms(m.Text), p.Text) >= contestCovered
	})
}

// Prompt is what the judge is asked.
func (k *Contest) Prompt(marker string) []llms.MessageContent {
	var d struct {
		Marker, Request, Answer string
		Pages, Statements       []string
	}
	d.Marker, d.Request, d.Answer = marker, reading.Shorten(k.reply.Request, 1000), k.answer
	if memory.Count(d.Answer) > contestAnswer {
		d.Answer = shortForm(d.Answer, "", contestAnswer)
	}
	for _, p := range k.pages {
		d.Pages = append(d.Pages, fmt.Sprintf("[d%d p%d]\n%s", p.Document, p.Page, p.Text))
	}
	for _, c := range k.claims {
		text := statement(c.claim.Text)
		if above := c.claim.Heads(); above != "" {
			text += " (below: " + reading.CollapseSpace(above) + ")"
		}
		d.Statements = append(d.Statements, text)
	}
	return []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, render("judge-system", nil)), llms.TextParts(llms.ChatMessageTypeHuman, render("judge", d))}
}

// statement is the text of a claim without the blanks where its citations stood.
func statement(text string) string {
	return spaceBefore.ReplaceAllString(reading.CollapseSpace(text), "$1")
}

// verdictSchema is what the judge's reply has to look like.
const verdictSchema = `{"type": "object", "additionalProperties": false, "required": ["verdicts"], "properties": {"verdicts": {"type": "array", "items":
	{"type": "object", "additionalProperties": false, "required": ["n", "verdict", "page", "quote"], "properties": {"n": {"type": "integer"},
		"verdict": {"type": "string", "enum": ["supported", "contradicted", "no_fact", "not_found"]}, "page": {"type": "string"}, "quote": {"type": "string"}}}}}}`

// Settle reads the judge's reply, and returns how many claims it settled. A verdict on what pages say counts only with words that
// stand, letter by letter, on a page that the judge was shown, and that the rules find neither to say otherwise nor to be about
// something else.
func (k *Contest) Settle(reply string) (settled int, err error) {
	said, places := map[int][]string{}, map[int][]claims.Place{}
	for _, v := range rulingsIn(reply) {
		n := number(v.N) - 1
		if n < 0 || n >= len(k.claims) {
			continue
		}
		p, ok, err := k.find(v)
		if err != nil {
			return settled, err
		}
		if said[n] = append(said[n], v.Verdict); ok {
			places[n] = append(places[n], p)
		}
	}
	for n, c := range k.claims {
		verdicts, ok := slices.Compact(said[n]), false
		if len(verdicts) != 1 || len(places[n]) == 0 && verdicts[0] != "no_fact" && verdicts[0] != "not_found" {
			continue
		}
		switch unchecked := c.claim.Outcome == claims.Unchecked; {
		case verdicts[0] == "no_fact":
			ok = unchecked && k.reply.Excuse(c.claim)
		case verdicts[0] == "supported" && unchecked:
			ok, err = k.reply.Support(c.block, c.claim, places[n])
		case verdicts[0] == "contradicted" && unchecked:
			ok, err = k.reply.Refute(c.claim, places[n][0])
		case verdicts[0] == "contradicted":
			ok, err = k.reply.Dispute(c.claim, places[n][0])
		case verdicts[0] == "not_found" && c.claim.Outcome == claims.Verified:
			if ok = len(c.claim.Places) > 0 && !slices.ContainsFunc(c.claim.Places, func(p claims.Place) bool { return !k.has(p) }); ok {
				k.reply.Miss(c.claim)
			}
		}
		if err != nil {
			return settled, err
		}
		if ok {
			settled++
		}
	}
	return settled, nil
}

type ruling struct {
	N, Page        json.RawMessage
	Verdict, Quote string
}

// rulingsIn are the verdicts of a reply; none if it is not what was asked for.
func rulingsIn(reply string) (all []ruling) {
	from, to := strings.IndexByte(reply, '['), strings.LastIndexByte(reply, ']')
	if from < 0 || to < from || json.Unmarshal([]byte(reply[from:to+1]), &all) != nil {
		return nil
	}
	return all
}

// placeWritten matches how the head of a page names it.
var placeWritten = reading.Lazy(`(?i)^\W*(?:(?:d(\d+)\W*)?p(?:age|\.)? ?)?(\d+)\W*$`)

// find is the place that a verdict quotes, if the judge was shown it.
func (k *Contest) find(v ruling) (p claims.Place, ok bool, err error) {
	m := placeWritten.FindStringSubmatch(loose(v.Page))
	if m == nil || len(strings.Fields(v.Quote)) < leastQuoted || reading.DirectsAssistant(v.Quote) {
		return p, false, nil
	}
	document, _ := strconv.Atoi(cmp.Or(m[1], "1")) // digits by the pattern
	page, _ := strconv.Atoi(m[2])
	p, ok, err = k.reply.Source.Find(document, page, v.Quote)
	return p, ok && strings.Contains(reading.Squash(p.Quote), reading.Squash(v.Quote)) && k.has(p), err
}

// has reports whether the judge was shown something of a place's page.
func (k *Contest) has(p claims.Place) bool {
	return slices.ContainsFunc(k.pages, func(m Material) bool { return m.Document == p.Document && m.Page == p.Page })
}

const leastQuoted = 2 // words
