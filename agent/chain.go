package agent

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"threadkeeper/agent/claims"
	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// run is one running turn.
type run struct {
	*Chain
	turn          Turn
	emit          func(Progress)
	say           *phrases
	request       string   // the request: the last message, consolidated after a clarifying question
	quoted        string   // the quote that opens it and that it is about; "" for none
	marker        string   // fences of untrusted text in the prompts of this turn
	addresses     []string // trusted ones; nil until needed
	untrusted     bool     // people other than the asker wrote some of what the model sees
	started       time.Time
	spent         memory.Ledger
	portionCalls  int             // calls that read portions of documents
	beyond        int             // tokens spent beyond the system text and the history
	history       *memory.History // up to and without the messages of this turn
	library       library         // ready, and chosen if some were chosen
	posted        library         // the pictures, which are not part of it
	looked        []int64         // documents shown to the model as pictures, or whose words it keeps
	pictured      pictured
	poor          []spot               // poor scans among the pictures
	leftOut       bool                 // the model has not seen them
	understanding memory.Understanding // how the request was read
	route         route

	settled *memory.Question // that was asked before about the same words; nil for none
	chosen  string           // opens an answer by what it chose: says so
	unheard bool             // the person leaves our questions unanswered

	carried  []memory.Carried // from other conversations
	recalled []memory.Recalled
	brought  []memory.Recalled // by tools, in this turn
	quotes   map[int64]bool    // messages of these that a reply without a model repeats
	tooled   []shown           // of documents, likewise
	queries  []string          // that tools searched for
	digest   *catchingUp       // if the request asks for one, nil for any other request
	places   map[int64]string  // by message: its channel and link, as a prompt shows them
	links    []string          // those of the lines shown
	told     int               // how much of the prompts' content Turn.Held knows about

	words    string                      // the request as the person wrote it
	given    int                         // tokens of it and of the quote, as the prompts show them
	spare    int                         // tokens that the instructions and these leave of the first prompt
	free     int                         // tokens that the last prompt left, or that its recalled lines and results took
	evidence []shown                     // of the documents, for all prompts of the turn
	nothing  bool                        // a search found no answer, or the model says so
	complete bool                        // the evidence is everything in the documents
	allRead  bool                        // no page of them is still to be read
	noted    bool                        // the evidence is notes from a reading of whole documents
	opened   *gate                       // for the table that the reply opens with
	letters  map[int64]string            // of the documents in that table, by id
	unread   error                       // why some of them could not be read
	notRead  []string                    // and which, in words
	snapshot string                      // as the prompts show it
	past     []string                    // and the lines of the history after it
	zone     *time.Location              // of their times, nil where nobody's is known
	asked    bool                        // the window is what the model tells
	inPast   map[int64]bool              // messages those show whole
	options  map[int64][]memory.Option   // by message of ours: the options of a question
	cited    map[int64][]memory.Citation // and what an answer cited
}

// Respond takes a turn: history, understand, ask or retrieve, answer, check citations.
// It may call emit until it returns, from one goroutine; the emitted texts add up
// to the beginning of Reply.Text, unless Judge settled some of its claims. A failing model is no error: the reply is then Partial. The
// error is the context's, or the store's.
func (c *Chain) Respond(ctx context.Context, t Turn, emit func(Progress)) (*Reply, error) {
	if len(t.Messages) == 0 {
		return nil, fmt.Errorf("agent: a turn without a message")
	}
	for {
		reply, err := c.respond(ctx, t, emit)
		if !errors.Is(err, errSmallerWindow) { // each is smaller than the one before
			return reply, err
		}
	}
}

// errSmallerWindow reports that a model refused a prompt and told of a smaller window: the turn begins again. Nothing was shown.
var errSmallerWindow = errors.New("the model's window is smaller")

func (c *Chain) respond(ctx context.Context, t Turn, emit func(Progress)) (*Reply, error) {
	c = c.using(t.Model)
	asked := c.Model != nil && c.Budget.Window == 0
	if asked {
		own := *c
		own.Budget.Window = model.LimitsOf(ctx, c.Model).Window
		c = &own
	}
	r := &run{Chain: c, turn: t, emit: emit, started: time.Now(), marker: sessionMarker(t.Session), asked: asked}
	if r.emit == nil {
		r.emit = func(Progress) {}
	}
	if r.Log == nil {
		quiet := *c
		quiet.Log = slog.New(slog.DiscardHandler)
		r.Chain = &quiet
	}
	reply, err := r.steps(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("agent: %w", err)
	}
	r.foundBlind(reply)
	r.spent.NotFound = reply.Question == nil && !reply.Silent && reply.Err == nil && (r.nothing || len(reply.Citations) == 0 && claims.Denies(reply.Text))
	if r.route != routeAnswered { // that answer says it
		r.tellPartly(ctx, reply)
	}
	r.tellRead(reply)
	r.spent.Route, r.spent.Millis = string(r.route), time.Since(r.started).Milliseconds()
	if c.Model != nil {
		r.spent.Model = c.Name
	}
	if k := reply.Checks; k.Verified+k.Unchecked+len(k.LeftOut) > 0 {
		r.spent.Verified, r.spent.Unchecked, r.spent.LeftOut = k.Verified, k.Unchecked, len(k.LeftOut)
		r.understanding.Checks = &k
	}
	reply.Ledger, reply.Understanding, reply.Carried = r.spent, r.understanding, r.carried
	if reply.Rests, err = r.restsOn(ctx, reply); err != nil {
		return nil, fmt.Errorf("agent: look up what an answer rests on: %w", err)
	}
	if r.allRead && reply.repeats() {
		reply.Ledger.Answers = r.answers()
	}
	return reply, nil
}

