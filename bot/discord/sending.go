package discord

import (
	"net/http"
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// sending is what the adapter keeps for what it sends. Its zero value is ready.
type sending struct {
	once        sync.Once
	http        *http.Client
	limits      limits
	acks        acks
	pace        editPace
	threads     kit.Recent[string]       // the channel that answers in a thread go to: the thread, or its parent
	askedAbout  kit.Recent[string]       // what messages say that a form was opened for, by id
	titles      kit.Recent[string]       // of threads that may be opened, by message
	answers     kit.Recent[platform.Ref] // posts made through an interaction, by nonce
	tokens      kit.Recent[string]       // of interactions that something was posted for
	thinking    kit.Recent[bool]         // messages of other programs that say nothing yet
	closed      kit.Recent[bool]         // interactions that Discord takes no answer to, however young
	directs     kit.Recent[string]       // channels of direct messages, by person
	buttonsDone kit.Recent[bool]         // clicks after which the message clicked keeps its buttons, or has lost them
	ephemerals  ephemerals
	statuses    statuses
	tasks       tasks
}
