package slack

import (
	"context"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// lookupTime is Options.LookUp by default: Slack wants its receipt within three seconds
// (https://docs.slack.dev/apis/events-api/#responding).
const lookupTime = 900 * time.Millisecond

// Complete asks Slack for the author of an event, its channel, and the names of
// people and channels in its text. A person whose look-up takes too long is
// looked up in the background, for their next event.
func (a *Adapter) Complete(ctx context.Context, ev *platform.Event, answer bool) {
	switch ev.Kind {
	case platform.EventDelete, platform.EventFile, platform.EventMove, platform.EventAudience:
		return
	}
	a.lookUp(ctx, ev, answer)
	if id := ev.Author.ID; answer && ev.Author.Kind == memory.Unknown {
		a.startTask(ctx, "look up person", func(ctx context.Context) error {
			_, err := a.people.retry(ctx, id)
			return err
		})
	}
}

func (a *Adapter) lookUp(ctx context.Context, ev *platform.Event, urgent bool) {
	wait := a.LookUp
	if !urgent {
		wait /= 4
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if ev.Kind == platform.EventMessage || ev.Kind == platform.EventEdit {
		us, _ := a.identify(ctx) // Run has asked
		ev.Text = a.namesFor(ctx, us, urgent).markdown(ev.Text)
		kit.TakePasted(ctx, ev, a.Open)
	}
	var who sync.WaitGroup
	who.Go(func() { ev.Author = a.authorOf(ctx, ev.Author, urgent) })
	ev.Channel = a.completeChannel(ctx, ev.Key.Channel, ev.Channel, urgent)
	who.Wait()
}

func (a *Adapter) namesFor(ctx context.Context, us identity, urgent bool) naming {
	return naming{us: us.User,
		person:  func(id string) string { return a.person(ctx, id, urgent).Name },
		channel: func(id string) string { return a.channelName(ctx, id) }}
}
