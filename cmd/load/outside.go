package main

import (
	"time"

	"threadkeeper/memory"
)

// outside is a chat service with people in it, who are numbered from 0. Threads have
// numbers, too: in each the bot is asked something. Beside them there are places where
// it is present and nobody wants it, the same number of them. What is said has an id.
type outside interface {
	// Environ are the settings that lead the program there.
	Environ() []string
	// Connected tells whether the program listens.
	Connected() bool
	// Begin opens a thread: a person mentions the bot. It is open once Answers has one.
	Begin(thread, person int, text string) (id string)
	// Say is a person going on in a thread, with a file unless it is "".
	Say(thread, person int, text, file string, mention bool) (id string)
	// Beside is a person talking where the bot is not wanted.
	Beside(place, person int, text, file string)
	Edit(thread int, id, text string)
	Delete(thread int, id string)
	// Stir does to a message what changes nothing of what it says.
	Stir(thread, person int, id string)
	// Key is the thread as the program knows it.
	Key(thread int) memory.Key
	// Answers are the bot's posts in a thread, oldest first.
	Answers(thread int) []string
	// Acks are how long each delivery took to be acknowledged, nil where nothing is.
	Acks() []time.Duration
	// Waiting is how many deliveries are not acknowledged yet.
	Waiting() int
	// Kept holds the times at which the program acknowledged a message, by its id. A message posted
	// before another was acknowledged may be delivered first: it is not known by which of the
	// program's connections each arrives. nil where all arrive in order.
	Kept() map[string]time.Time
	// Violations are requests that no correct program makes, and deliveries that were lost.
	Violations() []string
	Close()
}

const people = 40
