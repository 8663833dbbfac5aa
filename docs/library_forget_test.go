package docs

import (
	"bytes"
	"os"
	"testing"
)

// TestARemovedDocumentLeavesTheFile removes a document and wants nothing of it in the
// database's files.
func TestARemovedDocumentLeavesTheFile(t *testing.T) {
	d := newDesk(t)
	d.add("other.txt", []byte("The gate opens at nine in the morning, except on holidays."))
	secret := d.add("secret.txt", []byte("The vault is called Qzxwombat, and the second one too."))
	if err := d.Remove(t.Context(), d.audience(d.session, d.person), secret.ID); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.SecureErase(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(d.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(data), []byte("qzxwombat")) || bytes.Contains(data, []byte("secret.txt")) {
			t.Errorf("%q holds what was removed", suffix)
		}
	}
}
