package memory

// Policy says when a session is compacted and how much stays verbatim.
type Policy struct {
	Threshold    int // tokens of snapshot and un-summarised messages beyond which older ones are folded; default 10,000
	Window       int // interactions that stay verbatim; default 10
	Extra        int // interactions beyond the window that are folded whatever their size; default 15
	IdleExtra    int // the same once the session is idle; default 5
	IdleShare    int // percent of Threshold beyond the window that is folded once a session that was folded before is idle; default 20
	WindowShare  int // percent of Threshold the window may take, a longer last interaction exempt; default 45
	SummaryShare int // percent of Threshold the snapshot may take; default 15
}

// DefaultPolicy is the policy for a threshold, 0 for the default one.
func DefaultPolicy(threshold int) Policy {
	if threshold == 0 {
		threshold = 10_000
	}
	return Policy{Threshold: threshold, Window: 10, Extra: 15, IdleExtra: 5, IdleShare: 20, WindowShare: 45, SummaryShare: 15}
}
