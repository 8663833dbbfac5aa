package slack

import (
	"cmp"
	"context"
	"strings"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// maxStatus is how long a line of a status may be
// (https://docs.slack.dev/reference/methods/assistant.threads.setStatus).
const maxStatus = 50

// comma looks like one where the library joins lines with commas.
const comma = "‚"

// Status shows our current step under a thread, until something is posted there; Slack
// removes it after two minutes. Slack has no such line outside of threads. A failure is
// never returned as an error.
func (a *Adapter) Status(ctx context.Context, to platform.Address, status string) error {
	at := spotOf(to)
	if at.thread == "" || to.EphemeralTo != "" {
		return nil
	}
	a.startProcessing(ctx, at)
	line := shortenMiddle(plainLabel(cmp.Or(status, say.In(to.Language).Thinking)), maxStatus)
	_, err := a.callOptional(ctx, "assistant.threads.setStatus", "", func(ctx context.Context) error {
		return a.api.SetAssistantThreadsStatusContext(ctx, slackapi.AssistantThreadsSetStatusParameters{ChannelID: at.channel, ThreadTS: at.thread,
			Status: line, LoadingMessages: []string{strings.ReplaceAll(line, ",", comma)}})
	})
	if err != nil {
		a.Log.Debug("could not show a status", "error", err)
	}
	return nil
}

// shortenMiddle leaves out of the middle what is more than n characters: a status
// ends with how far we are.
func shortenMiddle(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	tail := n * 2 / 5
	return string(runes[:n-tail-1]) + "…" + string(runes[len(runes)-tail:])
}
