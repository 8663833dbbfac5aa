package discord

import (
	"net/http"
	"sync"

	"threadkeeper/bot/platform"
)

// sending is what the adapter keeps for what it sends. Its zero value is ready.
type sending struct {
	once     sync.Once
	http     *http.Client
	limiter  limiter
	clock    clock
	acks     acks
	pace     pace
	threads  notes[string]       // the channel that answers in a thread go to: the thread, or its parent
	titles   notes[string]       // of threads that may be opened, by message
	names    notes[string]       // what threads were called by us
	hooked   notes[platform.Ref] // what was posted through an interaction, by nonce
	tokens   notes[string]       // of interactions that something was posted for
	closed   notes[bool]         // interactions that Discord takes no answer to, however young
	directs  notes[string]       // channels of direct messages, by person
	settled  notes[bool]         // clicks after which the message clicked keeps its buttons, or has lost them
	whispers whispers
	statuses statuses
	tasks    tasks
}
