package discord

import (
	"net/http"
	"sync"

	"threadkeeper/bot/platform"
)

// sending is what the adapter keeps for what it sends. Its zero value is ready.
type sending struct {
	once        sync.Once
	http        *http.Client
	limits      limits
	clock       serverClock
	acks        acks
	pace        editPace
	threads     recentMap[string]       // the channel that answers in a thread go to: the thread, or its parent
	askedAbout  recentMap[string]       // what messages say that a form was opened for, by id
	titles      recentMap[string]       // of threads that may be opened, by message
	names       recentMap[string]       // what threads were called by us
	answers     recentMap[platform.Ref] // posts made through an interaction, by nonce
	tokens      recentMap[string]       // of interactions that something was posted for
	closed      recentMap[bool]         // interactions that Discord takes no answer to, however young
	directs     recentMap[string]       // channels of direct messages, by person
	buttonsDone recentMap[bool]         // clicks after which the message clicked keeps its buttons, or has lost them
	ephemerals  ephemerals
	statuses    statuses
	tasks       tasks
}
