package memory_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"threadkeeper/memory"
)

// A message is stored once, and who may see it is decided by where it was said.
func ExampleStore() {
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

	say := func(channel string, kind memory.ChannelKind, id, text string) *memory.Received {
		r, err := store.Queue.Receive(ctx, memory.Incoming{Platform: "example", EventID: id, Kind: "message",
			Key:     memory.Key{Platform: "example", Workspace: "w", Channel: channel},
			Channel: memory.Channel{Kind: kind}, Person: memory.Person{PlatformID: "ada", Name: "Ada"},
			Message: &memory.Message{PlatformID: id, Role: memory.User, Author: "Ada", Text: text}})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}
	general := say("general", memory.Public, "1", "The key of the boiler room hangs behind the blue barrel.")
	board := say("board", memory.Private, "2", "The key of the safe is in the second drawer.")
	fmt.Println("stored again:", say("general", memory.Public, "1", "The platform delivers twice.").New)

	for _, r := range []*memory.Received{general, board} {
		audience, err := store.Audience(ctx, r.Session.ID, r.Person.ID)
		if err != nil {
			log.Fatal(err)
		}
		found, err := store.Recall(ctx, memory.RecallQuery{Audience: audience, Text: "Where is the key?"})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("in %s:\n", r.Session.Channel)
		for _, f := range found {
			fmt.Println("-", f.Message.Text)
		}
	}
	// Output:
	// stored again: false
	// in general:
	// - The key of the boiler room hangs behind the blue barrel.
	// in board:
	// - The key of the safe is in the second drawer.
	// - The key of the boiler room hangs behind the blue barrel.
}
