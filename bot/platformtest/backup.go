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
