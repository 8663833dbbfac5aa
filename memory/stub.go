package memory

import "context"

// Status is what "memory status" shows. Tokens as in a prompt.
type Status struct {
	System, Snapshot, Window, Documents int // tokens
	Context                             int // Snapshot + all messages above the watermark
	Threshold                           int
	Verbatim, Compacted                 int // messages
	Interactions                        int
	Compactions                         []Compaction // done ones, oldest first
}

// Compaction is one row of table compactions.
type Compaction struct {
	ID, SessionID, FromID, ToID int64
	Kind, State                 string
	Method                      SegmentMethod
	TokensBefore, TokensAfter   int
	DoneAt                      int64
}

func (s *Store) Status(ctx context.Context, session int64) (*Status, error) { return nil, ErrNotFound }

// Due makes a compaction due if the policy says so (idle: the session is idle). Receive and Finish call it in their transaction.
func (s *Store) Due(ctx context.Context, session int64, idle bool) (bool, error) { return false, nil }

// Compacting is how many compactions are due or running.
func (s *Store) Compacting(ctx context.Context) (int, error) { return 0, nil }

// RecallQuery asks for older messages.
type RecallQuery struct {
	Audience Audience
	Text     string // the message, or its rewritten form
	Speakers []string
	Exclude  func(id int64) bool // what is in the prompt already
	Budget   int                 // tokens of the rendered lines
	Limit    int                 // messages; 0 = as many as fit
	Before   int64               // only messages with a smaller id; 0 = all
}

// Recalled is one older message, whole and verbatim.
type Recalled struct {
	Message *Message
	Score   float64
}

// Recall finds older messages by full-text search.
func (s *Store) Recall(ctx context.Context, q RecallQuery) ([]Recalled, error) { return nil, nil }

// Search is "memory search": at most limit messages an audience may see, best first.
func (s *Store) Search(ctx context.Context, a Audience, query string, limit int) ([]Recalled, error) {
	return nil, nil
}

// Segment of each message etc. for "memory show" and "memory export": see segments and messages.
func (s *Store) Messages(ctx context.Context, session int64) ([]*Message, error) { return nil, nil }

// Forget erases a person's own messages in a session (all sessions when session is 0); an administrator may name another person's.
func (s *Store) Forget(ctx context.Context, a Audience, session, person int64) (int, error) {
	return 0, nil
}

func (s *Store) Facts(ctx context.Context, session int64) ([]*Fact, error)        { return nil, nil }
func (s *Store) Citations(ctx context.Context, message int64) ([]Citation, error) { return nil, nil }
