package slack

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// prompts are what somebody who opens a conversation with us may want to begin with:
// commands, which work without their slash.
func (w homeWords) prompts() []slackapi.AssistantThreadsPrompt {
	return []slackapi.AssistantThreadsPrompt{
		{Title: w.canDo, Message: "help"},
		{Title: w.canRead, Message: "docs list"},
		{Title: w.remember, Message: "memory status"},
	}
}

const maxTitle = 60 // characters of a conversation's title

func (in *intake) handleHomeOpened(ctx context.Context, x *homeOpened) {
	switch {
	case x.User == "":
	case x.Tab == "home":
		in.a.startTask(ctx, "home", func(ctx context.Context) error {
			return in.handler.Home(ctx, reader{us: in.us}.key(x.Channel), in.a.person(ctx, x.User, true))
		})
	case x.Tab == "messages" && in.a.AgentView && x.Channel != "":
		in.suggestPrompts(ctx, x.User, x.Channel)
	}
}

func (in *intake) suggestPrompts(ctx context.Context, user, channel string) {
	a := in.a
	in.a.startTask(ctx, "suggested prompts", func(ctx context.Context) error {
		say := homeWordsIn(a.person(ctx, user, false).Locale)
		err := a.call(ctx, "assistant.threads.setSuggestedPrompts", "", func(ctx context.Context) error {
			return a.api.SetAssistantThreadsSuggestedPromptsContext(ctx, slackapi.AssistantThreadsSetSuggestedPromptsParameters{
				Title: say.ask, ChannelID: channel, Prompts: say.prompts()})
		})
		if errorCode(err) == "message_not_found" { // no message yet: Slack shows the manifest's
			return nil
		}
		return err
	})
}

func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return kit.Shorten(plainLabel(line), maxTitle)
}

// Retitle renames a conversation of a direct message; Slack shows names nowhere else. Without an agent session Slack knows the
// title of an assistant thread, which a session takes over.
func (a *Adapter) Retitle(ctx context.Context, key memory.Key, text, untitled string) error {
	at := spot{key.Channel, key.Thread}
	if !at.private() || at.thread == "" {
		return nil
	}
	title := cmp.Or(titleOf(text), untitled)
	err := a.call(ctx, "agents.sessions.rename", "", func(ctx context.Context) error {
		_, err := a.api.RenameAgentSessionContext(ctx, slackapi.AgentSessionRenameParameters{Title: title, ChannelID: at.channel, ThreadTS: at.thread})
		return err
	})
	if code := errorCode(err); code == "session_not_found" || slices.Contains(noSessionCodes, code) {
		err = a.call(ctx, "assistant.threads.setTitle", "", func(ctx context.Context) error {
			return a.api.SetAssistantThreadsTitleContext(ctx, slackapi.AssistantThreadsSetTitleParameters{ChannelID: at.channel, ThreadTS: at.thread, Title: title})
		})
	}
	var later *platform.RetryError
	if errorCode(err) != "" && !errors.As(err, &later) {
		a.Log.Debug("could not title a conversation", "error", err)
		return nil
	}
	return err
}
