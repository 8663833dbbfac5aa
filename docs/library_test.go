package docs

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

func names(list []*memory.Document) string {
	var all []string
	for _, d := range list {
		all = append(all, d.Name)
	}
	return strings.Join(all, " ")
}

func TestDocumentsAreSeenWhereTheyWerePosted(t *testing.T) {
	d := newDesk(t)
	type place struct {
		session *memory.Session
		person  *memory.Person
	}
	in := func(channel, thread string, kind memory.ChannelKind) place {
		s, p := d.enter(channel, thread, "ada", kind)
		return place{s, p}
	}
	public, thread, other := in("general", "", memory.Public), in("general", "1", memory.Public), in("random", "", memory.Public)
	private, dm := in("board", "", memory.Private), in("ada", "", memory.DM)
	list := func(p place) string {
		t.Helper()
		found, err := d.List(t.Context(), d.audience(p.session, p.person))
		if err != nil {
			t.Fatal(err)
		}
		return names(found)
	}
	ids := map[string]int64{}
	for name, p := range map[string]place{"public.txt": public, "board.txt": private, "dm.txt": dm} {
		d.session = p.session
		ids[name] = d.add(name, []byte("the text of "+name)).ID
	}
	for _, tt := range []struct {
		where place
		want  string
	}{{public, "public.txt"}, {thread, ""}, {other, ""}, {private, "board.txt"}, {dm, "dm.txt"}} {
		if got := list(tt.where); got != tt.want {
			t.Errorf("in %s/%s before sharing: %q, want %q", tt.where.session.Channel, tt.where.session.Thread, got, tt.want)
		}
	}
	is(t, d.Share(t.Context(), d.audience(thread.session, thread.person), ids["public.txt"]), memory.ErrNotFound)
	for name, p := range map[string]place{"public.txt": public, "board.txt": private, "dm.txt": dm} {
		if err := d.Share(t.Context(), d.audience(p.session, p.person), ids[name]); err != nil {
			t.Fatal(err)
		}
	}
	is(t, d.Share(t.Context(), d.audience(other.session, other.person), ids["public.txt"]), memory.ErrNotFound)
	for _, tt := range []struct {
		where place
		want  string
	}{{thread, "public.txt"}, {other, "public.txt"}, {private, "public.txt board.txt"}} {
		got := strings.Fields(list(tt.where))
		if len(got) != len(strings.Fields(tt.want)) {
			t.Errorf("in %s/%s after sharing: %q, want %q", tt.where.session.Channel, tt.where.session.Thread, got, tt.want)
		}
	}
	is(t, d.Remove(t.Context(), d.audience(other.session, other.person), ids["dm.txt"]), memory.ErrNotFound)
	is(t, d.Remove(t.Context(), d.audience(public.session, public.person), ids["board.txt"]), memory.ErrNotFound)
}

func TestSharingAndRemovingAreForThePosterAndAdministrators(t *testing.T) {
	d := newDesk(t)
	first, second := d.add("a.txt", []byte("first")), d.add("b.txt", []byte("second"))
	_, bob := d.enter("general", "", "bob", memory.Public)
	_, root := d.enter("general", "", "root", memory.Public)
	is(t, d.Remove(t.Context(), d.audience(d.session, bob), first.ID), ErrNotYours)
	is(t, d.Share(t.Context(), d.audience(d.session, bob), first.ID), ErrNotYours)
	is(t, d.Share(t.Context(), d.audience(d.session, root), first.ID), nil)
	is(t, d.Remove(t.Context(), memory.Audience{Channel: d.audience(d.session, bob).Channel, Session: d.session.ID}, first.ID), ErrNotYours)
	for id, who := range map[int64]*memory.Person{first.ID: d.person, second.ID: root} {
		if err := d.Remove(t.Context(), d.audience(d.session, who), id); err != nil {
			t.Error(err)
		}
	}
	is(t, d.Remove(t.Context(), d.audience(d.session, d.person), first.ID), memory.ErrNotFound)
}

// say stores a message of somebody, so that documents and citations can belong to it.
func (d *desk) say(id string) *memory.Message {
	d.t.Helper()
	r, err := d.Store.Queue.Receive(d.t.Context(), memory.Incoming{Platform: "test", EventID: id, Key: d.session.Key,
		Person: memory.Person{PlatformID: "ada"}, Message: &memory.Message{Role: memory.User, Text: "a file", PlatformID: id}})
	if err != nil {
		d.t.Fatal(err)
	}
	return r.Message
}

