package agent

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tmc/langchaingo/chains"
	"github.com/uptrace/bun"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/agent/spend"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// talk is a conversation under test: a store, a chain and a clock.
type talk struct {
	t         *testing.T
	store     *memory.Store
	path      string // of the store
	chain     *Chain
	server    *fakemodel.Server // nil without a model
	session   *memory.Session
	now       time.Time
	last      *Reply
	asked     *memory.Question // open
	emitted   string
	new       []*memory.Document
	kind      memory.ChannelKind // of the channel, Public if empty
	channel   int
	thread    int
	overheard bool
	link      func(memory.Key, string) string
	readBack  func(context.Context, string, int64) (ReadBack, error)
	window    int     // of the model, 0 for a large one that counts tokens as we do
	counting  float64 // tokens that it counts for one of ours
	files     int     // answers that were too long to be shown whole
	lookup    string  // the call of a model that obeys, before it is shown an order
	ordered   string  // what it is ordered by a few words
	held      func(context.Context, memory.Shown) error
	progress  func(Progress) // what respond tells; nil for nobody
	places    map[string]int // their threads
	messages  []*memory.Message
	documents map[string]*memory.Document
}

// emptyStore is the file of a store that holds nothing: most of the time of a short conversation goes into making one.
var emptyStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "agent-store-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "empty.db")
	store, err := memory.Open(context.Background(), file)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

func newTalk(t *testing.T, script string) *talk {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "test.db")
	data, err := emptyStore()
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	store, err := memory.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	k := &talk{t: t, store: store, path: file, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		chain: &Chain{Store: store, Index: &docs.Index{Store: store}, Clarify: ClarifyWhenHelps}}
	store.Now = func() int64 { return k.now.UnixMilli() }
	k.person("Ada")
	if script != "" {
		k.useModel(script)
	}
	return k
}

func (k *talk) useModel(script string) {
	k.t.Helper()
	rules, err := fakemodel.Parse(script)
	if err != nil {
		k.t.Fatal(err)
	}
	counts := memory.Count
	if k.window > 0 {
		counts = func(text string) int { return int(float64(memory.Count(text)) * k.counting) }
	}
	k.serve(fakemodel.Options{Script: rules, Count: counts})
}

// serve gives the chain a scripted model.
func (k *talk) serve(o fakemodel.Options) {
	k.t.Helper()
	var err error
	if k.server, err = fakemodel.Start(o); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(k.server.Close)
	k.chain.Name, k.chain.Budget.Window = "fake", 128_000
	k.chain.Model, err = model.Open(model.Options{Model: "fake", OpenAIBaseURL: k.server.URL(), Retries: -1, Window: k.window})
	if err != nil {
		k.t.Fatal(err)
	}
	if k.window > 0 {
		k.chain.Model, k.chain.Budget.Window = &spend.Meter{Model: k.chain.Model, Name: "fake", Store: k.store}, 0
	}
}

func (k *talk) person(name string) *memory.Person {
	k.t.Helper()
	key := memory.Key{Platform: "test", Workspace: "w", Channel: fmt.Sprint("c", k.channel), Thread: fmt.Sprint("t", k.thread)}
	session, person, err := k.store.Locate(context.Background(), key, memory.Channel{Kind: cmp.Or(k.kind, memory.Public)},
		memory.Person{PlatformID: strings.ToLower(name), Name: name})
	if err != nil {
		k.t.Fatal(err)
	}
	k.session = session
	return person
}

// say stores one message without a turn.
func (k *talk) say(author, text string) *memory.Message {
	k.t.Helper()
	return k.sayAll([2]string{author, text})[0]
}

