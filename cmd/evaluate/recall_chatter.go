package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"threadkeeper/memory"
)

const chatterChannels = 50

// stretchWords is how many words in a row the chatter takes from one line.
const stretchWords = 4

// chatter says n messages in public channels of the same workspace, made of stretches of what was said elsewhere
// and by the same people: what others talk about later, which anybody may see. It is the same each time.
func chatter(ctx context.Context, store *memory.Store, lines []turn, n int) error {
	r := rand.New(rand.NewPCG(1, 2))
	for c := range chatterChannels {
		session, _, err := store.Locate(ctx, memory.Key{Platform: "evaluate", Workspace: "w", Channel: fmt.Sprint("chatter", c)},
			memory.Channel{Kind: memory.Public}, memory.Person{PlatformID: "p", Name: "p"})
		if err != nil {
			return err
		}
		past := make([]memory.Incoming, n*(c+1)/chatterChannels-n*c/chatterChannels)
		for i := range past {
			who, day := lines[r.IntN(len(lines))].Who, lines[r.IntN(len(lines))]
			past[i] = memory.Incoming{
				Platform: "evaluate", Kind: "message", Key: session.Key, Person: memory.Person{PlatformID: who, Name: who},
				Message: &memory.Message{PlatformID: fmt.Sprint("chatter/", c, "/", i), Role: memory.User, Author: who,
					Text: patchwork(r, lines), At: spokenAt(day.Date, i)},
			}
		}
		if _, err := store.Backfill(ctx, session, past); err != nil {
			return err
		}
	}
	return nil
}

// patchwork is as long as one of the lines, of stretches of any of them.
func patchwork(r *rand.Rand, lines []turn) string {
	length := len(strings.Fields(lines[r.IntN(len(lines))].Text))
	var words []string
	for len(words) < length {
		from := strings.Fields(lines[r.IntN(len(lines))].Text)
		if len(from) > stretchWords {
			at := r.IntN(len(from) - stretchWords + 1)
			from = from[at : at+stretchWords]
		}
		words = append(words, from...)
	}
	return strings.Join(words, " ")
}
