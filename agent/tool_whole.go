package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

var readWhole = tool{
	name:        "read_whole",
	description: "Read whole documents that are shown in part: for a summary, key findings, risks. You are shown notes. With points, people are shown a table that compares the documents, and you say what stands out.",
	parameters: map[string]any{"required": []string{"documents"}, "properties": map[string]any{
		"documents": listSchema("short names"), "question": textSchema("left out: what matters"), "points": listSchema("to compare, up to eight")}},
	audience: readsDocuments,
	run:      (*toolUse).readWholeDocuments,
}

func (w *toolUse) readWholeDocuments(ctx context.Context, arguments json.RawMessage) (result, error) {
	var in struct{ Documents, Document, Question, Points json.RawMessage }
	if json.Unmarshal(arguments, &in) != nil {
		return failed("The arguments could not be read."), nil
	}
	scope, problem := w.wholeScope(slices.Concat(texts(in.Documents), texts(in.Document)))
	if problem.quality != "" {
		return problem, nil
	}
	wanted := wish{documents: scope}
	for _, p := range texts(in.Points) {
		if p = reading.Shorten(reading.CollapseSpace(p), 60); !slices.Contains(wanted.points, p) {
			wanted.points = append(wanted.points, p)
		}
	}
	if wanted.table = len(wanted.points) > 0; len(wanted.points) > mostPoints {
		return failed("At most %d points.", mostPoints), nil
	}
	if q := reading.CollapseSpace(loose(in.Question)); !wanted.table && q != "" && !w.sums(q) {
		wanted.points = []string{reading.Shorten(q, 300)}
	}
	return w.take(ctx, wanted)
}

// wholeScope are the documents to be read whole, or the result that says why they are not.
func (w *toolUse) wholeScope(names []string) (library, result) {
	scope, unknown := w.scope(names)
	switch {
	case len(w.library) == 0:
		return nil, result{quality: resultEmpty, next: "There are no documents here."}
	case unknown != "":
		return nil, failed("There is no document %s; list_documents tells the names.", unknown)
	case w.turn.Overheard:
		return nil, failed("Only for what is asked of you.")
	case w.askedToRead() && !w.mayReadAll():
		return nil, failed("The person does not want that; answer from the pages shown.")
	case len(scope) > mostWhole:
		return nil, failed("At most %d documents at a time.", mostWhole)
	}
	return scope, result{}
}

const mostWhole = 12 // documents that are read whole at a time

// take reads what is wished for and shows the notes in the prompts to come. The same request does not need to be understood
// again.
func (w *toolUse) take(ctx context.Context, wanted wish) (result, error) {
	if w.complete && !wanted.table {
		return result{quality: resultRepeat, next: "The documents are shown whole; answer from them."}, nil
	}
	if w.opened != nil {
		return result{quality: resultRepeat, next: "There is a comparison already."}, nil
	}
	if err := w.keepWish(ctx, wanted); err != nil {
		return result{}, err
	}
	done, question, err := w.readWhole(ctx, wanted)
	if err != nil || question != nil {
		w.question = question
		return result{}, err
	}
	shown, err := w.showNotes(ctx, done)
	if err != nil {
		return result{}, err
	}
	if !shown {
		return failed("They could not be read now; answer from the pages shown."), nil
	}
	return result{quality: resultOK, next: "The notes stand among the pages shown."}, nil
}

// showNotes shows what was found in the prompts to come, and of a comparison the table to people. It is false where nothing
// was read.
func (r *run) showNotes(ctx context.Context, w *wholeReading) (bool, error) {
	if read := r.takeNotes(w); !read || !w.table {
		return read, nil
	}
	if err := r.choose(ctx, w); err != nil {
		return false, err
	}
	return true, r.openWithTable(ctx, w)
}

// comparing are words of a request that sets documents side by side.
const comparing = `compare|comparing|comparison|side by side|versus|vs|vergleich|vergleiche|vergleichen|gegenuberstellung|gegenuber|comparer|comparez|comparaison|compara|comparar|comparacion|comparativa`

// wholeHints point the model at read_whole where the words of the request want it.
func (r *run) wholeHints() []string {
	switch {
	case r.noted || r.digest != nil || r.turn.Overheard || r.askedToRead():
	case len(r.library) > 1 && reading.HasPhrase(r.request, comparing):
		return []string{"a comparison; if it is of documents, read_whole with points shows people a checked table"}
	case len(r.library) > 0 && !r.complete && r.sums(r.request) && !r.aboutThread(r.request):
		return []string{"a summary; the documents are shown in part, read_whole reads all"}
	case len(r.library) > 0 && !r.complete && reading.HasPhrase(r.request, risking):
		return []string{"risks; if those of a document are meant, it is shown in part, read_whole reads all"}
	}
	return nil
}

