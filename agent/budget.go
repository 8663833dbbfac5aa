package agent

import "threadkeeper/memory"

// route says in the ledger what a turn was about.
type route string

const (
	routeSocial   route = "social"   // a greeting, thanks or a remark, answered in kind
	routeChat     route = "chat"     // neither documents nor older messages
	routeMemory   route = "memory"   // what was said
	routeLookup   route = "lookup"   // one fact of a document
	routeStandard route = "standard" // documents
)

// Where Budget leaves them 0.
const (
	usualTurn   = 10_000
	capTurn     = 40_000
	unknownSize = 8_192 // of a model's window
)

const (
	answerTokens = 2_000 // of one reply at most
	maxCalls     = 6     // of the model in a turn, the repair included
	leastRecall  = 400
)

// window is how many tokens prompt and reply may have together.
func (r *run) window() int { return or(r.Budget.Window, unknownSize) }

// cap is how many tokens the turn may spend beyond the system text and the history.
func (r *run) cap() int { return or(r.Budget.Turn, capTurn) }

// promptLimit is how large a prompt may be: 60 % of the window.
func (r *run) promptLimit() int { return r.window() * 6 / 10 }

// documentRoom is how many tokens of documents a prompt shows, of at most limit.
func (r *run) documentRoom(limit int) int {
	return min(r.window()/6, limit, or(r.Budget.Usual, usualTurn)*limit/usualTurn)
}

// recallRoom is how many tokens of recalled lines a prompt shows.
func (r *run) recallRoom() int { return max(min(recallTokens, r.window()/10), leastRecall) }

// historyRoom is how many tokens of the history the prompts show: what the rest leaves, by figures that change little from
// turn to turn, so that the history begins with the same message.
func (r *run) historyRoom() int {
	rest := memory.Count(systemText()) + r.recallRoom() + r.pictured.tokens + 300
	if len(r.library) > 0 {
		rest += r.documentRoom(libraryRoom)
	}
	return r.promptLimit() - rest - min(memory.Count(r.words), r.promptLimit()*requestShare/100)
}

func or(n, other int) int {
	if n > 0 {
		return n
	}
	return other
}
