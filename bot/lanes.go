package bot

import (
	"sync"

	"threadkeeper/memory"
)

// commandsAtOnce is how many commands of different sessions are carried out at the same time;
// stop is never kept waiting.
const commandsAtOnce = 4

// lanes are the commands this process is at. One that waits for what was clicked to be
// recorded holds up no other.
type lanes struct {
	mu       sync.Mutex
	sessions map[int64]int64 // session → the row that has it
	rows     map[int64]bool  // true for one that does not wait
	efforts  map[int64]*effort
}

// effort is how often a row that is not done had to wait, or failed.
type effort struct{ waits, failures int }

func newLanes() *lanes {
	return &lanes{sessions: make(map[int64]int64), rows: make(map[int64]bool), efforts: make(map[int64]*effort)}
}

func (l *lanes) enter(row *memory.Inbox, urgent bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.rows[row.ID]; ok {
		return false
	}
	if !urgent && (l.sessions[row.SessionID] != 0 || l.busy() >= commandsAtOnce) {
		return false
	}
	l.rows[row.ID] = true
	if !urgent {
		l.sessions[row.SessionID] = row.ID
	}
	return true
}

func (l *lanes) busy() (n int) {
	for _, working := range l.rows {
		if working {
			n++
		}
	}
	return n
}

// effortOf is for the one who has the row.
func (l *lanes) effortOf(row *memory.Inbox) *effort {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.efforts[row.ID] == nil {
		l.efforts[row.ID] = new(effort)
	}
	return l.efforts[row.ID]
}

// yield lets others go on until the row leaves.
func (l *lanes) yield(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[row.ID] = false
	l.free(row)
}

func (l *lanes) free(row *memory.Inbox) {
	if l.sessions[row.SessionID] == row.ID {
		delete(l.sessions, row.SessionID)
	}
}

func (l *lanes) leave(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.rows, row.ID)
	l.free(row)
}

// done forgets the effort a row took.
func (l *lanes) done(row *memory.Inbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.efforts, row.ID)
}