// compares matches a request that says what to compare documents on.
var compares = reading.Lazy(`(?i)^\s*(?:please\s+|bitte\s+)?(?:compare|vergleiche?|comparez?|compara)\s+(.+?)\s+(?:on|by|regarding|nach|hinsichtlich|bezüglich|sur|selon|en cuanto a|según|por)\s+(.+?)[\s.!]*$`)

const connecting = `and|und|et|y|with|mit|avec|con|to|a`

var listed = reading.Lazy(`\s*(?:[,;]|\s(?:and|und|et|y)\s)\s*`)

// wishOf is what the request plainly wants documents to be read whole for: a summary of one that is named, alone or posted with it,
// the risks of one that is named or posted with it, a comparison that says of what and on what, or what the model wanted for the same request before. nil is for any other request.
func (r *run) wishOf(ctx context.Context) (*wish, error) {
	if r.turn.Overheard || r.quoted != "" || r.digest != nil || len(r.library) == 0 || r.askedToRead() && !r.agreed() {
		return nil, nil
	}
	if w, err := r.rememberedWish(ctx); w != nil || err != nil {
		return w, err
	}
	if m := compares.FindStringSubmatch(r.request); m != nil {
		points := slices.DeleteFunc(listed.Split(m[2], -1), func(p string) bool { return p == "" })
		of := r.library.named(m[1])
		if len(of) == 0 && r.library.allCalled(m[1]) {
			of = r.library
		}
		if len(of) > 1 && len(of) <= mostWhole && len(points) <= mostPoints && of.onlyNames(m[1], connecting) {
			return &wish{documents: of, points: points, table: true}, nil
		}
	}
	w, phrases := &wish{}, summing
	if !r.sums(r.request) {
		if w.points, phrases = []string{dangers}, risking; !reading.HasPhrase(r.request, risking) {
			return nil, nil
		}
	}
	if reading.HasPhrase(r.request, threads) {
		return nil, nil
	}
	of := r.library.named(r.request)
	if posted := r.library.of(r.turn.New); len(of) == 0 && len(posted) == 1 {
		of = posted
	}
	if len(r.library) == 1 && w.points == nil {
		of = r.library
	}
	if len(of) != 1 || !of.onlyNames(r.request, phrases) {
		return nil, nil
	}
	w.documents = of
	return w, nil
}

// readAsAsked reads documents whole for a request that plainly wants it, before the model is asked anything else. A question
// is whether it may; read is false where the turn goes its usual way.
func (r *run) readAsAsked(ctx context.Context) (q *memory.Question, read bool, err error) {
	w, err := r.wishOf(ctx)
	if w == nil || err != nil {
		return nil, false, err
	}
	if !w.table {
		if _, fits, err := r.everyPage(ctx, r.documentRoom(libraryRoom)); fits || err != nil {
			return nil, false, err
		}
	}
	done, q, err := r.readWhole(ctx, *w)
	if q != nil || err != nil {
		return q, false, err
	}
	read, err = r.showNotes(ctx, done)
	return nil, read, err
}

// rememberedWish is what documents were read whole for when the same was asked in this conversation before, nil for
// nothing or if one of them is not there.
func (r *run) rememberedWish(ctx context.Context) (*wish, error) {
	kept, err := r.Store.FindingsNamed(ctx, r.turn.Session.ID, r.hashOfRequest())
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k keptWish
	if json.Unmarshal([]byte(kept.Found), &k) != nil {
		return nil, nil
	}
	w := &wish{points: k.Points, table: k.Table}
	for _, d := range r.library {
		twice := slices.ContainsFunc(w.documents, func(o *memory.Document) bool { return o.ContentID == d.ContentID })
		if slices.Contains(k.Contents, d.ContentID) && !twice {
			w.documents = append(w.documents, d)
		}
	}
	if len(w.documents) < len(k.Contents) {
		return nil, nil
	}
	return w, nil
}

// keepWish stores what documents are to be read whole for, beside the request.
func (r *run) keepWish(ctx context.Context, w wish) error {
	kept := keptWish{Contents: w.documents.contents(), Points: w.points, Table: w.table}
	return r.Store.KeepFindings(ctx, &memory.Findings{ContentID: kept.Contents[0], SessionID: r.turn.Session.ID, Hash: r.hashOfRequest(), Asked: r.turn.Messages[len(r.turn.Messages)-1].ID}, kept)
}

// keptWish is the stored form of a wish.
type keptWish struct {
	Contents []int64  `json:"contents"`
	Points   []string `json:"points,omitempty"`
	Table    bool     `json:"table,omitempty"`
}

// hashOfRequest names a request beside the documents it can be about.
func (r *run) hashOfRequest() string {
	return "request " + hashOf(spelt(r.request), r.library.versions(), r.Name)
}
