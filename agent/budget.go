package agent

import (
	"encoding/json"
	"strings"
	"sync"

	"threadkeeper/memory"
)

// route says in the ledger what a turn was about.
type route string

const (
	routeCard     route = "card"     // what a file that came alone is about
	routeSocial   route = "social"   // a greeting, thanks or a remark, answered in kind
	routeChat     route = "chat"     // neither documents nor older messages
	routeMemory   route = "memory"   // messages
	routeLookup   route = "lookup"   // one fact of a document
	routeStandard route = "standard" // documents
	routeWhole    route = "whole"    // documents that are read whole
	routeAnswered route = "answered" // the same was answered before
)

// Defaults for fields of Budget that are 0.
const (
	usualTurn   = 10_000
	capTurn     = 40_000
	unknownSize = 8_192 // of a model's window
)

const (
	answerTokens = 2_000 // of one reply at most, in a large window
	smallWindow  = 8_192 // below which more of it goes to the prompt
	maxCalls     = 6     // of the model in a turn, the repair included
	leastRecall  = 400
)

// window is how many tokens prompt and reply may have together.
func (r *run) window() int { return or(r.Budget.Window, unknownSize) }

// cap is how many tokens the turn may spend beyond the system text and the history.
func (r *run) cap() int { return or(r.Budget.Turn, capTurn) }

// promptLimit is how large a prompt may be: 60 % of the window, 70 % of a small one.
func (r *run) promptLimit() int {
	if r.window() < smallWindow {
		return r.window() * 7 / 10
	}
	return r.window() * 6 / 10
}

// answerRoom is how long a reply may be, in tokens: what a tenth of the window leaves, in which models count otherwise.
func (r *run) answerRoom() int { return min(answerTokens, r.window()*9/10-r.promptLimit()) }

// fixedTokens returns the tokens of the instructions and the tools, the same in every prompt.
var fixedTokens = sync.OnceValue(func() int {
	listed, _ := json.Marshal(schemas()) // maps, lists and strings
	return memory.Count(systemText()) + memory.Count(string(listed)) + 2*messageOverhead
})

// documentRoom is how many tokens of documents a prompt shows, of at most limit.
func (r *run) documentRoom(limit int) int {
	return min(r.window()/6, limit, or(r.Budget.Usual, usualTurn)*limit/usualTurn)
}

// recallRoom is how many tokens of recalled lines a prompt shows. Where there are documents they share a small window.
func (r *run) recallRoom() int {
	if len(r.library) > 0 {
		return max(min(recallTokens, r.window()/10), leastRecall)
	}
	return max(min(recallTokens, r.window()/5), leastRecall)
}

// requestRoom is how many tokens of the message a prompt shows.
func (r *run) requestRoom() int {
	return max(min(r.promptLimit()*requestShare/100, r.promptLimit()-fixedTokens()-300), leastRequest)
}

// historyRoom is how many tokens of the history the prompts show: what the rest leaves, by figures that change little from
// turn to turn, so that the history begins with the same message.
func (r *run) historyRoom() int {
	rest := fixedTokens() + memory.Count(r.instructions()) + r.recallRoom() + memory.Count(strings.Join(r.carriedLines(), "\n")) + r.pictured.tokens + 300
	if len(r.library) > 0 {
		rest += r.documentRoom(libraryRoom)
	}
	return r.promptLimit() - rest - min(memory.Count(r.words), r.requestRoom())
}

func or(n, other int) int {
	if n > 0 {
		return n
	}
	return other
}
