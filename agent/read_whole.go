package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// A document that is too long for a prompt is read whole in portions. Each is read in a call of its own, which sees nothing
// else and returns findings with quotes; the reply is made from the findings. They are kept, so that a portion is read once
// for the same.

const (
	portionRoom    = 6_000   // tokens of a portion, less in a small window
	portionsAtOnce = 4       // calls under way at a time
	portionMost    = 15      // findings of a portion
	portionReply   = 2_000   // tokens of its findings at most
	announceAbove  = 60_000  // tokens above which people are told how much reading takes
	confirmAbove   = 150_000 // from which on they are asked first, where Budget.Whole is 0
	mostPoints     = 8       // of a comparison
)

// everything is looked for if nobody named anything in particular.
const everything = "What matters in it: what it is, results and figures with their period, changes and their causes, decisions, obligations and dates, risks and open matters"

// dangers is looked for where people ask for the risks.
const dangers = "Risks and uncertainties that it names: of what, what each may lead to, how large, what is done about it"

// wish is what documents are read whole for.
type wish struct {
	documents library
	points    []string // to look for; none for everything
	table     bool     // the findings are cells of a table
}

// portion is a run of pages that one call reads.
type portion struct {
	document *memory.Document
	first    int // page
	last     int
	text     string
	tokens   int // of the text and the instructions, about
	hash     string
	read     bool
	found    []memory.Finding
}

// wholeReading holds the findings from documents that were read whole.
type wholeReading struct {
	wish
	portions []*portion
	notes    []*weighed                // from them, the weightiest first
	failure  error                     // why a portion could not be read, nil if all were
	chosen   map[cell][]memory.Finding // of a comparison, for the cells that were chosen for; nil for nothing
}

// readWhole reads documents from the first page to the last, as far as that is not kept. Where it would take very much it
// reads nothing and returns the question whether it may. Portions that fail are left unread; the error is the context's or the
// store's.
func (r *run) readWhole(ctx context.Context, w wish) (*wholeReading, *memory.Question, error) {
	for _, d := range w.documents {
		r.tooled = append(r.tooled, shown{document: d.ID})
	}
	if err := r.tell(ctx); err != nil {
		return nil, nil, err
	}
	done := &wholeReading{wish: w}
	for _, d := range w.documents {
		portions, err := r.portionsOf(ctx, d)
		if err != nil {
			return nil, nil, err
		}
		done.portions = append(done.portions, portions...)
	}
	left, err := r.withoutKept(ctx, done)
	if err != nil {
		return nil, nil, err
	}
	cost := 0
	for _, p := range left {
		cost += p.tokens + portionReply/3
	}
	if cost > or(r.Budget.Whole, confirmAbove) && !r.mayReadAll() {
		return nil, r.askToRead(w, cost), r.keepWish(ctx, w)
	}
	return done, nil, r.readPortions(ctx, done, left, cost)
}

// portionsOf divides the pages of a document: before a page that begins with a title, else when a portion is full.
func (r *run) portionsOf(ctx context.Context, d *memory.Document) ([]*portion, error) {
	instructions := memory.Count(render("portion-system", nil)) + 2*messageOverhead
	room := min(portionRoom, r.promptLimit()-instructions-400)
	pages, err := r.Index.Pages(ctx, d.ID)
	if err != nil {
		return nil, fmt.Errorf("count pages: %w", err)
	}
	var all []*portion
	open, size := (*portion)(nil), 0
	for n := 1; n <= pages; n++ {
		text, err := r.page(ctx, d.ID, n)
		if err != nil {
			return nil, err
		}
		text = strings.TrimSpace(text)
		for text != "" { // once, but for a page that is longer than a portion
			piece := text
			if total := memory.Count(text); total > room {
				piece = text[:reading.RuneBoundary(text, max(len(text)*room/total, 1))]
			}
			text = strings.TrimSpace(text[len(piece):])
			cost := memory.Count(piece) + pageOverhead
			line, _, _ := strings.Cut(piece, "\n")
			if open == nil || size+cost > room || size > room/2 && len(reading.TitleLines(line)) > 0 {
				open, size = &portion{document: d, first: n, tokens: instructions}, 0
				all = append(all, open)
			}
			open.last, open.tokens, size = n, open.tokens+cost, size+cost
			open.text += fmt.Sprintf("[page %d]\n%s\n", n, piece)
		}
	}
	return all, nil
}

