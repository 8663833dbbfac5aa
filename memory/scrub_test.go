package memory

import (
	"context"
	"path/filepath"
	"testing"
)

// A deletion on the platform is stored at once, the file forgets with the next Scrub, or
// when it is opened again.
func TestDeletedTextLeavesTheFile(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "test.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	said(t, s, "", "m", "the code is QZX-88731", false)
	said(t, s, "", "n", "the gate is Wexlow", false)
	if r, err := s.ReceiveErase(ctx, about("delete"), "m"); err != nil || !r.New {
		t.Fatalf("%+v %v", r, err)
	}
	if err := s.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "QZX-88731", "qzx-88731")
	if _, err := s.ReceiveErase(ctx, about("delete n"), "n"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	holds(t, path, "Wexlow", "wexlow")
}
