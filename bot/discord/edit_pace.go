package discord

import (
	"time"

	"threadkeeper/bot/platform/kit"
)

// editInterval is the time between two edits of growing text in one channel, where
// Discord allows about five in five seconds.
const editInterval = 1300 * time.Millisecond

type editPace struct{ next kit.Recent[time.Time] }

func (p *editPace) left(channel string, now time.Time) time.Duration {
	at, _ := p.next.Get(channel)
	return max(0, at.Sub(now))
}

func (p *editPace) edited(channel string, now time.Time) { p.next.Set(channel, now.Add(editInterval)) }