// withoutKept fills in the stored findings of portions, and returns the other portions.
func (r *run) withoutKept(ctx context.Context, w *wholeReading) (left []*portion, err error) {
	kept, err := r.Store.FindingsIn(ctx, r.turn.Session.ID, w.documents.contents())
	if err != nil {
		return nil, err
	}
	for _, p := range w.portions {
		p.hash = r.hashOf(w.wish, p.text)
		at := slices.IndexFunc(kept, func(f *memory.Findings) bool { return f.Hash == p.hash && f.ContentID == p.document.ContentID })
		if p.read = at >= 0 && json.Unmarshal([]byte(kept[at].Found), &p.found) == nil; !p.read {
			left = append(left, p)
		}
	}
	return left, nil
}

// hashOf names what is found in a text: by the model and its prompt, in which the text and what is looked for stand. The name
// of the document is no part of it.
func (r *run) hashOf(w wish, text string) string {
	asked := w.prompt("", &portion{document: &memory.Document{}, text: text})
	return hashOf(r.Name, textOf(asked[0]), textOf(asked[1]))
}

// keptFor is the conversation that findings are kept for: what was asked is its own; what matters and the risks are anybody's, and
// so is a part of a comparison whose claims have no word of its points that the document does not have.
func (r *run) keptFor(w wish, p *portion) int64 {
	if len(w.points) == 0 || !w.table && w.points[0] == dangers {
		return 0
	}
	asked := strings.Join(w.points, " ")
	if own := reading.TermSet(p.text); w.table && !slices.ContainsFunc(p.found, func(f memory.Finding) bool {
		said := reading.TermSet(f.Claim)
		return slices.ContainsFunc(reading.ContentTerms(asked), func(t string) bool { return said[t] && !own[t] })
	}) {
		return 0
	}
	return r.turn.Session.ID
}

type portionData struct {
	Marker, Name, Text string
	Points             []string
	Table              bool
	Most               int
}

func (w wish) prompt(marker string, p *portion) []llms.MessageContent {
	d := portionData{Marker: marker, Name: fmt.Sprintf("%s, pages %d to %d", oneLine(p.document.Name), p.first, p.last), Text: p.text,
		Points: w.points, Table: w.table, Most: max(portionMost, len(w.points)*3/2)}
	if len(d.Points) == 0 {
		d.Points = []string{everything}
	}
	return messagesOf("portion", d)
}

const portionSchema = `{"type": "object", "additionalProperties": false, "required": ["findings"], "properties": {"findings": {"type": "array",
	"items": {"type": "object", "additionalProperties": false, "required": ["point", "page", "claim", "quote"], "properties": {
		"point": {"type": "integer"}, "page": {"type": "integer"}, "claim": {"type": "string"}, "quote": {"type": "string"}}}}}}`

// readPortions reads portions, a few at a time, and keeps what was found in each as soon as it is checked. cost is what all of
// them take in tokens, about.
func (r *run) readPortions(ctx context.Context, w *wholeReading, portions []*portion, cost int) error {
	type answer struct {
		*portion
		messages []llms.MessageContent
		response *llms.ContentResponse
		failure  error // of the call
		noted    []memory.Finding
		err      error
		again    bool // the reply could not be read, and is asked for again
	}
	calling, cancel := context.WithCancel(model.WithSchema(ctx, "findings", json.RawMessage(portionSchema)))
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	todo, answers := make(chan *portion, len(portions)), make(chan answer, 2*len(portions))
	for _, p := range portions {
		todo <- p
	}
	close(todo)
	asked := r.model("read")
	for range min(portionsAtOnce, len(portions)) {
		working.Go(func() {
			for p := range todo {
				a := answer{portion: p, messages: w.prompt(r.marker, p)}
				for try := 0; try == 0 || a.again; try++ {
					a.response = nil
					if a.failure = cmp.Or(calling.Err(), r.tellAgain(calling)); a.failure == nil {
						a.response, a.failure = r.generate(calling, asked, a.messages, llms.WithMaxTokens(min(portionReply, r.answerRoom())))
					}
					a.noted, a.err = findingsIn(a.response, a.failure)
					a.again = try == 0 && kindOf(a.err) == model.Garbage
					answers <- a
				}
			}
		})
	}
	for i, told := 0, -1; i < len(portions); {
		if told < i {
			r.tellReading(portions, i, cost)
			told = i
		}
		a := <-answers
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !a.again {
			i++
		}
		if a.err == context.Canceled { // not begun, after another one failed
			continue
		}
		if r.countPortion(a.messages, a.response, a.failure); a.again {
			continue
		}
		if a.err != nil {
			r.Log.DebugContext(ctx, "could not read a portion of a document", "document", a.document.ID, "page", a.first, "error", a.err)
			if w.failure == nil {
				w.failure = fmt.Errorf("read pages %d to %d: %w", a.first, a.last, a.err)
			}
			if kind := kindOf(a.err); overBudget(a.err) || kind == model.Auth || kind == model.Quota { // the next would fail for the same reason
				cancel()
			}
			continue
		}
		found, err := r.bearOut(ctx, w.wish, a.portion, a.noted)
		if err != nil {
			return err
		}
		a.portion.found, a.read = found, true
		if err := r.Store.KeepFindings(ctx, &memory.Findings{ContentID: a.document.ContentID, SessionID: r.keptFor(w.wish, a.portion), Hash: a.hash, Page: a.first, Asked: r.turn.Messages[len(r.turn.Messages)-1].ID}, a.found); err != nil {
			return err
		}
	}
	return nil
}