func (d *desk) cite(message, document int64) {
	d.t.Helper()
	err := d.Store.Write(d.t.Context(), func(ctx context.Context, tx bun.Tx) error {
		c := Citation{MessageID: message, N: 1, DocumentID: document, Page: 1, Quote: "the keys"}
		_, err := tx.NewInsert().Model(&c).ExcludeColumn("id").Returning("NULL").Exec(ctx)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func TestBytesGoWithTheirLastReference(t *testing.T) {
	d := newDesk(t)
	data := sampleFile(t, "pagebreak.pdf")
	here := d.session
	there, _ := d.enter("general", "1", "ada", memory.Public)
	d.session = there
	first := d.add("first.pdf", data)
	d.session = here
	m := d.say("2")
	in := d.upload("second.pdf", data)
	in.MessageID = m.ID
	second, err := d.Add(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.cite(d.say("3").ID, first.ID)
	d.cite(d.say("4").ID, second.ID)
	kept := d.add("kept.txt", []byte("something else"))

	if err := d.Remove(t.Context(), d.audience(there, d.person), first.ID); err != nil {
		t.Fatal(err)
	}
	if n := d.count("citations", "document_id = ?", first.ID); n != 0 {
		t.Errorf("%d quotes of a removed document", n)
	}
	if text, err := d.Page(t.Context(), second.ID, 2); err != nil || text == "" {
		t.Errorf("the other document lost its page: %v", err)
	}
	_, err = d.Verify(t.Context(), Citation{DocumentID: first.ID, Page: 1, Quote: "The keys of the boathouse"})
	is(t, err, ErrNotFound)
	_, err = d.Page(t.Context(), first.ID, 1)
	is(t, err, memory.ErrNotFound)

	if _, err := d.Store.Queue.ReceiveErase(t.Context(), memory.Incoming{Key: d.session.Key, EventID: "erase"}, "2"); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"contents": 1, "blobs": 1, "pages": 1, "passages": 1, "passages_fts": 1, "citations": 0} {
		if got := d.count(table, "TRUE"); got != want {
			t.Errorf("%d rows in %s, want %d", got, table, want)
		}
	}
	if n := d.count("documents", "removed_at > 0 AND name = '' AND name_terms = ''"); n != 2 {
		t.Errorf("%d removed documents without name, want 2", n)
	}
	if _, err := d.Page(t.Context(), kept.ID, 1); err != nil {
		t.Error(err)
	}
	if doc := d.add("again.pdf", data); doc.Reason != "" {
		t.Errorf("read again: %q", doc.Reason)
	}
}

func TestTheSameMessageBringsOneDocument(t *testing.T) {
	d := newDesk(t)
	m := d.say("2")
	for range 2 {
		in := d.upload("a.txt", []byte("text"))
		in.MessageID = m.ID
		if _, err := d.Add(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
	}
	d.add("a.txt", []byte("text"))
	if n := d.count("documents", "TRUE"); n != 2 {
		t.Errorf("%d documents, want 2", n)
	}
}

// TestAPostRepeatedInASessionIsOneDocument posts the same bytes again, by somebody else and
// under another name: they are listed once, whatever is done with them is done with both.
func TestAPostRepeatedInASessionIsOneDocument(t *testing.T) {
	d := newDesk(t)
	data := []byte("the keys of the boathouse")
	ada := d.person
	first := d.add("first.txt", data)
	_, d.person = d.enter("general", "", "bob", memory.Public)
	second := d.add("second.txt", data)
	here := d.session
	thread, eve := d.enter("general", "1", "eve", memory.Public)
	d.session, d.person = thread, eve
	d.add("third.txt", data)
	d.session = here
	list := func(s *memory.Session, p *memory.Person, want string) {
		t.Helper()
		found, err := d.List(t.Context(), d.audience(s, p))
		if err != nil || names(found) != want {
			t.Errorf("listed %q %v, want %q", names(found), err, want)
		}
	}
	list(d.session, ada, "second.txt")
	for id, want := range map[int64]int64{first.ID: second.ID, second.ID: second.ID} {
		if now, err := d.Store.CurrentDocuments(t.Context(), []int64{id}); err != nil || len(now) != 1 || now[0] != want {
			t.Errorf("document %d is known as %d %v", id, now, err)
		}
	}
	is(t, d.Remove(t.Context(), d.audience(d.session, eve), second.ID), ErrNotYours)
	is(t, d.Share(t.Context(), d.audience(d.session, ada), second.ID), nil)
	list(thread, eve, "second.txt third.txt")
	d.person = ada
	d.add("again.txt", data)
	list(thread, eve, "third.txt again.txt")
	is(t, d.Remove(t.Context(), d.audience(d.session, ada), first.ID), nil)
	list(d.session, ada, "")
	list(thread, eve, "third.txt")
	if now, err := d.Store.CurrentDocuments(t.Context(), []int64{first.ID, second.ID}); err != nil || len(now) != 0 {
		t.Errorf("removed documents are known as %d %v", now, err)
	}
}

func TestRetrieverFindsPassagesOfItsScope(t *testing.T) {
	d := newDesk(t)
	doc := d.add("sample.pdf", sampleFile(t, "sample.pdf"))
	elsewhere, _ := d.enter("random", "", "ada", memory.Public)
	r := Retriever{Index: d.Index, Scope: Scope{Audience: d.audience(d.session, d.person)}, K: 3}
	found, err := r.GetRelevantDocuments(t.Context(), "How did breakfast sales grow?")
	if err != nil || len(found) == 0 || len(found) > 3 {
		t.Fatalf("%d passages, %v", len(found), err)
	}
	best := found[0]
	if best.Metadata["document_id"] != doc.ID || best.Metadata["document"] != "sample.pdf" || best.Metadata["page"] != 3 {
		t.Errorf("best passage %v", best.Metadata)
	}
	if text, err := d.Page(t.Context(), doc.ID, 3); err != nil || !strings.Contains(text, best.PageContent) {
		t.Errorf("%q is not on its page, %v", best.PageContent, err)
	}
	r.Scope.Audience = d.audience(elsewhere, d.person)
	if found, err = r.GetRelevantDocuments(t.Context(), "How did breakfast sales grow?"); err != nil || len(found) != 0 {
		t.Errorf("%d passages seen from elsewhere, %v", len(found), err)
	}
}

func TestPicture(t *testing.T) {
	d := newDesk(t)
	doc := d.add("sample.pdf", sampleFile(t, "sample.pdf"))
	c := Citation{DocumentID: doc.ID, Page: 1, Quote: "96,300 cups of coffee served"}
	marked, err := d.Picture(t.Context(), c, 72)
	if err != nil {
		t.Fatal(err)
	}
	c.Quote = "not there at all"
	bare, err := d.Picture(t.Context(), c, 72)
	if err != nil {
		t.Fatal(err)
	}
	if marked.Bounds() != bare.Bounds() || marked.Bounds().Dx() < 300 {
		t.Fatalf("%v and %v", marked.Bounds(), bare.Bounds())
	}
	same := true
	for y := range marked.Bounds().Dy() {
		for x := range marked.Bounds().Dx() {
			same = same && marked.At(x, y) == bare.At(x, y)
		}
	}
	if same {
		t.Error("nothing is highlighted")
	}
	c.Page = 99
	_, err = d.Picture(t.Context(), c, 72)
	is(t, err, pdfium.ErrNoPage)
	text := d.add("a.txt", []byte("text"))
	_, err = d.Picture(t.Context(), Citation{DocumentID: text.ID, Page: 1}, 72)
	is(t, err, ErrUnsupported)
	_, err = d.Picture(t.Context(), Citation{DocumentID: 99, Page: 1}, 72)
	is(t, err, memory.ErrNotFound)
}

func TestAddStoresUntrustedTextCleaned(t *testing.T) {
	d := newDesk(t)
	doc := d.add("../../etc/**[x](http://evil)@everyone\u202Efdp.txt", []byte("visible\u200b\U000E0041 te\u202Ext\x1b[31m\r\nnext"))
	text, err := d.Page(t.Context(), doc.ID, 1)
	if err != nil || text != "visible text\nnext" {
		t.Errorf("page %q, %v", text, err)
	}
	if bytes.ContainsAny([]byte(doc.Name), "*[]@/\u202E") {
		t.Errorf("name %q", doc.Name)
	}
}

// BenchmarkAdd reads a manual of more than 100 pages, text to index. PDF names another file.
func BenchmarkAdd(b *testing.B) {
	data := benchFile(b)
	pages := 0
	for b.Loop() {
		d := newDesk(b)
		doc := d.add("manual.pdf", data)
		n, err := d.Pages(context.Background(), doc.ID)
		if err != nil {
			b.Fatal(err)
		}
		pages += n
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
