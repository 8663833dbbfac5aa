package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// maxHomeName bounds a title or a document's name on the page, in runes.
const maxHomeName = 100

// PublishHome shows a person a page as their Home tab.
func (a *Adapter) PublishHome(ctx context.Context, _ memory.Key, person string, h platform.Home) error {
	us, err := a.identify(ctx)
	if err != nil {
		return err
	}
	view := slackapi.HomeTabViewRequest{Type: slackapi.VTHomeTab, Blocks: slackapi.Blocks{BlockSet: a.homeBlocks(h, us.User)}}
	return a.call(ctx, "views.publish", "", func(ctx context.Context) error {
		_, err := a.api.PublishViewContext(ctx, slackapi.PublishViewContextRequest{UserID: person, View: view})
		return err
	})
}

// homeBlocks are at most 85 of the 100 blocks that Slack lets a page have.
func (a *Adapter) homeBlocks(h platform.Home, us string) []slackapi.Block {
	say := homeWordsIn(h.Language)
	blocks := []slackapi.Block{heading(say.begin), paragraph(fmt.Sprintf(say.steps, us)), slackapi.NewDividerBlock(), heading(say.threads)}
	if len(h.Threads) == 0 {
		blocks = append(blocks, paragraph(say.noThreads))
	}
	for _, t := range h.Threads {
		about := "*" + linked(a.Link(t.Post), t.Title) + "*"
		for _, l := range t.Lines {
			about += "\n• " + escape(l)
		}
		blocks = append(blocks, paragraph(about),
			slackapi.NewContextBlock("", markupText(strings.Join([]string{say.where(t.Channel), escape(t.Gauge), when(t.At)}, " · "))))
	}
	blocks = append(blocks, slackapi.NewDividerBlock(), heading(say.documents))
	if len(h.Documents) == 0 {
		blocks = append(blocks, paragraph(say.noDocuments))
	}
	for _, d := range h.Documents {
		parts := []string{linked(d.Link, d.Name), fmt.Sprintf(say.pages, d.Pages), when(d.At)}
		switch d.Pages {
		case 0: // a picture
			parts = slices.Delete(parts, 1, 2)
		case 1:
			parts[1] = say.page
		}
		blocks = append(blocks, paragraph(strings.Join(parts, " · ")))
	}
	return blocks
}

func heading(text string) slackapi.Block {
	return slackapi.NewHeaderBlock(slackapi.NewTextBlockObject(slackapi.PlainTextType, text, false, false))
}

func paragraph(text string) slackapi.Block {
	return slackapi.NewSectionBlock(markupText(text), nil, nil)
}

func linked(address, name string) string {
	name = kit.Shorten(name, maxHomeName)
	if address == "" {
		return escape(reading.Literal(name))
	}
	if to := link(address, name); kit.Length(to) <= maxContext {
		return to
	}
	return escape(reading.Literal(name)) // its address is too long to show
}

func (w homeWords) where(c memory.Channel) string {
	switch {
	case c.Kind == memory.DM:
		return w.direct
	case c.Name == "":
		return w.channel
	}
	return "#" + escape(kit.Shorten(c.Name, maxHomeName))
}

// when is a time as everybody sees it in their own zone
// (https://docs.slack.dev/messaging/formatting-message-text#date-formatting).
func when(at int64) string {
	t := time.UnixMilli(at).UTC()
	return fmt.Sprintf("<!date^%d^{date_short_pretty} {time}|%s>", t.Unix(), t.Format("2006-01-02 15:04 MST"))
}
