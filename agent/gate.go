package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// gate reads a model's reply as it streams in and releases the answer a block at a time, once the block has passed its
// checks. If no document is shown it releases a sentence at a time, or the words as they come (see runAhead).
type gate struct {
	run       *run
	ctx       context.Context
	strict    bool            // the answer must come from documents
	verb      string          // of the first line: "", then ANSWER, ASK, SPEAK, SILENT or NOTFOUND
	calls     []llms.ToolCall // of tools, in the text of the reply
	material  []string        // the parts of the prompt to answer from
	untrusted bool            // people other than the asker wrote some of the prompt
	cut       string          // received bytes of an incomplete character
	buffer    string          // received, not yet released
	implied   bool            // the verb: the reply did not begin with one
	wrapped   bool            // the whole reply is in a code block, which is left out
	tagged    bool            // or in a tag
	holding   bool            // the reply begins with a question in plain words: held until it is clear whether it offers a choice
	decided   bool            // that is clear
	fenced    bool            // inside a code block
	keyed     bool            // inside a private key, which is left out
	fresh     bool            // at the beginning of a line
	muted     bool            // a list is left out, because its opening was

	ahead    string   // of the buffer: shown before its sentence was complete
	unended  string   // the line before, if its sentence may continue
	replaced []string // phrases that replaced sentences
	released strings.Builder
	long     bool            // nothing more is released: the answer has reached its limit
	raw      strings.Builder // received
	all      strings.Builder // released, and text that would have been
	cited    []docs.Citation
	defects  []string // why nothing can be shown
	err      error    // the store's error

	check      *claims.Reply                  // judges its claims
	queue      []piece                        // judged, or waiting for later citations
	statements int                            // received
	stopped    bool                           // the next block is contradicted: nothing is released until it is corrected
	leaving    bool                           // contradicted blocks are left out
	again      bool                           // the reply continues another that stopped
	corrects   bool                           // it is the correction of one, and has text to show
	stands     []string                       // of it, claims that are shown
	unproven   []string                       // claims that are shown and could not be checked
	found      map[claims.Place]docs.Citation // places looked up
	passed     []string                       // of them, quotes the model wrote
	shown      []string                       // blocks released
	said       []piece                        // what was released
	checks     memory.Checks
}

// piece is a part of a reply that is released as a whole: a block of claims, or a line of code.
type piece struct {
	text  string // as received
	block *claims.Block
	code  string
}

// claims are those of a block, none of a line of code.
func (p piece) claims() []*claims.Claim {
	if p.block == nil {
		return nil
	}
	return p.block.Claims
}

// longestAnswer is the most characters of an answer that are shown.
const longestAnswer = 12_000

func (r *run) newGate(ctx context.Context) *gate {
	beside := len(r.evidence) > 0
	g := &gate{run: r, ctx: ctx, strict: beside && !drafts(r.request), untrusted: beside || r.untrusted, fresh: true,
		found: map[claims.Place]docs.Citation{}}
	g.check = &claims.Reply{Request: r.request, Known: r.repeatable(), Strict: g.strict, Source: g.source()}
	return g
}

// repeatable returns the texts that an answer may repeat without a citation.
func (r *run) repeatable() []string {
	list := []string{r.quoted}
	for _, day := range append(reading.DaysAhead(r.request, r.turn.Now), r.turn.Now) {
		list = append(list, day.Format("2 January 2006"))
	}
	if r.history != nil {
		for _, m := range r.history.Messages {
			if m.Role != memory.Assistant {
				list = append(list, m.Text)
			}
		}
	}
	for _, f := range r.recalled {
		if f.Message.Role != memory.Assistant { // what we said may have been unchecked
			list = append(list, f.Message.Text)
		}
	}
	return list
}

func (g *gate) write(chunk string) error {
	chunk = g.cut + chunk
	n := completeRunes(chunk)
	g.cut = chunk[n:]
	g.raw.WriteString(chunk[:n])
	line := len(g.buffer) - 1 - strings.LastIndexByte(g.buffer, '\n')
	before := g.buffer
	if g.buffer += chunk[:n]; !reading.Plain(chunk[:n]) {
		g.buffer = reading.Visible(g.buffer)
	}
	if g.strict && g.speaks() && line > telling && strings.HasPrefix(g.buffer, before) && !strings.Contains(g.buffer[len(before):], "\n") {
		return nil // within a line that has begun, no block ends
	}
	return g.drain(false)
}

// telling is how many bytes of a line tell whether it belongs to the block before it.
const telling = 200

// completeRunes returns the length of a text without a last character that is incomplete.
func completeRunes(text string) int {
	for n := len(text) - 1; n >= 0 && n > len(text)-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) && !utf8.FullRuneInString(text[n:]) {
			return n
		}
	}
	return len(text)
}

func (g *gate) finish() error {
	g.buffer, g.cut = reading.Visible(g.buffer+g.cut), ""
	if err := g.drain(true); err != nil {
		return err
	}
	g.settle()
	if g.verb == verbCall {
		g.calls = model.CallsIn(g.buffer, schemas())
	}
	if err := g.drain(true); err != nil {
		return err
	}
	if g.strict && g.speaks() && g.released.Len() == 0 && !claims.HasMarks(g.raw.String()) && !slices.ContainsFunc(g.queue, func(p piece) bool { return p.block != nil && g.check.Concerns(p.block, g.run.evidenceTexts()) }) {
		g.check.Strict = false // general knowledge, beside documents
	}
	return g.advance(true)
}

