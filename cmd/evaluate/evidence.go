package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

type evidence struct {
	PDFs      string `name:"pdfs" type:"existingdir" xor:"source" required:"" help:"Folder of the documents, DOC.pdf each; questions about others are left out."`
	Pages     string `type:"existingfile" xor:"source" required:"" help:"Instead of PDFs: {doc, pages[]}, the text of each page."`
	Questions string `required:"" type:"existingfile" help:"Questions: {id, doc, question, pages[] (0-based), evidence[{page, text}]}."`
	Queries   string `type:"existingfile" help:"What a model searches for: {id, queries[]}, for questions by id. Then measured too: pages found by that one search."`
	Window    int    `help:"The model's window in tokens; 0 if it is not known."`
	JSON      bool   `name:"json" help:"Print one JSON object per question, and the summary last."`
}

type asked struct {
	ID       string  `json:"id"`
	Doc      string  `json:"doc"`
	Gold     []int   `json:"gold"`           // pages, 1-based
	Shown    []int   `json:"shown"`          // those of them that the first prompt shows
	Found    []int   `json:"found"`          // those of them that a prompt shows, after the model's own search too
	AskedBy  bool    `json:"asked_by_rule"`  // a question came back, and the model was not called
	Changed  bool    `json:"words_changed"`  // the person's words do not stand in the last message of the first prompt
	MayLook  bool    `json:"search_left"`    // at the first call
	Reach    bool    `json:"reachable"`      // a gold page is shown, or a search is left
	Cover    float64 `json:"evidence_cover"` // share of the words of the evidence that the first prompt holds
	Tokens   int     `json:"prompt_tokens"`  // of the first prompt without the system text
	Calls    int     `json:"calls"`
	Question string  `json:"question"`
}

func (e *evidence) Run(ctx context.Context) error {
	questions, err := readRecords[retrievalQuestion](e.Questions)
	if err != nil {
		return err
	}
	queries, err := e.queries()
	if err != nil {
		return err
	}
	store, closeStore, err := tempStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	documents, err := e.documents()
	if err != nil {
		return err
	}
	engine := pdfium.New(pdfium.Options{FileTimeout: time.Minute})
	defer engine.Close()
	index := &docs.Index{Store: store, Engine: engine}
	rooms := map[string]place{}
	var all []asked
	for _, q := range questions {
		data, ok := documents[q.Doc]
		if !ok {
			continue
		}
		room, ok := rooms[q.Doc]
		if !ok {
			if room, err = postAlone(ctx, store, index, q.Doc, data); err != nil {
				return err
			}
			rooms[q.Doc] = room
		}
		calls, reply, err := room.ask(ctx, q.Question, e.Window, queries[q.ID]...)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		all = append(all, judgeTurn(q, calls, reply))
	}
	if len(all) < len(questions) {
		fmt.Fprintf(os.Stderr, "%d questions are about other documents\n", len(questions)-len(all))
	}
	return e.report(os.Stdout, all)
}

type file struct {
	name, media string
	open        func() (io.ReadCloser, error)
}

func (e *evidence) documents() (map[string]file, error) {
	all := map[string]file{}
	if e.PDFs != "" {
		paths, err := filepath.Glob(filepath.Join(e.PDFs, "*.pdf"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			f := file{filepath.Base(path), "application/pdf", func() (io.ReadCloser, error) { return os.Open(path) }}
			all[f.name], all[strings.TrimSuffix(f.name, ".pdf")] = f, f
		}
		return all, nil
	}
	records, err := readRecords[pagedDocument](e.Pages)
	for _, d := range records {
		all[d.Doc] = file{d.Doc + ".txt", "text/plain", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(d.text())), nil }}
	}
	return all, err
}

// postAlone posts a document in a private channel, where nothing else is seen. Questions are asked there and not stored: each
// is the first message.
func postAlone(ctx context.Context, store *memory.Store, index *docs.Index, doc string, f file) (place, error) {
	room, err := open(ctx, store, memory.Key{Platform: "evaluate", Workspace: "w", Channel: doc}, memory.Private)
	if err != nil {
		return room, err
	}
	data, err := f.open()
	if err != nil {
		return room, err
	}
	defer data.Close()
	if _, err := index.Add(ctx, docs.Upload{Session: room.session, PersonID: room.person.ID, Name: f.name, Media: f.media, Data: data}, nil); err != nil {
		return room, fmt.Errorf("read %s: %w", f.name, err)
	}
	return room, nil
}