// sayAll stores messages, each an author and a text, in one transaction.
func (k *talk) sayAll(lines ...[2]string) []*memory.Message {
	k.t.Helper()
	people := map[string]int64{"bot": 0}
	for _, l := range lines {
		if _, ok := people[l[0]]; !ok {
			people[l[0]] = k.person(l[0]).ID
		}
	}
	var said []*memory.Message
	err := k.store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		for _, l := range lines {
			m, err := k.insert(ctx, tx, l[0], people[l[0]], l[1])
			if err != nil {
				return err
			}
			said = append(said, m)
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.messages = append(k.messages, said...)
	return said
}

func (k *talk) insert(ctx context.Context, tx bun.Tx, author string, person int64, text string) (*memory.Message, error) {
	role := memory.User
	if author == "bot" {
		role = memory.Assistant
	}
	k.now = k.now.Add(time.Minute)
	i := memory.Interaction{SessionID: k.session.ID, PersonID: person, State: memory.InteractionClosed, CreatedAt: k.now.UnixMilli()}
	var err error
	if role == memory.Assistant {
		err = tx.NewSelect().Model(&i).Where("session_id = ?", k.session.ID).Order("id DESC").Limit(1).Scan(ctx)
	} else {
		_, err = tx.NewInsert().Model(&i).ExcludeColumn("id").Returning("id").Exec(ctx)
	}
	if err != nil {
		return nil, err
	}
	m := &memory.Message{SessionID: k.session.ID, ChannelID: k.session.ChannelID, InteractionID: i.ID, PersonID: person, Role: role,
		Author: author, Text: text, Terms: memory.SpokenTerms(author, k.now.UnixMilli(), text), Tokens: memory.CountMessage(role, text),
		PlatformID: fmt.Sprint(k.now.UnixNano()), At: k.now.UnixMilli(), Rev: 1}
	_, err = tx.NewInsert().Model(m).ExcludeColumn("id").Returning("id").Exec(ctx)
	return m, err
}

// document stores a document whose pages are given, as package docs would.
func (k *talk) document(name string, pages ...string) *memory.Document {
	k.t.Helper()
	d := &memory.Document{SessionID: k.session.ID, ChannelID: k.session.ChannelID, Name: name,
		NameTerms: strings.Join(rank.Terms(name), " "), State: memory.DocumentReady, CreatedAt: k.now.UnixMilli()}
	err := k.store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		err := tx.NewRaw(`INSERT INTO contents (sha256, media, size, pages, pages_done, chars, first_terms, state, created_at)
			VALUES (?, 'text/plain', 1, ?, ?, 1, ?, 'ready', 1) RETURNING id`,
			name, len(pages), len(pages), strings.Join(rank.Terms(pages[0]), " ")).Scan(ctx, &d.ContentID)
		if err != nil {
			return err
		}
		for i, text := range pages {
			if _, err := tx.NewRaw(`INSERT INTO pages (content_id, number, text) VALUES (?, ?, ?)`, d.ContentID, i+1, text).Exec(ctx); err != nil {
				return err
			}
			for at := 0; at < len(text); at += 900 {
				end := min(at+900, len(text))
				if _, err := tx.NewRaw(`INSERT INTO passages (content_id, page, start_at, end_at, terms) VALUES (?, ?, ?, ?, ?)`,
					d.ContentID, i+1, at, end, strings.Join(rank.Terms(text[at:end]), " ")).Exec(ctx); err != nil {
					return err
				}
			}
		}
		_, err = tx.NewInsert().Model(d).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	if k.documents == nil {
		k.documents = map[string]*memory.Document{}
	}
	k.documents[name] = d
	return d
}

// turn says a text and answers it, as the bot does.
func (k *talk) turn(author, text string, choice int) *Reply {
	k.t.Helper()
	m := k.say(author, text)
	person := k.person(author)
	audience, err := k.store.Audience(context.Background(), k.session.ID, person.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	turn := Turn{Session: k.session, Audience: audience, Person: person, Messages: []*memory.Message{m},
		Question: k.asked, Choice: choice, New: k.new, Now: k.now, Overheard: k.overheard, Link: k.link, Held: k.held, ReadBack: k.readBack}
	if k.asked != nil {
		k.closeQuestion(memory.QuestionAnswered, choice)
	}
	k.emitted, k.asked, k.new = "", nil, nil
	out, err := chains.Call(context.Background(), k.chain, map[string]any{InputTurn: turn,
		InputEmit: func(p Progress) { k.emitted += p.Text }})
	if err != nil {
		k.t.Fatalf("%q: %v", text, err)
	}
	k.last = out[OutputReply].(*Reply)
	k.asked = k.last.Question
	if k.emitted != k.last.Text && k.last.Checks.Judged == 0 {
		k.t.Errorf("%q: emitted %q, replied %q", text, k.emitted, k.last.Text)
	}
	if k.last.Understanding.Method == "" || k.last.Understanding.RewrittenQuery != "" && k.last.Understanding.PossibleInterpretations == nil {
		k.t.Errorf("%q: no understanding: %+v", text, k.last.Understanding)
	}
	if u := k.last.Ledger; u.PromptTokens+u.CompletionTokens > 4*capTurn {
		k.t.Errorf("%q: over the cap: %+v", text, u)
	}
	ours := k.say("bot", k.last.Text)
	k.keepCitations(ours)
	if k.asked != nil {
		k.keepQuestion(ours)
	}
	return k.last
}

// keepCitations stores those of our answer as the bot does.
func (k *talk) keepCitations(ours *memory.Message) {
	k.t.Helper()
	err := k.store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		for _, c := range k.last.Citations {
			row := memory.Citation{MessageID: ours.ID, N: c.N, DocumentID: c.DocumentID, Page: c.Page, Place: c.Place, Quote: c.Quote}
			if _, err := tx.NewInsert().Model(&row).ExcludeColumn("id").Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// keepQuestion stores the open question as the bot does.
func (k *talk) keepQuestion(ours *memory.Message) {
	k.t.Helper()
	q := *k.asked
	q.Token, q.State, q.AskedID, q.CreatedAt = fmt.Sprint("q", ours.ID), memory.QuestionOpen, ours.ID, ours.At
	err := k.store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&q).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.asked = &q
}

// closeQuestion closes the open question as the bot does.
func (k *talk) closeQuestion(state memory.QuestionState, choice int) {
	k.t.Helper()
	answer := ""
	switch {
	case choice >= 0:
		answer = k.asked.Options[choice].Label
	case choice == ChoiceJustAnswer:
		answer = memory.AnswerJust
	case state == memory.QuestionAnswered:
		answer = memory.AnswerInWords
	}
	if _, err := k.store.Queue.CloseQuestion(context.Background(), k.asked.ID, answer, state); err != nil {
		k.t.Fatal(err)
	}
}

// Each file of testdata is a conversation. A line "model:" begins a script of package
// fakemodel, which ends with "end". "doc NAME" is followed by indented lines, its text; "---" is a new page. "[DATE AUTHOR] TEXT"
// was said before, "AUTHOR> TEXT" is a turn. "fill N" are N interactions about something else,
// "pick N" and "reply TEXT" answer the last question. The lines below a turn are what must hold:
// has, not, silent, route, calls, cites, asks (options that must be among those offered) and method.
// The steps about memory are in conversation_memory_test.go.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			play(t, string(text))
		})
	}
}