func (g *gate) speaks() bool {
	switch g.verb {
	case verbAnswer, verbNotFound:
		return !g.run.turn.Overheard
	case verbSpeak:
		return true
	}
	return false
}

func (g *gate) drain(whole bool) error {
	if g.verb == "" && !g.readVerb(whole) {
		return nil
	}
	if !g.speaks() {
		return nil // the rest is read at the end, if at all
	}
	for g.buffer != "" {
		if g.fresh && !g.fenced && g.turns(whole) {
			return nil
		}
		n := g.next(whole)
		if n == 0 {
			return g.runAhead()
		}
		if g.holds(n) {
			return nil
		}
		piece := g.buffer[:n]
		g.buffer = g.buffer[n:]
		if err := g.pass(piece); err != nil {
			return err
		}
	}
	return nil
}

// next returns the length of the next piece that can be judged: a line of code, or a sentence
// with the citations after it. 0 means that more text is needed.
func (g *gate) next(whole bool) int {
	if g.fenced || g.fresh && strings.HasPrefix(strings.TrimLeft(g.buffer, " "), "```") {
		if i := strings.IndexByte(g.buffer, '\n'); i >= 0 {
			return i + 1
		}
		if whole {
			return len(g.buffer)
		}
		return 0
	}
	if g.fresh && !whole && strings.HasPrefix("```", strings.TrimLeft(g.buffer, " ")) {
		return 0
	}
	if !g.strict {
		return claims.Next(g.buffer, whole)
	}
	n := claims.NextBlock(g.buffer, whole)
	for at := 0; at < n; { // a line at which the reply becomes something else
		if turned.MatchString(g.buffer[at:]) && at > 0 {
			return at
		}
		i := strings.IndexByte(g.buffer[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return n
}

// pass takes one piece: it is judged, and released if nothing before it waits.
func (g *gate) pass(text string) error {
	if g.tagged {
		text = closeTag.ReplaceAllString(text, "")
	}
	line := strings.TrimSpace(text)
	if g.wrapped && !g.fenced && line == "```" {
		return nil // the end of the block around the reply
	}
	fence := (g.fenced || g.fresh) && strings.HasPrefix(line, "```")
	if g.keyed && !fence {
		g.keyed = !endsKey.MatchString(text)
		return nil
	}
	g.keyed = beginsKey.MatchString(text) && !endsKey.MatchString(text)
	g.fresh = strings.HasSuffix(text, "\n")
	if fence {
		g.fenced = !g.fenced
	}
	p := piece{text: text}
	switch {
	case fence || g.fenced:
		p.code = g.codeLine(text)
	case line == "":
		p.code = text
	default:
		var err error
		if g.strict {
			text = claims.WithoutFootnotes(text)
		}
		if p.block, err = g.check.Add(text); err != nil {
			g.err = err
			return err
		}
	}
	g.queue = append(g.queue, p)
	err := g.advance(false)
	g.ahead = ""
	g.statements += len(p.claims())
	if g.strict && p.block != nil && g.released.Len() == 0 && !g.run.turn.Overheard {
		g.run.emit(Progress{Status: fmt.Sprintf(g.run.say.checkingNow, g.statements)})
	}
	return err
}

// advance releases what no longer waits. With whole there are no later citations that could support a claim.
func (g *gate) advance(whole bool) error {
	for len(g.queue) > 0 && !g.stopped {
		p := g.queue[0]
		if p.block == nil {
			g.queue = g.queue[1:]
			if err := g.say(p); err != nil {
				return err
			}
			continue
		}
		if g.check.Judge(p.block, whole || !g.strict) {
			return nil
		}
		if p.block.Outcome() == claims.Contradicted && !g.leaving {
			g.stopped = true
			return nil
		}
		g.queue = g.queue[1:]
		if err := g.show(p); err != nil {
			return err
		}
	}
	return nil
}

// codeLine returns a line of a code block as it may be shown: untrusted addresses are cut to their host.
func (g *gate) codeLine(line string) string {
	line = g.run.withoutMarker(untagged(line))
	if g.untrusted {
		line = g.addresses(nil).code(line)
	}
	return hideKeys(line)
}

// hideKeys removes the end of a line that contains a private key.
func hideKeys(text string) string {
	hidden := reading.HideKeys(text)
	if strings.HasSuffix(text, "\n") && !strings.HasSuffix(hidden, "\n") {
		hidden += "\n"
	}
	return hidden
}

func (g *gate) release(text string) error {
	if g.released.Len() == 0 {
		text = strings.TrimLeft(text, "\n")
	}
	if text == "" {
		return nil
	}
	g.all.WriteString(text)
	if text = g.fitting(text); text == "" {
		return g.ctx.Err()
	}
	g.released.WriteString(text)
	g.run.emit(Progress{Text: text})
	return g.ctx.Err()
}

// fitting returns the part of the next text that fits into an answer: a sentence or a line of code as a whole, except for the
// very first. Text after one that does not fit is not shown.
func (g *gate) fitting(text string) string {
	if g.long {
		return ""
	}
	room := longestAnswer - utf8.RuneCountInString(g.released.String())
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	g.long = true
	switch {
	case g.released.Len() == 0:
		return reading.Shorten(text, room)
	case g.fenced:
		return "```\n"
	}
	return ""
}