// Names returns the models that a turn may use: Name and those of Models in order; none without a model.
func (c *Chain) Names() []string {
	if c.Model == nil {
		return nil
	}
	return append([]string{c.Name}, slices.Sorted(maps.Keys(c.Models))...)
}

// using returns the chain with its model of this name, or unchanged.
func (c *Chain) using(name string) *Chain {
	m, ok := c.Models[name]
	if !ok {
		return c
	}
	own := *c
	own.Model, own.Name, own.Budget.Window = m, name, 0
	return &own
}

func (r *run) steps(ctx context.Context) (*Reply, error) {
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	if r.Model == nil && r.turn.Overheard { // only a model can tell whether it is for us
		r.understanding = plain(r.request, r.say.because.alone)
		return &Reply{Silent: true}, nil
	}
	if reply, err := r.checkThis(ctx); reply != nil || err != nil {
		return reply, err
	}
	if reply, err := r.computed(ctx); reply != nil || err != nil {
		return reply, err
	}
	if text := r.blind(ctx); text != "" && !r.turn.Overheard {
		r.route, r.understanding = routeChat, plain(r.request, r.say.because.file)
		return r.whole(&Reply{Text: text}), nil
	}
	if r.Model != nil {
		return r.withModelLeading(ctx)
	}
	return r.withoutModel(ctx)
}

func (r *run) load(ctx context.Context) error {
	last := r.turn.Messages[len(r.turn.Messages)-1]
	var err error
	if r.history, err = r.Store.History(ctx, r.turn.Session.ID, last.ID); err != nil {
		return fmt.Errorf("load history: %w", err)
	}
	r.history.Messages = slices.DeleteFunc(r.history.Messages, func(m *memory.Message) bool {
		return slices.ContainsFunc(r.turn.Messages, func(t *memory.Message) bool { return t.ID == m.ID })
	})
	if r.Index != nil {
		all, err := r.Index.List(ctx, r.turn.Audience)
		if err != nil {
			return fmt.Errorf("list documents: %w", err)
		}
		for _, d := range all {
			if d.State != memory.DocumentReady {
				continue
			}
			if d.Picture || docs.SeemsPicture(d.Name, "") && r.TakesPictures(ctx, r.Name) { // one whose text was read is a document, too
				r.posted = append(r.posted, d)
			}
			if !d.Picture && (len(r.turn.Use) == 0 || slices.Contains(r.turn.Use, d.ID)) {
				r.library = append(r.library, d)
			}
		}
	}
	if r.request, err = r.consolidate(ctx, last); err != nil {
		return err
	}
	if r.words = r.pending(); r.agreed() { // to what was asked for before
		r.words = r.request
	}
	r.quoted, r.request = reading.CutQuote(r.request)
	if _, own := reading.CutQuote(r.words); own != "" {
		r.words = own
	}
	said := []string{r.request}
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role == memory.User && m.PersonID == last.PersonID && len(said) < 5 {
			said = append(said, m.Text)
		}
	}
	r.say = speak(said...).at(r.turn, r.Model != nil)
	return r.learnAsked(ctx)
}

// consolidate returns the request to answer: the pending messages joined, or after a
// clarifying question the request that its answer stands for.
func (r *run) consolidate(ctx context.Context, last *memory.Message) (string, error) {
	q := r.turn.Question
	if q == nil {
		return r.pending(), nil
	}
	if r.turn.Choice >= 0 && r.turn.Choice < len(q.Options) {
		return q.Options[r.turn.Choice].Query, nil
	}
	if r.agreed() {
		return q.Options[0].Query, nil
	}
	original, err := r.Store.Message(ctx, q.MessageID)
	if err != nil {
		return "", fmt.Errorf("load the message asked about: %w", err)
	}
	if r.turn.Choice == ChoiceJustAnswer || original.ID == last.ID {
		return strings.TrimSpace(original.Text), nil
	}
	if picked := Picks(last.Text, len(q.Options)); len(picked) > 0 {
		var queries []string
		for _, i := range picked {
			queries = append(queries, q.Options[i].Query)
		}
		return strings.Join(queries, "\n"), nil
	}
	if r.Model == nil && len(r.library.named(last.Text)) == 0 { // our options are documents
		return strings.TrimSpace(last.Text), nil
	}
	return strings.TrimSpace(original.Text) + "\n" + strings.TrimSpace(last.Text), nil
}

func (r *run) pending() string {
	var texts []string
	for _, m := range r.turn.Messages {
		texts = append(texts, strings.TrimSpace(m.Text))
	}
	return strings.TrimSpace(strings.Join(texts, "\n"))
}

// add puts text behind a reply.
func (r *run) add(reply *Reply, text string) {
	reply.Text += text
	r.emit(Progress{Text: text})
}

func (r *run) whole(reply *Reply) *Reply {
	r.emit(Progress{Text: reply.Text})
	return reply
}

// zone returns the person's time zone, as far as known.
func (t Turn) zone() *time.Location {
	if t.Now.IsZero() {
		return time.UTC
	}
	return t.Now.Location()
}

// sessionMarker fences untrusted text in the prompts of a session. It changes when messages are folded, when the provider's
// cache is lost anyway, and when the program restarts; nobody outside can guess it.
func sessionMarker(s *memory.Session) string {
	sum := hmac.New(sha256.New, markerKey())
	fmt.Fprintf(sum, "%d %d", s.ID, s.Watermark)
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

var markerKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // crypto/rand.Read never fails
	return key
})