// play plays a conversation.
func play(t *testing.T, text string) *talk {
	t.Helper()
	k := newTalk(t, "")
	lines := bufio.NewScanner(strings.NewReader(text))
	var script, doc []string
	name, scripting := "", false
	flush := func() {
		if name != "" {
			pages := strings.Split(strings.Join(doc, "\n"), "\n---\n")
			if title, of, ok := strings.Cut(name, " of "); ok {
				name, pages = title, amid(of, pages)
			}
			k.new = append(k.new, k.document(name, pages...))
			name, doc = "", nil
		}
	}
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case scripting && line == "end":
			scripting = false
			k.useModel(strings.Join(script, "\n"))
		case scripting:
			script = append(script, line)
		case name != "" && strings.HasPrefix(line, "  "):
			doc = append(doc, strings.TrimPrefix(line, "  "))
		default:
			flush()
			if line == "model:" {
				scripting = true
			} else if rest, ok := strings.CutPrefix(line, "doc "); ok {
				name = rest
			} else if line != "" && line[0] != '#' {
				k.step(n, line)
			}
		}
	}
	return k
}

// amid are that many pages, these in their middle.
func amid(many string, pages []string) []string {
	n, _ := strconv.Atoi(many)
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("Inspection %d. The crew of shift %d oiled valve %d, noted its pressure, and found nothing worth a report. ", i+1, i%3+1, i+1)
		all[i] = strings.Repeat(all[i], 12)
	}
	copy(all[n/2:], pages)
	return all
}

