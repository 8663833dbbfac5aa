package agent

import (
	"context"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
)

// gate reads a model's reply as it streams in and releases the answer a sentence at a time,
// once the sentence has passed its checks.
type gate struct {
	run     *run
	ctx     context.Context
	strict  bool   // the answer is to come from documents
	verb    string // of the first line: "", then ANSWER, ASK, SEARCH or NOTFOUND
	buffer  string // received, not yet released
	implied bool   // the verb: the reply did not begin with one
	wrapped bool   // the whole reply stands in a code block, which is left out
	tagged  bool   // or in a tag
	holding bool   // the reply opens with a question in plain words: held until it shows whether it offers a choice
	decided bool   // it is known whether it does
	fenced  bool   // inside a code block
	fresh   bool   // at the beginning of a line
	held    string // sentences without a citation before the first one that has one

	said     string // the last words the model wrote, to find the system prompt across sentences
	released strings.Builder
	cited    []docs.Citation
	claims   claims.Answer // what its sentences are judged by
	open     string        // texts whose addresses may be repeated, folded; made when first needed
	defects  []string      // why sentences were dropped
	err      error         // of the store
}

func (r *run) newGate(ctx context.Context, strict bool) *gate {
	g := &gate{run: r, ctx: ctx, strict: strict, fresh: true, claims: claims.Answer{Request: r.request, Quoted: r.quoted, Strict: strict}}
	if r.recalling() {
		g.claims.Past = r.past()
	}
	return g
}

// write takes the next piece of the reply.
func (g *gate) write(chunk string) error {
	g.buffer += chunk
	return g.drain(false)
}

// finish takes what is left when the reply is complete.
func (g *gate) finish() error {
	if err := g.drain(true); err != nil {
		return err
	}
	g.settle()
	return g.drain(true)
}

func (g *gate) drain(whole bool) error {
	if g.verb == "" && !g.readVerb(whole) {
		return nil
	}
	if g.verb != verbAnswer {
		return nil // the rest is one JSON object, read at the end
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

// codeLine is a line of a code block: as it is, but for keys, and for addresses where
// documents were shown.
func (g *gate) codeLine(line string) string {
	line = secrets.ReplaceAllString(line, "***")
	if g.strict {
		line, _ = g.addresses(nil).filter(line)
	}
	return line
}

// release shows a text, unless nothing of an answer from documents is cited as yet.
func (g *gate) release(text string) error {
	if g.strict && len(g.cited) == 0 {
		g.held += text
		return nil
	}
	text = g.held + text
	g.held = ""
	if g.released.Len() == 0 {
		text = strings.TrimLeft(text, "\n")
		if a := g.run.understanding.assumed; a != "" && text != "" {
			text = a + "\n\n" + text
		}
	}
	if text == "" {
		return nil
	}
	g.released.WriteString(text)
	g.run.emit(Progress{Text: text})
	return g.ctx.Err()
}
