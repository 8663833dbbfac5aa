package platformtest

import (
	"context"
	"slices"
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Backup is what a backup brought, and which channels of it were compared with the platform.
type Backup struct {
	Brought []platform.Seen

	mu      sync.Mutex
	checked []memory.Key
}

// Stale is that of a platform.Handler.
func (b *Backup) Stale(context.Context) (channels []memory.StaleChannel, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.Brought {
		channel := memory.StaleChannel{Key: inChannel(c.Key)}
		if !slices.Contains(channels, channel) && !slices.Contains(b.checked, channel.Key) {
			channels = append(channels, channel)
		}
	}
	return channels, nil
}

// Stored is that of a platform.Handler.
func (b *Backup) Stored(_ context.Context, channel memory.Key) (stored []platform.Seen, err error) {
	for _, c := range b.Brought {
		if inChannel(c.Key) == channel {
			stored = append(stored, c)
		}
	}
	return stored, nil
}

// SetFresh is that of a platform.Handler.
func (b *Backup) SetFresh(_ context.Context, channel memory.StaleChannel) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.checked = append(b.checked, channel.Key)
	return nil
}

// Checked are the channels that were compared, in that order.
func (b *Backup) Checked() []memory.Key {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.checked)
}

func inChannel(key memory.Key) memory.Key {
	key.Thread = ""
	return key
}

// Sweep is one pass over everything stored.
type Sweep struct {
	Stored []platform.Seen
	Held   map[string][]string // files, by message

	mu   sync.Mutex
	n    int // conversations that were compared
	from int // messages of the next one that were
	over bool
}

// NextPart is that of a platform.Handler.
func (s *Sweep) NextPart(ctx context.Context, limit int) (platform.Part, error) {
	s.mu.Lock()
	if s.n == len(s.Stored) {
		s.over = true
		s.mu.Unlock()
		<-ctx.Done()
		return platform.Part{}, ctx.Err()
	}
	defer s.mu.Unlock()
	part := platform.Part{Seen: s.Stored[s.n]}
	oldest := slices.Clone(part.Messages)
	slices.Reverse(oldest)
	part.Messages = oldest[s.from:min(len(oldest), s.from+limit)]
	part.Last = int64(s.from + len(part.Messages))
	if part.Last < int64(len(s.Stored[s.n].Messages)) {
		part.Posts = nil
	}
	return part, nil
}

// SetCompared is that of a platform.Handler.
func (s *Sweep) SetCompared(_ context.Context, part platform.Part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from = int(part.Last); s.from == len(s.Stored[s.n].Messages) {
		s.n, s.from = s.n+1, 0
	}
	return nil
}

// Files is that of a platform.Handler.
func (s *Sweep) Files(_ context.Context, _ memory.Key, message string) ([]string, error) {
	return s.Held[message], nil
}

// Over reports whether all was compared.
func (s *Sweep) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}
