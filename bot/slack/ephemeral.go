package slack

import (
	"context"
	"errors"
	"net/url"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

// postEphemeral posts what only one person may see: as the answer to their command or click
// while Slack takes one (30 minutes, five times), else as an ephemeral message; where
// that cannot be, in their direct message. It cannot be looked for afterwards: where no
// answer comes, it is posted again: people can dismiss it, but cannot ask for it again.
func (a *Adapter) postEphemeral(ctx context.Context, to platform.Address, r rendering) (platform.Ref, error) {
	at, out := ephemeralSpot(to), ref{Workspace: to.Key.Workspace, Channel: to.Key.Channel, Thread: to.Key.Thread, OnlyTo: to.EphemeralTo}
	for i := range r.parts {
		ts, err := a.postEphemeralPart(ctx, at, to, r, i)
		if errors.Is(err, platform.ErrUndeliverable) && i == 0 {
			return a.postDirect(ctx, to, r)
		}
		if err != nil {
			return "", err
		}
		out.Messages = append(out.Messages, ts)
	}
	return out.String(), nil
}

// ephemeralSpot is where an ephemeral message is shown. Slack shows it in a thread that
// has replies only (https://docs.slack.dev/reference/methods/chat.postEphemeral): what
// answers the message that a thread would begin with stands beside it.
func ephemeralSpot(to platform.Address) spot {
	at := spotOf(to)
	if at.thread == to.ReplyTo {
		at.thread = ""
	}
	return at
}

func (a *Adapter) postEphemeralPart(ctx context.Context, at spot, to platform.Address, r rendering, part int) (ts string, err error) {
	if url := a.responseURL(to.Interaction); url != "" {
		if err := a.answerInteraction(ctx, at, url, r, part); err == nil {
			return "answered", nil
		} else if ctx.Err() != nil {
			return "", err
		}
	}
	err = r.inSomeForm(func(f form) error {
		return a.call(ctx, "chat.postEphemeral", "", func(ctx context.Context) (err error) {
			options := r.options(part, f, maxPlain)
			if at.thread != "" {
				options = append(options, slackapi.MsgOptionTS(at.thread))
			}
			ts, err = a.api.PostEphemeralContext(ctx, at.channel, to.EphemeralTo, options...)
			return err
		})
	})
	if err == nil && ts == "" {
		ts = "unanswered"
	}
	return ts, err
}

func (a *Adapter) answerInteraction(ctx context.Context, at spot, url string, r rendering, part int) error {
	return r.inSomeForm(func(f form) error {
		return a.call(ctx, "response_url", "", func(ctx context.Context) error {
			options := append(r.options(part, f, maxPlain), slackapi.MsgOptionResponseURL(url, slackapi.ResponseTypeEphemeral))
			if at.thread != "" {
				options = append(options, slackapi.MsgOptionTS(at.thread))
			}
			_, _, _, err := a.api.SendMessageContext(ctx, at.channel, options...)
			return err
		})
	})
}

// responseURL returns an interaction's response URL, "" if it is not Slack's.
func (a *Adapter) responseURL(interaction string) string {
	if u, err := url.Parse(interaction); err != nil || !a.mayAsk(u) {
		return ""
	}
	return interaction
}

func (a *Adapter) postDirect(ctx context.Context, to platform.Address, r rendering) (platform.Ref, error) {
	at, err := a.openDirect(ctx, to.EphemeralTo)
	if err != nil {
		return "", err
	}
	parts, err := a.syncMessages(ctx, at, nil, r)
	if err != nil {
		return "", err
	}
	return ref{Workspace: to.Key.Workspace, Channel: at.channel, Messages: parts}.String(), nil
}

func (a *Adapter) openDirect(ctx context.Context, user string) (spot, error) {
	var at spot
	err := a.callIdempotent(ctx, "conversations.open", func(ctx context.Context) error {
		c, _, _, err := a.api.OpenConversationContext(ctx, &slackapi.OpenConversationParameters{Users: []string{user}})
		if err == nil {
			at.channel = c.ID
		}
		return err
	})
	return at, err
}
