package docs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// shelf is an index with documents in it, and a session that may read them.
type shelf struct {
	*Index
	session *memory.Session
	scope   Scope
}

func newShelf(t testing.TB) *shelf {
	t.Helper()
	ctx := context.Background()
	store, err := memory.Open(ctx, t.TempDir()+"/test.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s := &shelf{Index: &Index{Store: store}}
	s.session, s.scope = s.place(t, "c", memory.Public)
	return s
}

// place is a session in a channel, and what can be read there.
func (s *shelf) place(t testing.TB, channel string, kind memory.ChannelKind) (*memory.Session, Scope) {
	t.Helper()
	ctx := context.Background()
	session, person, err := s.Store.Locate(ctx, memory.Key{Platform: "test", Workspace: "w", Channel: channel},
		memory.Channel{Kind: kind}, memory.Person{PlatformID: "p"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Store.Audience(ctx, session.ID, person.ID)
	if err != nil {
		t.Fatal(err)
	}
	return session, Scope{Audience: a}
}

// put stores a document; in a page, passages end with a line of their own that is "--".
func (s *shelf) put(t testing.TB, session *memory.Session, shared bool, name string, pages ...string) int64 {
	t.Helper()
	terms := func(text string) string { return strings.Join(rank.Terms(text), " ") }
	d := memory.Document{SessionID: session.ID, ChannelID: session.ChannelID, Name: name, NameTerms: terms(name),
		State: memory.DocumentReady, Shared: shared}
	err := s.Store.Write(context.Background(), func(ctx context.Context, tx bun.Tx) error {
		row := map[string]any{"sha256": fmt.Sprint(name, time.Now().UnixNano()), "media": "text/plain", "size": 1, "pages": len(pages),
			"first_terms": terms(strings.Join(pages[:min(2, len(pages))], " ")), "state": "ready", "created_at": 0}
		if _, err := tx.NewInsert().Model(&row).Table("contents").Returning("id").Exec(ctx, &d.ContentID); err != nil {
			return err
		}
		if _, err := tx.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
			return err
		}
		for i, text := range pages {
			row := map[string]any{"content_id": d.ContentID, "number": i + 1, "text": text}
			if _, err := tx.NewInsert().Model(&row).Table("pages").Exec(ctx); err != nil {
				return err
			}
			at := 0
			for _, piece := range strings.SplitAfter(text, "\n--\n") {
				row := map[string]any{"content_id": d.ContentID, "page": i + 1, "start_at": at, "end_at": at + len(piece), "terms": terms(piece)}
				at += len(piece)
				if _, err := tx.NewInsert().Model(&row).Table("passages").Exec(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d.ID
}

func places(found []Passage) []string {
	list := make([]string, len(found))
	for i, p := range found {
		list[i] = fmt.Sprintf("%s:%d", p.Document, p.Page)
	}
	return list
}

func TestSearchFindsThePageAndItsText(t *testing.T) {
	s := newShelf(t)
	id := s.put(t, s.session, false, "manual.pdf", "How to unpack\nOpen the box.",
		"Battery\nCharging takes 3 hours.\n--\nReplace the battery every 2 years.", "Warranty\nWe repair it for free.")
	found, err := s.Search(context.Background(), s.scope, "How often must I replace the battery?", 1)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v", found, err)
	}
	if p := found[0]; p.DocumentID != id || p.Page != 2 || p.Text != "Replace the battery every 2 years." || p.Score <= 0 {
		t.Errorf("found %+v", p)
	}
}

func TestSearchShowsOtherPagesBeforeMoreOfOne(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "report.pdf", "zeppelin costs\n--\nzeppelin sales\n--\nzeppelin crew", "a remark on the zeppelin", "weather")
	found, err := s.Search(context.Background(), s.scope, "zeppelin", 4)
	if err != nil || len(found) != 4 || found[1].Page == found[0].Page {
		t.Errorf("found %q, %v; want both pages among the first two", places(found), err)
	}
}

func TestSearchPrefersTablesForFigures(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "report.pdf", "Our thoughts on revenue and how we think about revenue growth in general",
		"Revenue 2019 2020\nProducts 1,284 1,300\nServices 990 1,020\nTotal 2,274 2,320")
	found, err := s.Search(context.Background(), s.scope, "What was the total revenue in 2020?", 1)
	if err != nil || len(found) != 1 || found[0].Page != 2 {
		t.Errorf("found %q, %v; want the table on page 2", places(found), err)
	}
}

func TestSearchFindsStatementsThatShareNoWordWithTheQuestion(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "report.pdf", "We discuss our gross margin profile and its history",
		"Consolidated Balance Sheets\nInventories 5,002 5,100\nAccounts payable 6,000 6,100",
		"Consolidated Statements of Operations\nNet sales 10,203 11,304\nCost of sales 7,100 7,900\nInterest 20 30")
	found, err := s.Search(context.Background(), s.scope, "Is gross margin improving?", 2)
	if got := places(found); err != nil || !slices.Contains(got, "report.pdf:3") {
		t.Errorf("found %q, %v; want the statement on page 3", got, err)
	}
}

func TestSearchFindsTheNamedPage(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "report.pdf", "A list of everything", "Springfield, 4 May", "The weather", "Appendix B\nZebras and lions")
	for query, want := range map[string]string{"What is on the second page?": "report.pdf:2", "Which animals are in appendix B?": "report.pdf:4"} {
		found, err := s.Search(context.Background(), s.scope, query, 1)
		if got := places(found); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: found %q, %v; want %s", query, got, err, want)
		}
	}
}

func TestSearchSharesBetweenDocumentsNamedSideBySide(t *testing.T) {
	s := newShelf(t)
	for _, year := range []string{"2019", "2020", "2021"} {
		s.put(t, s.session, false, "NETFLIX_"+year+".pdf", "Revenue of Netflix", "More revenue", "Still more revenue")
	}
	s.put(t, s.session, false, "BESTBUY_2021.pdf", "Sales at Best Buy", "Revenue at last")
	for i := range 4 {
		s.put(t, s.session, false, fmt.Sprintf("other%d.pdf", i), "Revenue of others")
	}
	found, err := s.Search(context.Background(), s.scope, "Compare revenue of Netflix and Best Buy", 4)
	of := map[string]int{}
	for _, p := range found {
		of[p.Document[:3]]++
	}
	if err != nil || of["NET"] != 2 || of["BES"] != 2 {
		t.Errorf("found %q, %v; want two passages of each company", places(found), err)
	}
}

func TestSearchReadsWhatTheFirstPageSaysWhereNamesSayNothing(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "a1.pdf", "Form 10-K of Acme for the fiscal year ended December 31, 2018", "Acme's revenue was 5 million")
	s.put(t, s.session, false, "a2.pdf", "Form 10-K of Acme for the fiscal year ended December 31, 2020", "Acme's revenue was 7 million")
	s.put(t, s.session, false, "a3.pdf", "Form 10-K of Acme for the fiscal year ended December 31, 2019", "Acme's revenue was 6 million")
	found, err := s.Search(context.Background(), s.scope, "What was Acme's revenue in FY2020?", 1)
	if err != nil || len(found) != 1 || found[0].Document != "a2.pdf" {
		t.Errorf("found %q, %v; want the report for 2020", places(found), err)
	}
}

