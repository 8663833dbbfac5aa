package docs

import (
	"context"
	"errors"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
)

// age makes all contents those of an earlier version, whose text was another.
func (d *desk) age() {
	d.t.Helper()
	if err := d.Store.Write(d.t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE contents SET extractor = '1'`)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE pages SET text = 'Receivables 703,971852,149'`)
		}
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
}

func TestOldDocumentsAreReadAgain(t *testing.T) {
	d := newDesk(t)
	statement := d.add("statement.pdf", sampleFile(t, "statement.pdf"))
	notes := d.add("notes.csv", []byte("part,torque\nbolt,18\n"))
	d.age()
	if err := d.Reread(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		document *memory.Document
		quote    string
	}{{statement, "Accounts receivable, net 703,971 852,149"}, {notes, "bolt,18"}} {
		if _, err := d.Verify(t.Context(), Citation{DocumentID: tt.document.ID, Page: 1, Quote: tt.quote}); err != nil {
			t.Error(err)
		}
	}
	if n := d.count("contents", "extractor = CASE media WHEN ? THEN ? ELSE ? END AND state = 'ready'", kindPDF, kindPDF.extractor(), kindText.extractor()); n != 2 {
		t.Errorf("%d contents are of this version, want 2", n)
	}
	if n := d.count("pages", "text LIKE 'Receivables%'"); n != 0 {
		t.Errorf("%d pages have their old text", n)
	}
	if got := d.count("pages", "TRUE"); got != 5 {
		t.Errorf("%d pages, want 4 of the statement and 1 of the notes", got)
	}
}

func TestAnOldDocumentThatCannotBeReadKeepsItsText(t *testing.T) {
	d := newDesk(t)
	doc := d.add("statement.pdf", sampleFile(t, "statement.pdf"))
	d.age()
	if err := d.Store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM blobs`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Reread(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text, err := d.Page(t.Context(), doc.ID, 1); err != nil || text != "Receivables 703,971852,149" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestReadingAgainEndsWithItsContext(t *testing.T) {
	d := newDesk(t)
	d.add("notes.csv", []byte("part,torque\nbolt,18\n"))
	d.age()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Reread(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n := d.count("contents", "extractor = '1'"); n != 1 {
		t.Errorf("%d old contents, want 1", n)
	}
}
