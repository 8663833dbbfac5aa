package main

import (
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/config"
	"threadkeeper/memory"
)

// A database that serve holds is no failure.
func TestDoctorBesideServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held.db")
	store, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	found, err := checkDatabase(t.Context(), system{}, &config.Config{DatabaseURL: path})
	if err != nil || !strings.Contains(found, "in use") || !strings.Contains(found, "serve") {
		t.Errorf("%q %v", found, err)
	}
}
