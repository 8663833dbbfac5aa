package memory

import "context"

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