func (k *talk) step(n int, line string) {
	k.t.Helper()
	if line[0] == '[' {
		head, text, _ := strings.Cut(line[1:], "] ")
		date, author, _ := strings.Cut(head, " ")
		at, err := time.Parse(time.DateOnly, date)
		if err != nil {
			k.t.Fatalf("line %d: %v", n, err)
		}
		if at.After(k.now) {
			k.now = at.Add(9 * time.Hour)
		}
		k.say(author, text)
		return
	}
	if author, text, ok := strings.Cut(line, "> "); ok && !strings.ContainsAny(author, " :") {
		if k.asked != nil { // what is said instead of an answer is a new request
			k.closeQuestion(memory.QuestionCancelled, ChoiceNone)
			k.asked = nil
		}
		k.turn(author, text, ChoiceNone)
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	number, _ := strconv.Atoi(rest)
	switch word {
	case "upload":
		k.turn("Ada", "", ChoiceNone)
	case "fill":
		var lines [][2]string
		for i := range number {
			dish := []string{"soup", "pasta with sage", "rice and beans", "salad"}[i%4]
			lines = append(lines, [2]string{"Ada", fmt.Sprintf("Lunch idea %d: %s.", i, dish)}, [2]string{"bot", "That sounds good."})
		}
		k.sayAll(lines...)
	case "paste":
		var b strings.Builder
		for i := range number {
			fmt.Fprintf(&b, "Log entry %d: worker finished its batch without errors.\n", i)
			if i == number/2 {
				b.WriteString("The retry limit of the billing queue is 17 attempts.\n")
			}
		}
		k.say("Ada", b.String())
	case "reply":
		k.turn("Ada", rest, ChoiceNone)
	case "pick":
		k.turn("Ada", k.asked.Options[number-1].Label, number-1)
	case "just-answer":
		k.turn("Ada", "Just answer", ChoiceJustAnswer)
	case "clarify":
		k.chain.Clarify = Clarify(rest)
	default:
		if !k.remember(n, strings.TrimSuffix(word, ":"), rest) {
			k.expect(n, strings.TrimSuffix(word, ":"), rest)
		}
	}
}

func (k *talk) expect(n int, word, rest string) {
	k.t.Helper()
	number, _ := strconv.Atoi(rest)
	ok := false
	var have any = k.last.Text
	switch word {
	case "has":
		ok = strings.Contains(k.last.Text, rest)
	case "not":
		ok = !strings.Contains(strings.ToLower(k.last.Text), strings.ToLower(rest))
	case "route":
		have = k.last.Ledger.Route
		ok = have == rest
	case "calls":
		have = k.last.Ledger.ModelCalls
		ok = have == number
	case "tokens": // at most
		have = k.last.Ledger.PromptTokens + k.last.Ledger.CompletionTokens
		ok = have.(int) < number
	case "cites":
		have = k.last.Citations
		ok = len(k.last.Citations) == number
	case "page":
		have = k.last.Citations
		ok = slices.ContainsFunc(k.last.Citations, func(c docs.Citation) bool { return c.Page == number })
	case "asks":
		have = k.last
		ok = k.last.Question != nil
		for want := range strings.SplitSeq(rest, " | ") {
			ok = ok && (want == "" || slices.ContainsFunc(k.last.Question.Options, func(o memory.Option) bool { return strings.Contains(o.Label, want) }))
		}
		ok = ok && len(k.last.Question.Options) >= 2 && len(k.last.Question.Options) <= 4 && k.last.Understanding.IsAmbiguous
	case "answers":
		ok = k.last.Question == nil
	case "query":
		have = k.last.Understanding.RewrittenQuery
		ok = have == rest
	case "method":
		have = k.last.Understanding.Method
		ok = have == rest
	case "silent": // the error alone is shown
		ok = k.last.Text == "" && k.last.Err != nil
	case "partial":
		have = k.last.Err
		ok = k.last.Partial && k.last.Err != nil
	default:
		k.t.Fatalf("line %d: what is %q?", n, word)
	}
	if !ok {
		k.t.Errorf("line %d: %s %s: have %v", n, word, rest, have)
	}
}
