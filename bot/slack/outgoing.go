package slack

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Limits of one message. Slack counts 12,000 characters over all its Markdown, and
// refuses blocks from about 13,200 with their surroundings (msg_blocks_too_long).
const (
	maxMarkdown = 10_500
	maxBlocks   = 12_500 // of the blocks as JSON
	maxExtras   = 9_500  // of those under the text
	maxContext  = 2_000  // of mrkdwn in a line of small print
	maxText     = 3_900  // of the text that notifications show
)

// form is how a post is put. Where Slack refuses the first, the other is tried.
type form int

const (
	formFull form = iota // Markdown and what stands under it
	formText             // no blocks at all
)

// rendering is an outgoing message as Slack is to show it: one or several messages of
// ours. What belongs to the whole stands under the last.
type rendering struct {
	out   platform.Outgoing
	parts []string // neutral Markdown, one at least
}

func render(out platform.Outgoing) rendering {
	r := rendering{out: out}
	text := neutral(strings.Trim(out.Text, "\n"))
	if out.Question != nil && !strings.Contains(out.Text, strings.TrimSpace(out.Question.Text)) {
		text = strings.TrimSpace(text + "\n\n" + neutral(out.Question.Text))
	}
	if r.spellsOut() {
		text = strings.TrimSpace(text + "\n\n" + neutral(strings.Join(choices(out.Question), "\n")))
	}
	if out.Kind == platform.KindError {
		text = "⚠️ " + text
	}
	for limit := maxMarkdown; ; limit = limit * 3 / 4 {
		r.parts = kit.Split(text, limit, kit.Fence{})
		last := len(r.parts) - 1
		if room := limit - weight(r.extras()); kit.Length(r.parts[last]) > room {
			r.parts = append(r.parts[:last], kit.Split(r.parts[last], max(room, limit/4), kit.Fence{})...)
		}
		if r.fits() || limit < 1000 {
			return r
		}
	}
}

func (r rendering) fits() bool {
	for i := range r.parts {
		if weight(r.blocks(i, formFull)) > maxBlocks {
			return false
		}
	}
	return true
}

func weight(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts, and types of the library
	}
	return utf8.RuneCount(b)
}

func (r rendering) blocks(part int, f form) []slackapi.Block {
	if f == formText {
		return nil
	}
	var extras []slackapi.Block
	if part == len(r.parts)-1 {
		extras = r.extras()
	}
	body := r.body(part)
	return append(body[:min(len(body), 50-len(extras))], extras...)
}

func (r rendering) body(part int) []slackapi.Block {
	text := r.parts[part]
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case r.isSmallPrint():
		return []slackapi.Block{slackapi.NewContextBlock("", markupText(markup(text)))}
	}
	return []slackapi.Block{slackapi.NewMarkdownBlock("", text)}
}

// isSmallPrint reports whether the message stands beside the conversation and is shown small.
func (r rendering) isSmallPrint() bool {
	return r.out.Kind == platform.KindErased && len(r.parts) == 1 && kit.Length(markup(r.parts[0])) <= maxContext
}

// text is what notifications show of a part; in the form without blocks it is all
// there is, and up to limit characters long.
func (r rendering) text(part int, f form, limit int) string {
	text := markup(r.parts[part])
	if f == formText && part == len(r.parts)-1 {
		footer := kit.Shorten(strings.Join(r.footer(), "\n"), limit/2)
		text = strings.TrimSpace(kit.Shorten(text, limit-kit.Length(footer)-2) + "\n\n" + footer)
	}
	if text == "" {
		text = "…" // Slack takes no message without a text
	}
	return kit.Shorten(text, limit)
}

func (r rendering) footer() []string {
	var lines []string
	if q := r.out.Question; q != nil && !r.spellsOut() {
		for _, line := range choices(q) {
			lines = append(lines, escape(line))
		}
	}
	for _, c := range r.out.Citations {
		lines = append(lines, citationLine(c, r.out.Language))
	}
	return lines
}

func (r rendering) metadata(part int) slackapi.SlackMetadata {
	return slackapi.SlackMetadata{EventType: eventType, EventPayload: map[string]any{
		"nonce": r.out.Nonce, "part": part, "parts": len(r.parts)}}
}

const eventType = "threadkeeper"

func markupText(text string) *slackapi.TextBlockObject {
	return slackapi.NewTextBlockObject(slackapi.MarkdownType, text, false, true)
}
