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

// Segment of each message etc. for "memory show" and "memory export": see segments and messages.
func (s *Store) Messages(ctx context.Context, session int64) ([]*Message, error) { return nil, nil }

// Forget erases a person's own messages in a session (all sessions when session is 0); an administrator may name another person's.
func (s *Store) Forget(ctx context.Context, a Audience, session, person int64) (int, error) {
	return 0, nil
}

// OpenQuestion is the unanswered clarifying question of a session, or ErrNotFound.
func (s *Store) OpenQuestion(ctx context.Context, session int64) (*Question, error) {
	return nil, ErrNotFound
}
func (s *Store) QuestionByToken(ctx context.Context, token string) (*Question, error) {
	return nil, ErrNotFound
}

// AnswerQuestion closes a question; false if it was closed before.
func (s *Store) AnswerQuestion(ctx context.Context, id int64, answer string, state QuestionState) (bool, error) {
	return false, nil
}
func (s *Store) Facts(ctx context.Context, session int64) ([]*Fact, error)        { return nil, nil }
func (s *Store) Citations(ctx context.Context, message int64) ([]Citation, error) { return nil, nil }
