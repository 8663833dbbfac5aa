package agent

// route is the path of a turn. It decides what is searched and what may be spent.
type route string

const (
	routeSocial   route = "social"   // a greeting, thanks or a remark, answered in kind
	routeChat     route = "chat"     // neither documents nor older messages are asked about
	routeMemory   route = "memory"   // what was said
	routeLookup   route = "lookup"   // one fact of a document
	routeStandard route = "standard" // other questions about documents
)

// Hard caps of tokens for one turn where Budget leaves them 0.
const (
	capChat     = 15_000
	capLookup   = 10_000
	capStandard = 40_000
	unknownSize = 8_000 // of a model's window
)

// calls is how many model calls a route may make, the repair included.
func (t route) calls() int {
	if t == routeStandard {
		return 6
	}
	return 2
}

// cap is how many tokens a turn on this route may spend.
func (b Budget) cap(t route) int {
	switch t {
	case routeLookup:
		return or(b.Lookup, capLookup)
	case routeStandard:
		return or(b.Standard, capStandard)
	}
	return or(b.Chat, capChat)
}

// prompt is the largest prompt the model may be sent: 60 % of its window.
func (b Budget) prompt() int { return or(b.Window, unknownSize) * 6 / 10 }

func or(n, other int) int {
	if n > 0 {
		return n
	}
	return other
}

// choose decides the route once it is known what a search found.
func (r *run) choose(cover float64) route {
	in := r.understanding.intent
	wanted := in.document || in.summary || cover >= standardCover && (in.question || cover >= lookupCover)
	switch {
	case len(r.library) > 0 && wanted && !(in.recall && !in.document):
		if in.oneFact && cover >= lookupCover {
			return routeLookup
		}
		return routeStandard
	case in.recall || in.next || len(r.recalled) > 0 || in.question && in.own:
		return routeMemory
	}
	return routeChat
}
