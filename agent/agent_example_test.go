package agent_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// A turn without a model: the answer is what a search found, with its place.
func ExampleChain() {
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
	asked, err := store.Queue.Receive(ctx, memory.Incoming{Platform: "example", EventID: "1", Kind: "message", Answer: true,
		Key:     memory.Key{Platform: "example", Workspace: "w", Channel: "general"},
		Channel: memory.Channel{Kind: memory.Public}, Person: memory.Person{PlatformID: "ada", Name: "Ada"},
		Message: &memory.Message{PlatformID: "1", Role: memory.User, Author: "Ada", Text: "When does the gate open in the morning?"}})
	if err != nil {
		log.Fatal(err)
	}
	index := &docs.Index{Store: store}
	if _, err := index.Add(ctx, docs.Upload{Session: asked.Session, PersonID: asked.Person.ID, Name: "gate.txt",
		Data: strings.NewReader("The gate opens at nine in the morning, except on holidays.")}, nil); err != nil {
		log.Fatal(err)
	}
	audience, err := store.Audience(ctx, asked.Session.ID, asked.Person.ID)
	if err != nil {
		log.Fatal(err)
	}

	chain := &agent.Chain{Store: store, Index: index}
	reply, err := chain.Respond(ctx, agent.Turn{Session: asked.Session, Audience: audience, Person: asked.Person,
		Messages: []*memory.Message{asked.Message}, Choice: agent.ChoiceNone, Now: time.Now()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Text)
	for _, c := range reply.Citations {
		fmt.Printf("[%d] %s, %s: %q\n", c.N, c.Document, docs.PlacesIn("en").Of(c), c.Quote)
	}
	// Output:
	// This is what I found in gate.txt:
	//
	// Line 1:
	// > **The gate opens at nine in the morning, except on holidays.** [1]
	// [1] gate.txt, line 1: "The gate opens at nine in the morning, except on holidays"
}