func TestSearchRoutesToTheDocumentThatIsMeant(t *testing.T) {
	s := newShelf(t)
	for i := range 30 {
		s.put(t, s.session, false, fmt.Sprintf("Company%d_2020_10K.pdf", i), fmt.Sprintf("Annual report of Company %d", i), "Revenue was 5 million")
	}
	s.put(t, s.session, false, "BESTBUY_2019_10K.pdf", "Annual report", "Revenue was 41 million")
	s.put(t, s.session, false, "BESTBUY_2021_10K.pdf", "Annual report", "Revenue was 47 million")
	s.put(t, s.session, false, "a7f3.pdf", "Untitled", "The zeppelin has a crew of 12")
	for _, c := range []struct{ query, want string }{
		{"What was Best Buy's revenue in FY2021?", "BESTBUY_2021_10K.pdf:2"},
		{"What was the 2019 revenue of best buy?", "BESTBUY_2019_10K.pdf:2"},
		{"How many people does the zeppelin need?", "a7f3.pdf:2"},
	} {
		found, err := s.Search(context.Background(), s.scope, c.query, 3)
		if err != nil || len(found) == 0 || places(found)[0] != c.want {
			t.Errorf("%s: found %q, %v; want %s first", c.query, places(found), err, c.want)
		}
	}
}

