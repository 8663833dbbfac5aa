package docs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// A document is added to a conversation, searched, and a quote of it checked.
func ExampleIndex() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := memory.Open(ctx, filepath.Join(dir, "threadkeeper.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	session, ada, err := store.Locate(ctx, memory.Key{Platform: "example", Workspace: "w", Channel: "general"},
		memory.Channel{Kind: memory.Public}, memory.Person{PlatformID: "ada", Name: "Ada"})
	if err != nil {
		log.Fatal(err)
	}

	index := &docs.Index{Store: store} // without an engine it reads no PDFs
	document, err := index.Add(ctx, docs.Upload{Session: session, PersonID: ada.ID, Name: "gate.txt",
		Data: strings.NewReader("The gate opens at nine in the morning, except on holidays.")}, nil)
	if err != nil {
		log.Fatal(err)
	}

	audience, err := store.Audience(ctx, session.ID, ada.ID)
	if err != nil {
		log.Fatal(err)
	}
	passages, err := index.Search(ctx, docs.Scope{Audience: audience}, "When does the gate open?", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range passages {
		fmt.Printf("%s, page %d: %s\n", p.Document, p.Page, p.Text)
	}

	checked, err := index.Verify(ctx, docs.Citation{DocumentID: document.ID, Page: 7, Quote: "Opens at nine in the morning"})
	fmt.Printf("page %d: %q %v\n", checked.Page, checked.Quote, err)
	_, err = index.Verify(ctx, docs.Citation{DocumentID: document.ID, Page: 1, Quote: "opens at ten in the morning"})
	fmt.Println(err)
	// Output:
	// gate.txt, page 1: The gate opens at nine in the morning, except on holidays.
	// page 1: "opens at nine in the morning" <nil>
	// docs: not on page: gate.txt
}