// queries are what a model searches for, by the question's id.
func (e *evidence) queries() (map[string][]string, error) {
	all := map[string][]string{}
	if e.Queries == "" {
		return all, nil
	}
	records, err := readRecords[struct {
		ID      string
		Queries []string
	}](e.Queries)
	for _, r := range records {
		all[r.ID] = r.Queries
	}
	return all, err
}

// judgeTurn judges the prompts of a turn.
func judgeTurn(q retrievalQuestion, calls []sent, reply *agent.Reply) asked {
	a := asked{ID: q.ID, Doc: q.Doc, Gold: []int{}, Calls: len(calls), Question: q.Question,
		AskedBy: len(calls) == 0 && reply.Question != nil, Changed: true}
	var first sent
	if len(calls) > 0 {
		first = calls[0]
		a.Changed, a.MayLook = !strings.Contains(first.request(), q.Question), first.mayLook()
		a.Tokens = memory.Count(first.text())
	}
	for _, page := range q.Pages {
		a.Gold = append(a.Gold, page+1)
	}
	a.Shown, a.Found = first.goldPages(q), []int{}
	for _, call := range calls {
		for _, page := range call.goldPages(q) {
			if !slices.Contains(a.Found, page) {
				a.Found = append(a.Found, page)
			}
		}
	}
	a.Cover = cover(q, first.text())
	a.Reach = len(a.Shown) > 0 || a.MayLook
	return a
}

// goldPages are the pages of the evidence that the prompt shows, 1-based.
func (s sent) goldPages(q retrievalQuestion) []int {
	pages := []int{}
	words := " " + strings.Join(rank.Words(s.text()), " ") + " "
	for _, page := range q.Pages {
		shown := s.showsPage(page + 1)
		for _, e := range q.Evidence { // without a head that names the page
			text := strings.Join(rank.Words(e.Text), " ")
			shown = shown || e.Page == page && text != "" && strings.Contains(words, " "+text+" ")
		}
		if shown {
			pages = append(pages, page+1)
		}
	}
	return pages
}

// showsPage reports whether a passage of a page, or the page, stands in the prompt.
func (s sent) showsPage(page int) bool {
	for _, head := range pageHead.FindAllStringSubmatch(s.text(), -1) {
		if head[1] == strconv.Itoa(page) {
			return true
		}
	}
	return false
}

// report prints the questions and what they come to.
func (e *evidence) report(w io.Writer, all []asked) error {
	m := newMean()
	var tokens []int
	for _, a := range all {
		m.add("asked by rule", one(a.AskedBy))
		m.add("changed", one(a.Changed))
		m.add("search left", one(a.MayLook))
		m.add("calls", float64(a.Calls))
		tokens = append(tokens, a.Tokens)
		if len(a.Gold) > 0 {
			m.add("any page", one(len(a.Shown) > 0))
			m.add("all pages", one(len(a.Shown) == len(a.Gold)))
			m.add("cover", a.Cover)
			m.add("reachable", one(a.Reach))
			if e.Queries != "" {
				m.add("any found", one(len(a.Found) > 0))
				m.add("all found", one(len(a.Found) == len(a.Gold)))
			}
		}
	}
	r := m.row("questions")
	r.percentiles("tokens", tokens)
	columns := []string{"asked by rule", "changed", "any page", "all pages", "cover", "search left", "reachable", "tokens p50", "tokens p95", "calls"}
	if e.Queries != "" {
		columns = append(columns, "any found", "all found")
	}
	if !e.JSON {
		return show(w, false, columns, []row{r})
	}
	out := json.NewEncoder(w)
	var errs []error
	for _, a := range all {
		errs = append(errs, out.Encode(a))
	}
	return errors.Join(append(errs, out.Encode(r))...)
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
