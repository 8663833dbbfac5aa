package memory

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFindingsAreKeptAndGo: what was found in a document is there for who asked, or for everybody if nobody's words asked for
// it; it goes after its time, with a message of the conversation that asked, and with the document.
func TestFindingsAreKeptAndGo(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	asked := post(t, s, "s", "q", User, "Ada", "What does the report say of zinc?")
	elsewhere := post(t, s, "elsewhere", "q2", User, "Ada", "Good morning")
	readable(t, s, elsewhere.Message, "report.txt", "Zinc is dear.")
	content := elsewhere.Message.ID
	keep := func(session int64, hash, claim string) {
		t.Helper()
		if err := s.KeepFindings(ctx, &Findings{ContentID: content, SessionID: session, Hash: hash, Page: 1}, []Finding{{Page: 1, Claim: claim, Quote: "Zinc is dear."}}); err != nil {
			t.Fatal(err)
		}
	}
	in := func(session int64) string {
		t.Helper()
		all, err := s.FindingsIn(ctx, session, []int64{content})
		if err != nil {
			t.Fatal(err)
		}
		var hashes []string
		for _, f := range all {
			hashes = append(hashes, f.Hash)
		}
		slices.Sort(hashes)
		return strings.Join(hashes, " ")
	}
	keep(0, "anybody", "It costs much.")
	keep(asked.Session.ID, "zinc", "Zinc costs much.")
	keep(asked.Session.ID, "zinc", "Zinc costs very much.")
	if f, err := s.FindingsNamed(ctx, asked.Session.ID, "zinc"); err != nil || !strings.Contains(f.Found, "very much") {
		t.Error(f, err)
	}
	if _, err := s.FindingsNamed(ctx, elsewhere.Session.ID, "zinc"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if own, other := in(asked.Session.ID), in(elsewhere.Session.ID); own != "anybody zinc" || other != "anybody" {
		t.Errorf("own %q, elsewhere %q", own, other)
	}
	if _, err := s.Erase(ctx, asked.Session.Key, asked.Message.PlatformID, asked.Person.ID); err != nil {
		t.Fatal(err)
	}
	if own := in(asked.Session.ID); own != "anybody" {
		t.Errorf("after the question was erased: %q", own)
	}

	late := &Findings{ContentID: content, SessionID: asked.Session.ID, Hash: "late", Page: 1, Asked: asked.Message.ID}
	if err := s.KeepFindings(ctx, late, nil); err != nil {
		t.Fatal(err)
	}
	if own := in(asked.Session.ID); strings.Contains(own, "late") {
		t.Error("what an erased question found is kept")
	}

	again := post(t, s, "elsewhere", "q3", User, "Ada", "And tin?")
	readable(t, s, again.Message, "tin.txt", "Tin is dear.")
	content = again.Message.ID
	keep(0, "tin", "It costs much.")
	later := s.Now() + findingsKept.Milliseconds() + time.Hour.Milliseconds()
	s.Now = func() int64 { return later }
	if late := in(elsewhere.Session.ID); late != "" {
		t.Errorf("after a month: %q", late)
	}
	keep(0, "zinc", "It costs much.")
	documents, err := s.CurrentDocuments(ctx, []int64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveDocument(ctx, 0, documents...); err != nil {
		t.Fatal(err)
	}
	left := func() (n int) {
		t.Helper()
		if err := s.reader.NewRaw(`SELECT COUNT(*) FROM findings`).Scan(ctx, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := left(); n != 0 {
		t.Errorf("%d are left without their document", n)
	}
	keep(0, "late", "It costs much.") // by a turn that was under way
	if n := left(); n != 0 {
		t.Errorf("%d are kept of a document that is gone", n)
	}
}