func TestSearchIsLimitedToTheAudience(t *testing.T) {
	ctx, s := context.Background(), newShelf(t)
	dm, inDM := s.place(t, "d", memory.DM)
	_, inOther := s.place(t, "c2", memory.Public)
	mine := s.put(t, s.session, false, "mine.pdf", "the zeppelin of the session")
	s.put(t, dm, false, "secret.pdf", "the zeppelin of the direct message")
	s.put(t, s.session, true, "shared.pdf", "the zeppelin of the channel")
	only := s.scope
	only.Documents = []int64{mine}
	for _, c := range []struct {
		name  string
		scope Scope
		want  []string
	}{
		{"own session", s.scope, []string{"mine.pdf:1", "shared.pdf:1"}},
		{"direct message", inDM, []string{"secret.pdf:1", "shared.pdf:1"}},
		{"another channel", inOther, []string{"shared.pdf:1"}},
		{"named documents", only, []string{"mine.pdf:1"}},
		{"a hidden document by name", Scope{Audience: inOther.Audience, Documents: []int64{mine}}, nil},
	} {
		found, err := s.Search(ctx, c.scope, "zeppelin", 10)
		got := places(found)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestSearchWithNothingToFind(t *testing.T) {
	s := newShelf(t)
	if found, err := s.Search(context.Background(), s.scope, "zeppelin", 5); err != nil || len(found) > 0 {
		t.Errorf("no documents: %v, %v", found, err)
	}
	s.put(t, s.session, false, "a.pdf", "", "text")
	s.put(t, s.session, false, "b.pdf", "other text")
	for _, query := range []string{"", "what is it?", "zeppelin", `"' OR NOT ( * :`, strings.Repeat("word salad ", 5000)} {
		if found, err := s.Search(context.Background(), s.scope, query, 5); err != nil || len(found) > 0 {
			t.Errorf("query %.20q: %v, %v", query, places(found), err)
		}
	}
}

func TestTheSameBytesAreFoundOnce(t *testing.T) {
	s := newShelf(t)
	first := s.put(t, s.session, false, "a.pdf", "the zeppelin")
	ctx := context.Background()
	var second int64
	err := s.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return tx.NewRaw(`INSERT INTO documents (content_id, session_id, channel_id, name, state, created_at)
			SELECT content_id, session_id, channel_id, 'copy.pdf', state, 1 FROM documents WHERE id = ? RETURNING id`, first).Scan(ctx, &second)
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(ctx, s.scope, "zeppelin", 5)
	if err != nil || len(found) != 1 || found[0].DocumentID != second {
		t.Errorf("found %q, %v; want the newer document once", places(found), err)
	}
}

// Search must take at most 25 ms (95th percentile) over 100 documents of 150 pages.
func BenchmarkSearch100Documents(b *testing.B) { benchmarkSearch(b, 100, 150) }

func BenchmarkSearch1000Documents(b *testing.B) { benchmarkSearch(b, 1000, 30) }

func benchmarkSearch(b *testing.B, documents, pagesEach int) {
	ctx, s := context.Background(), newShelf(b)
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("w%d", int(r.ExpFloat64()*r.ExpFloat64()*r.ExpFloat64()*400)) }
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	for d := range documents {
		pages := make([]string, pagesEach)
		for i := range pages {
			pages[i] = strings.Join([]string{words(120), words(120), words(120), words(120)}, "\n--\n")
		}
		s.put(b, s.session, false, fmt.Sprintf("company%d_20%02d.pdf", d/5, 10+d%5), pages...)
	}
	for _, scope := range []struct {
		name      string
		documents []int64
	}{{"all", nil}, {"one", []int64{7}}} {
		b.Run(scope.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				query := fmt.Sprintf("What was the total revenue of Company%d in 20%02d? %s", r.IntN(20), 10+r.IntN(5), words(6))
				start := time.Now()
				if found, err := s.Search(ctx, Scope{s.scope.Audience, scope.documents}, query, 8); err != nil || len(found) == 0 {
					b.Fatal(found, err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
