package memory

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// A deletion on the platform is stored at once, the file forgets with the next SecureErase, or
// when it is opened again.
func TestDeletedTextLeavesTheFile(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "test.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	said(t, s, "", "m", "the code is QZX-88731", false)
	said(t, s, "", "n", "the gate is Wexlow", false)
	if r, err := s.Queue.ReceiveErase(ctx, about("delete"), "m"); err != nil || !r.New {
		t.Fatalf("%+v %v", r, err)
	}
	if err := s.SecureErase(ctx); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "QZX-88731", "qzx-88731")
	if _, err := s.Queue.ReceiveErase(ctx, about("delete n"), "n"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	holds(t, path, "Wexlow", "wexlow")
}

// An index is rewritten in parts, between which others write.
func TestAnIndexIsRewrittenInParts(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	random := rand.New(rand.NewPCG(1, 2))
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		for id := range 3000 {
			terms := make([]string, 60)
			for i := range terms {
				terms[i] = strconv.FormatUint(random.Uint64(), 36)
			}
			if _, err := tx.NewRaw("INSERT INTO messages_fts (rowid, terms, scope) VALUES (?, ?, 'c1')", 1000+id, strings.Join(terms, " ")).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	more, err := merge(ctx, s.core, "messages_fts", -mergePages)
	if err != nil || !more {
		t.Fatalf("all of it was rewritten at once: %v", err)
	}
	steps := 1
	for ; more; steps++ {
		if more, err = merge(ctx, s.core, "messages_fts", mergePages); err != nil {
			t.Fatal(err)
		}
	}
	if steps < 4 {
		t.Errorf("%d steps for an index of more than a megabyte", steps)
	}
}

// What is erased while the file is scrubbed is left to the next time.
func TestSecureEraseForgetsNoDebt(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	owe := func(ctx context.Context, tx bun.Tx) error { return s.oweSecureErase(ctx, tx) }
	owes := func() bool {
		n, err := s.writer.NewSelect().Table("settings").Where("name = ?", secureErasePending).Count(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	if err := s.Write(ctx, owe); err != nil {
		t.Fatal(err)
	}
	debt, err := s.owedSecureErase(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(ctx, owe); err != nil {
		t.Fatal(err)
	}
	if err := s.settleOwed(ctx, debt); err != nil || !owes() {
		t.Errorf("what was erased later counts as scrubbed: %v", err)
	}
	if err := s.SecureErase(ctx); err != nil || owes() {
		t.Errorf("the debt stays: %v", err)
	}
}

// Whoever reads an older state keeps it in the log: the file is not clean before they end.
func TestSecureEraseBesideAReaderStaysOwed(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	said(t, s, "", "m", "the code is QZX-88731", false)
	tx, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.NewSelect().Table("messages").Count(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.ReceiveErase(ctx, about("delete"), "m"); err != nil {
		t.Fatal(err)
	}
	if err := s.SecureErase(ctx); err != nil {
		t.Fatal(err)
	}
	if debt, err := s.owedSecureErase(ctx); err != nil || debt == "" {
		t.Errorf("counts as clean: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.SecureErase(ctx); err != nil {
		t.Fatal(err)
	}
	if debt, err := s.owedSecureErase(ctx); err != nil || debt != "" {
		t.Errorf("still owed: %q %v", debt, err)
	}
}
