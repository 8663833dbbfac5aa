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
	// leastDocuments is how many tokens of documents are shown at least: a passage.
	leastDocuments = 300
)

// window is how many tokens prompt and reply may have together.
func (r *run) window() int { return or(r.Budget.Window, unknownSize) }

// cap is how many tokens the turn may spend beyond the system text and the history. What the person wrote and quotes is on
// top of that, twice: nothing is refused for its length, and a search is left.
func (r *run) cap() int { return or(r.Budget.Turn, capTurn) + 2*r.given }

// tailRoom is how many tokens the next prompt may have beyond the system text and the history. The first one leaves room
// for a search.
func (r *run) tailRoom(first bool) int {
	left := r.cap() - r.beyond - r.answerRoom()
	if first {
		return (left - r.resultRoom() - r.answerRoom()) / 2
	}
	return left
}

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
	return systemTokens() + memory.Count(string(listed)) + 2*messageOverhead
})

// documentRoom is how many tokens of documents a prompt shows: limit if Budget.Usual is the default, in the smallest windows what
// the rest leaves.
func (r *run) documentRoom(limit int) int {
	if limit = or(r.Budget.Usual, usualTurn) * limit / usualTurn; r.spare > 0 {
		limit = min(limit, r.spare)
	}
	return min(r.window()/6, limit)
}

// resultRoom is how many tokens the results of a round of calls may have, where the prompt leaves as many.
func (r *run) resultRoom() int { return min(resultTokens, r.window()/6) }

// recallRoom is how many tokens of recalled lines a prompt shows. Where there are documents they share a small window.
func (r *run) recallRoom() int {
	if len(r.library) > 0 {
		return max(min(recallTokens, r.window()/10), leastRecall)
	}
	return max(min(recallTokens, r.window()/5), leastRecall)
}

// quotedRoom is how many tokens of what the message quotes a prompt shows.
func (r *run) quotedRoom() int { return max(r.promptLimit()*quotedShare/100, leastRequest) }

// requestRoom is how many tokens of the message a prompt shows.
func (r *run) requestRoom() int {
	return max(min(r.promptLimit()*requestShare/100, r.promptLimit()-fixedTokens()-280), leastRequest)
}

// historyRoom is how many tokens of the history the prompts show: what the rest leaves, by figures that change little from
// turn to turn, so that the history begins with the same message.
func (r *run) historyRoom() int {
	rest := fixedTokens() + memory.Count(r.instructions()) + r.recallRoom() + memory.Count(strings.Join(r.carriedLines(), "\n")) + r.pictured.tokens + 300
	if len(r.library) > 0 {
		rest += r.documentRoom(libraryRoom)
	}
	return r.promptLimit() - rest - r.given
}

func or(n, other int) int {
	if n > 0 {
		return n
	}
	return other
}