// countPortion enters the call into the ledger. It does not count towards what the turn's own prompts may take: what a
// reading takes is asked for before.
func (r *run) countPortion(messages []llms.MessageContent, response *llms.ContentResponse, err error) {
	p := prompt{messages: messages, stable: model.PromptTokens(messages, nil)}
	calls, beyond := r.spent.ModelCalls, r.beyond
	r.count(p, response, err, "")
	r.portionCalls += r.spent.ModelCalls - calls
	r.beyond = beyond
}

// tellReading shows the progress of the reading, as that in the document of portion i, and its cost if that is high.
func (r *run) tellReading(portions []*portion, i, cost int) {
	if r.turn.Overheard {
		return
	}
	n, of := 0, 0
	for at, p := range portions {
		if p.document == portions[i].document {
			if of++; at <= i {
				n++
			}
		}
	}
	status := fmt.Sprintf(r.say.readingWhole, neutral(oneLine(portions[i].document.Name)), n, of)
	if cost > announceAbove {
		status += " – " + fmt.Sprintf(r.say.takesTokens, cost/1000)
	}
	r.emit(Progress{Status: status})
}

// askToRead asks whether documents may be read whole, and remembers what for.
func (r *run) askToRead(w wish, cost int) *memory.Question {
	var names []string
	for _, d := range w.documents {
		names = append(names, plainName(d.Name))
	}
	q := r.question(fmt.Sprintf(r.say.mayReadAll, reading.Shorten(strings.Join(names, ", "), 120), cost/1000),
		[]memory.Option{{Label: r.say.readAll, Query: r.request}, {Label: r.say.readBest, Query: r.request}})
	r.understanding.IsAmbiguous = false
	return q
}

// mayReadAll reports whether the person was asked for consent to read documents whole, and said yes, perhaps with more.
func (r *run) mayReadAll() bool {
	return r.agreed() || r.askedToRead() && r.turn.Choice == ChoiceNone && reading.HasPhrase(r.turn.Messages[len(r.turn.Messages)-1].Text, consent)
}

// agreed reports whether they said nothing but yes.
func (r *run) agreed() bool {
	if !r.askedToRead() || r.turn.Choice != ChoiceNone {
		return r.askedToRead() && r.turn.Choice == 0
	}
	said, label := r.turn.Messages[len(r.turn.Messages)-1].Text, r.turn.Question.Options[0].Label
	agreeing := strings.FieldsFunc(consent+"|"+courteous+"|"+rank.Fold(label), func(c rune) bool { return strings.ContainsRune("| '-", c) })
	return slices.Equal(Picks(said, 2), []int{0}) || (reading.HasPhrase(said, consent) || spelt(said) == spelt(label)) &&
		!slices.ContainsFunc(rank.Words(said), func(w string) bool { return !slices.Contains(agreeing, w) })
}

// consent matches words of agreement, courteous what may stand beside them.
const (
	consent   = `yes|yep|sure|ok|okay|go ahead|please do|do it|ja|gern|gerne|klar|mach|oui|d'accord|vas-y|bien sur|si|claro|vale|adelante`
	courteous = `please|thanks|thank you|bitte|danke|s'il te plait|s'il vous plait|merci|por favor|gracias`
)

// askedToRead reports whether this turn answers such a question.
func (r *run) askedToRead() bool {
	return r.turn.Question != nil && asksToRead(r.turn.Question)
}

func asksToRead(q *memory.Question) bool {
	if len(q.Options) != 2 {
		return false
	}
	for _, p := range phrasesIn {
		if q.Options[0].Label == p.readAll {
			return true
		}
	}
	return false
}

// onlyNames reports whether a text says nothing but the names of documents, words that are in every request, and the words of
// some phrases.
func (l library) onlyNames(text, phrases string) bool {
	for _, w := range rank.Words(text) {
		named := slices.ContainsFunc(l, func(d *memory.Document) bool {
			words := rank.Words(d.Name)
			return slices.Contains(words, w) || len(w) > 2 && strings.Contains(strings.Join(words, ""), w) || calledBy(d.Name, []string{w}) != ""
		})
		if !named && !commonWord(w) && !slices.Contains(strings.FieldsFunc(phrases, func(c rune) bool { return c == '|' || c == ' ' }), w) {
			return false
		}
	}
	return true
}
