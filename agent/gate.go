package agent

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory/reading"
)

// gate reads a model's reply as it streams in and releases the answer a sentence at a time,
// once the sentence has passed its checks.
type gate struct {
	run       *run
	ctx       context.Context
	strict    bool            // the answer is to come from documents
	verb      string          // of the first line: "", then ANSWER, ASK, SPEAK, SILENT or NOTFOUND
	calls     []llms.ToolCall // of tools, in the text of the reply
	material  []string        // what the prompt shows to answer from
	untrusted bool            // others than the asker and we wrote some of the prompt
	cut       string          // received, of a character that is not complete
	buffer    string          // received, not yet released
	implied   bool            // the verb: the reply did not begin with one
	wrapped   bool            // the whole reply stands in a code block, which is left out
	tagged    bool            // or in a tag
	holding   bool            // the reply opens with a question in plain words: held until it shows whether it offers a choice
	decided   bool            // it is known whether it does
	fenced    bool            // inside a code block
	keyed     bool            // inside a private key, which is left out
	fresh     bool            // at the beginning of a line
	held      string          // sentences without a citation before the first one that has one

	unended  string   // the line before, if its sentence may go on
	ours     bool     // the text to be released is ours and not the model's
	replaced []string // phrases that took the place of sentences
	released strings.Builder
	long     bool            // no more is released: the answer is as long as it may be
	raw      strings.Builder // received
	all      strings.Builder // released, and what would have been
	cited    []docs.Citation
	claims   claims.Answer // what its sentences are judged by
	defects  []string      // why sentences were dropped
	err      error         // of the store
}

// longestAnswer is how many characters of an answer are shown.
const longestAnswer = 12_000

func (r *run) newGate(ctx context.Context) *gate {
	strict := len(r.evidence) > 0
	return &gate{run: r, ctx: ctx, strict: strict, untrusted: strict || r.untrusted, fresh: true, claims: claims.Answer{Request: r.request, Quoted: r.quoted, Strict: strict}}
}

// write takes the next piece of the reply.
func (g *gate) write(chunk string) error {
	chunk = g.cut + chunk
	n := completeRunes(chunk)
	g.cut = chunk[n:]
	g.raw.WriteString(chunk[:n])
	g.buffer = reading.Visible(g.buffer + chunk[:n])
	return g.drain(false)
}

// completeRunes is the length of a text without a last character of which bytes are still to come.
func completeRunes(text string) int {
	for n := len(text) - 1; n >= 0 && n > len(text)-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) && !utf8.FullRuneInString(text[n:]) {
			return n
		}
	}
	return len(text)
}

// finish takes what is left when the reply is complete.
func (g *gate) finish() error {
	g.buffer, g.cut = reading.Visible(g.buffer+g.cut), ""
	if err := g.drain(true); err != nil {
		return err
	}
	g.settle()
	if g.verb == verbCall {
		g.calls = writtenCalls(g.buffer)
	}
	if err := g.drain(true); err != nil {
		return err
	}
	if g.strict && g.speaks() && g.released.Len() == 0 && !claims.Cites(g.raw.String()) {
		return g.general()
	}
	return nil
}

// general releases an answer that cites nothing, beside documents: it is not from them.
func (g *gate) general() error {
	g.strict, g.claims.Strict, g.held, g.defects, g.replaced = false, false, "", nil, nil
	g.verb, g.implied, g.wrapped, g.tagged, g.holding, g.decided, g.fenced, g.keyed, g.fresh = "", false, false, false, false, true, false, false, true
	g.buffer = reading.Visible(g.raw.String())
	return g.drain(true)
}

// speaks reports whether the reply is to be shown.
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
		if n == 0 || g.holds(n) {
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

// next is the length of the next piece that can be judged: a line of code, or a sentence
// with the citations behind it. 0 means that more has to come.
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
	return claims.Next(g.buffer, whole)
}

// pass judges one piece and releases what is left of it.
func (g *gate) pass(piece string) error {
	if g.tagged {
		piece = closeTag.ReplaceAllString(piece, "")
	}
	line := strings.TrimSpace(piece)
	if g.wrapped && !g.fenced && line == "```" {
		return nil // the end of the block around the reply
	}
	fence := (g.fenced || g.fresh) && strings.HasPrefix(line, "```")
	if g.keyed && !fence {
		g.keyed = !endsKey.MatchString(piece)
		return nil
	}
	g.keyed = beginsKey.MatchString(piece) && !endsKey.MatchString(piece)
	g.fresh = strings.HasSuffix(piece, "\n")
	if fence {
		g.fenced = !g.fenced
	}
	if fence || g.fenced {
		return g.release(g.codeLine(piece))
	}
	if line == "" {
		return g.release(piece)
	}
	text, keep, err := g.checkSentence(piece)
	if err != nil {
		g.err = err
		return err
	}
	if !keep {
		if strings.HasSuffix(piece, "\n") && g.released.Len() > 0 && !strings.HasSuffix(g.released.String(), "\n") {
			return g.release("\n")
		}
		return nil
	}
	return g.release(text)
}

// codeLine is a line of a code block as it may leave: addresses that nobody trusted said are cut to their host.
func (g *gate) codeLine(line string) string {
	line = g.run.withoutMarker(untagged(line))
	if g.untrusted {
		line = g.addresses(nil).code(line)
	}
	return hideKeys(line)
}

// hideKeys keeps the end of a line that a key stands on.
func hideKeys(text string) string {
	hidden := reading.HideKeys(text)
	if strings.HasSuffix(text, "\n") && !strings.HasSuffix(hidden, "\n") {
		hidden += "\n"
	}
	return hidden
}

// release shows a text, unless nothing of an answer from documents is cited as yet. Our own words need no citation.
func (g *gate) release(text string) error {
	if g.strict && len(g.cited) == 0 && !g.ours {
		g.held += text
		return nil
	}
	if g.strict && len(g.cited) == 0 {
		g.held = ""
	}
	text = g.held + text
	g.held, g.ours = "", false
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

// fitting is what of the next text there is room for in an answer: a sentence or a line of code as a whole, but for the
// very first. What comes after one that does not fit is not shown.
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
