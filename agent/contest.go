package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Contest is a call of the judge: the claims of an answer that the rules left unchecked and, as far as there is room, those they
// verified and lines that lead in with a number, with what of the pages may settle them.
type Contest struct {
	reply  *claims.Reply
	claims []contested
	sheets []*sheet
	room   int // tokens left for them
	answer string
	proven int // verdicts that stand: that agree, or changed an outcome
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

// sheet is a page of which lines are shown, or a text that does not stand on one as it is: a passage below the head of its table.
type sheet struct {
	document, page int
	lines          []string
	shown          []bool
	apart          bool // it is no page
}

// How much a contest holds, in tokens where it is not claims.
const (
	contestClaims = 24 // of more, those that are not unchecked and then the longest are left as they are
	contestRoom   = 4_000
	contestPage   = 1_500
	contestAnswer = 1_000
	contestLine   = 2_000 // bytes of a line that is shown whole
	contestRounds = 3     // a claim has so many pages at most

	contestPassages = 2    // and so many places on any of them that are most like it, one if it is verified
	contestLike     = 0.25 // of the weight of its words that such a place has at least

	contestCovered = 0.95 // of the words of a text that need not be shown again
)

// NewContest chooses the unchecked and verified claims of blocks. Of the pages it shows the lines around what each claim quotes and
// then, as far as there is room, whole pages that claims cite, and what of the evidence has most of their words. It is nil if there
// is nothing to settle, or nothing to settle it by.
func NewContest(reply *claims.Reply, blocks []*claims.Block, evidence []Material) (*Contest, error) {
	var chosen []contested
	answer := ""
	for _, b := range blocks {
		for _, c := range b.Claims {
			if answer += statement(c.Text) + "\n"; !c.Counts() && (c.Outcome == claims.Plain || len(reading.ContentTerms(c.Text)) == 0) { // "From, and."
				continue
			}
			if c.Outcome != claims.Contradicted || c.Invented() {
				chosen = append(chosen, contested{b, c})
			}
		}
	}
	return contestOf(reply, chosen, answer, evidence)
}

func contestOf(reply *claims.Reply, chosen []contested, answer string, evidence []Material) (*Contest, error) {
	k := &Contest{reply: reply, room: contestRoom, claims: chosen, answer: answer}
	for len(k.claims) > contestClaims {
		least := slices.MinFunc(k.claims, func(a, b contested) int {
			return cmp.Or(cmp.Compare(a.claim.Outcome, b.claim.Outcome), cmp.Compare(len(b.claim.Text), len(a.claim.Text)))
		})
		k.claims = slices.DeleteFunc(k.claims, func(c contested) bool { return c == least })
	}
	slices.SortStableFunc(k.claims, func(a, b contested) int { return cmp.Compare(b.claim.Outcome, a.claim.Outcome) }) // the unchecked first
	for _, c := range k.claims {
		for _, p := range c.claim.Places {
			if err := k.show(Material{p.Document, p.Page, p.Quote}); err != nil {
				return nil, err
			}
		}
	}
	lines, err := linesOf(reply.Source, k.claims, evidence)
	if err != nil {
		return nil, err
	}
	wanted := make([][]Material, len(k.claims))
	for i, c := range k.claims {
		pages, err := pagesFor(reply.Source, c.claim, evidence)
		if err != nil {
			return nil, err
		}
		wanted[i] = append(lines.like(c.claim), pages...)
	}
	for round := range contestRounds + contestPassages {
		for _, list := range wanted {
			if round >= len(list) {
				continue
			}
			if err := k.show(list[round]); err != nil {
				return nil, err
			}
		}
	}
	if len(k.sheets) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(k.sheets, func(a, b *sheet) int { return cmp.Or(a.document-b.document, a.page-b.page) })
	k.claims = slices.DeleteFunc(k.claims, func(c contested) bool {
		return c.claim.Outcome == claims.Verified && slices.ContainsFunc(c.claim.Places, func(p claims.Place) bool { return !k.quotes(p) })
	})
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

// pageLines are the lines of the pages that may settle the claims of an answer, and how much each of their terms tells.
type pageLines struct {
	lines []pageLine
	tells map[string]float64
}

type pageLine struct {
	Material
	terms map[string]bool // of the line and the next
}

// linesOf are the lines of the pages that claims cite and of the evidence.
func linesOf(source claims.Source, all []contested, evidence []Material) (*pageLines, error) {
	var pages [][2]int
	add := func(document, page int) {
		if at := [2]int{document, page}; page > 0 && !slices.Contains(pages, at) {
			pages = append(pages, at)
		}
	}
	for _, c := range all {
		for _, p := range c.claim.Places {
			add(p.Document, p.Page)
		}
		add(c.claim.Reason.Document, c.claim.Reason.Page)
	}
	for _, m := range evidence {
		add(m.Document, m.Page)
	}
	l := &pageLines{tells: map[string]float64{}}
	for _, at := range pages {
		text, err := source.Text(at[0], at[1])
		if err != nil {
			return nil, err
		}
		lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		for n, line := range lines {
			two := line
			if n+1 < len(lines) {
				two += "\n" + lines[n+1]
			}
			if len(two) > contestLine {
				continue
			}
			l.lines = append(l.lines, pageLine{Material{at[0], at[1], two}, reading.TermSet(two)})
		}
	}
	for _, line := range l.lines {
		for t := range line.terms {
			l.tells[t]++
		}
	}
	for t, n := range l.tells {
		l.tells[t] = math.Log(1 + float64(len(l.lines))/n)
	}
	return l, nil
}

// like are the places of pages that are most like a claim, each on a page of its own.
func (l *pageLines) like(c *claims.Claim) (list []Material) {
	terms := reading.ContentTerms(c.Text + " " + c.Heads())
	all := 0.0
	for _, t := range terms {
		all += cmp.Or(l.tells[t], math.Log(1+float64(len(l.lines))))
	}
	passages := contestPassages
	if c.Outcome == claims.Verified { // what it quotes is shown
		passages = 1
	}
	for range passages {
		var best *pageLine
		most := contestLike * all
		for i := range l.lines {
			line, share := &l.lines[i], 0.0
			if slices.ContainsFunc(list, func(m Material) bool { return m.Document == line.Document && m.Page == line.Page }) {
				continue
			}
			for _, t := range terms {
				if line.terms[t] {
					share += l.tells[t]
				}
			}
			if share > most {
				best, most = line, share
			}
		}
		if best == nil {
			break
		}
		list = append(list, best.Material)
	}
	return list
}

// show shows the lines of a page around words of it, as far as there is room. Words that the page does not have as they are, or has
// in a line that is very long, stand apart, unless nearly all of them are shown: a passage has the lines of its table joined otherwise.
func (k *Contest) show(m Material) error {
	page, err := k.reply.Source.Text(m.Document, m.Page)
	if err != nil || m.Text == "" {
		return err
	}
	s, whole := k.sheet(m.Document, m.Page), strings.Split(page, "\n")
	var lines []int
	for part := range strings.SplitSeq(m.Text, "\n[…]\n") { // of a shortened page
		on := docs.Around(page, part)
		if on == nil {
			lines = nil
			break
		}
		lines = append(lines, on...)
	}
	if lines == nil || slices.ContainsFunc(lines, func(n int) bool { return len(whole[n]) > contestLine }) && m.Text != page {
		s, lines = &sheet{document: m.Document, page: m.Page, lines: strings.Split(m.Text, "\n"), apart: true}, nil
		if slices.ContainsFunc(k.sheets, func(o *sheet) bool {
			return o.document == s.document && o.page == s.page && reading.Coverage(reading.WordTerms(m.Text), o.text()) >= contestCovered
		}) {
			return nil
		}
		for n := range s.lines {
			lines = append(lines, n)
		}
	} else if s == nil {
		s = &sheet{document: m.Document, page: m.Page, lines: whole}
	}
	added, cost := "", 0
	for _, n := range lines {
		if s.shown == nil || !s.shown[n] {
			added += s.lines[n] + "\n"
		}
	}
	if s.shown == nil {
		cost = pageOverhead
	}
	if cost += memory.Count(added); cost > k.room {
		return nil
	}
	if k.room -= cost; s.shown == nil {
		s.shown, k.sheets = make([]bool, len(s.lines)), append(k.sheets, s)
	}
	for _, n := range lines {
		s.shown[n] = true
	}
	return nil
}

// sheet is a page of which something is shown, nil if it is not.
func (k *Contest) sheet(document, page int) *sheet {
	for _, s := range k.sheets {
		if !s.apart && s.document == document && s.page == page {
			return s
		}
	}
	return nil
}

// text are the lines that are shown, with a mark for others between them.
func (s *sheet) text() string {
	var b strings.Builder
	last := -1
	for n, line := range s.lines {
		if !s.shown[n] {
			continue
		}
		if last >= 0 && strings.TrimSpace(strings.Join(s.lines[last+1:n], "")) != "" {
			b.WriteString("[…]\n")
		}
		b.WriteString(line + "\n")
		last = n
	}
	return strings.TrimSpace(b.String())
}

func (k *Contest) pages() (all []Material) {
	for _, s := range k.sheets {
		all = append(all, Material{s.document, s.page, s.text()})
	}
	return all
}

// quotes reports whether the words of a place are shown, of one without words something of its page.
func (k *Contest) quotes(p claims.Place) bool {
	return slices.ContainsFunc(k.sheets, func(s *sheet) bool {
		return s.document == p.Document && s.page == p.Page && (p.Quote == "" || strings.Contains(reading.Squash(s.text()), reading.Squash(p.Quote)))
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
	for _, p := range k.pages() {
		d.Pages = append(d.Pages, fmt.Sprintf("[d%d p%d]\n%s", p.Document, p.Page, p.Text))
	}
	for _, c := range k.claims {
		text := statement(c.claim.Text)
		if above := c.claim.Heads(); above != "" {
			text += " (below: " + reading.CollapseSpace(above) + ")"
		}
		d.Statements = append(d.Statements, text)
	}
	return messagesOf("judge", d)
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
		unchecked := c.claim.Outcome == claims.Unchecked
		switch {
		case verdicts[0] == "no_fact":
			ok = unchecked && k.reply.Excuse(c.claim)
		case verdicts[0] == "supported" && (unchecked || c.claim.Invented()):
			ok, err = k.reply.Support(c.block, c.claim, places[n])
		case c.claim.Invented():
		case verdicts[0] == "contradicted" && unchecked:
			ok, err = k.reply.Refute(c.claim, places[n][0])
		case verdicts[0] == "contradicted":
			ok, err = k.reply.Dispute(c.claim, places[n][0])
		case verdicts[0] == "not_found" && c.claim.Outcome == claims.Verified:
			if ok = len(c.claim.Places) > 0; ok {
				k.reply.Miss(c.claim)
			}
		}
		if err != nil {
			return settled, err
		}
		if ok {
			settled++
		}
		if agrees := unchecked && verdicts[0] == "not_found" || !unchecked && verdicts[0] == "supported"; agrees || ok && c.claim.Outcome != claims.Plain {
			k.proven++
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

func (k *Contest) has(p claims.Place) bool {
	return slices.ContainsFunc(k.sheets, func(s *sheet) bool { return s.document == p.Document && s.page == p.Page })
}

const leastQuoted = 2 // words
