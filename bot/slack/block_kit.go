package slack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const (
	maxLabel   = 75  // characters on a button
	maxQuote   = 160 // of a citation's quote that are shown
	maxActions = 25  // buttons in a row
	maxChoice  = 400 // of an option that is written out
	maxWeight  = 150 // characters on a button as JSON
)

// extras are the blocks under the text: a question's options, citations and their
// pages, buttons, feedback. Together they take maxExtras at most: what people press
// comes first, the lines of citations have what room it leaves.
func (r rendering) extras() []slackapi.Block {
	o := r.out
	if o.Kind == platform.KindErased {
		return nil
	}
	left := room{size: maxExtras, blocks: 45}
	under := left.take(buttons(o))
	var asked []slackapi.Block
	if o.Question != nil {
		asked = left.take(options(o.Question))
	}
	shown := left.take(pages(o))
	sources := citations(o)
	if weight(sources) > left.size {
		sources = documents(o)
	}
	return slices.Concat(asked, left.take(sources), shown, under)
}

// room is what blocks may take.
type room struct{ size, blocks int }

// take are those of the blocks that there is room for, the first before the last.
func (r *room) take(all []slackapi.Block) []slackapi.Block {
	var taken []slackapi.Block
	for _, b := range all {
		if n := weight([]slackapi.Block{b}); n <= r.size && r.blocks > 0 {
			taken = append(taken, b)
			r.size, r.blocks = r.size-n, r.blocks-1
		}
	}
	return taken
}

func buttons(o platform.Outgoing) []slackapi.Block {
	var row []slackapi.BlockElement
	for i, b := range o.Buttons {
		row = append(row, button(fmt.Sprintf("button-%d", i), b.Label, b.Action))
	}
	blocks := rows("buttons", row)
	if o.Feedback && o.Nonce != "" {
		blocks = append(blocks, feedback(o.Nonce, say.In(o.Language)))
	}
	return blocks
}

func rows(id string, buttons []slackapi.BlockElement) []slackapi.Block {
	var blocks []slackapi.Block
	for row := range slices.Chunk(buttons, maxActions) {
		blocks = append(blocks, slackapi.NewActionBlock(fmt.Sprintf("%s-%d", id, len(blocks)), row...))
	}
	return blocks
}

// button is one whose value is the bot's action. Action ids are unique in a message
// and say nothing.
func button(id, label, action string) *slackapi.ButtonBlockElement {
	text := slackapi.NewTextBlockObject(slackapi.PlainTextType, cmp.Or(buttonText(plainLabel(label)), "…"), true, false)
	return slackapi.NewButtonBlockElement(id, action, text)
}

// buttonText is as much of a label as a button shows.
func buttonText(label string) string {
	for limit := maxLabel; ; limit = limit * 4 / 5 {
		if text := kit.Shorten(label, limit); limit < 10 || weight(text) <= maxWeight {
			return text
		}
	}
}

// options are a question's choices, one below the other, then in one row the two that
// are none.
func options(q *platform.Question) []slackapi.Block {
	var blocks []slackapi.Block
	choices := q.Options[:others(q)]
	for i, b := range choices {
		id := fmt.Sprintf("option-%d", i)
		blocks = append(blocks, slackapi.NewActionBlock(id, button(id, b.Label, b.Action)))
	}
	if len(choices) > 0 && len(choices) < len(q.Options) {
		blocks = append(blocks, slackapi.NewDividerBlock())
	}
	var row []slackapi.BlockElement
	for i, b := range q.Options[len(choices):] {
		row = append(row, button(fmt.Sprintf("other-%d", i), b.Label, b.Action))
	}
	return append(blocks, rows("others", row)...)
}

// others is where the two options begin that are no readings of the request.
func others(q *platform.Question) int { return max(0, len(q.Options)-2) }

// spellsOut reports whether the text lists the choices, because a button cannot hold one
// of them whole.
func (r rendering) spellsOut() bool {
	q := r.out.Question
	return q != nil && slices.ContainsFunc(q.Options[:others(q)], func(b platform.Button) bool {
		label := plainLabel(b.Label)
		return label != "" && buttonText(label) != label
	})
}

func choices(q *platform.Question) []string {
	var lines []string
	for i, b := range q.Options[:others(q)] {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, kit.Shorten(plainLabel(b.Label), maxChoice)))
	}
	return lines
}

func citations(o platform.Outgoing) []slackapi.Block {
	var lines []string
	for _, c := range o.Citations {
		line := citationLine(c, o.Language)
		if kit.Length(line) > maxContext { // its address is too long to show
			c.Link = ""
			line = citationLine(c, o.Language)
		}
		lines = append(lines, line)
	}
	return smallPrint(lines)
}

// documents are the citations without quotes, a line for each document.
func documents(o platform.Outgoing) []slackapi.Block {
	var lines []string
	for _, of := range say.ByDocument(o.Citations) {
		line := linked(of[0].Link, plainLabel(of[0].Document)) + ":"
		for i, c := range of {
			if i > 0 {
				line += " ·"
			}
			if line += " [" + c.Label() + "]"; c.Page > 0 {
				line += " " + placeOf(c, o.Language)
			}
		}
		lines = append(lines, kit.Shorten(line, maxContext))
	}
	return smallPrint(lines)
}

// smallPrint are lines in as few blocks as hold them.
func smallPrint(all []string) (blocks []slackapi.Block) {
	lines := ""
	for _, line := range all {
		if lines != "" && kit.Length(lines)+1+kit.Length(line) > maxContext {
			blocks = append(blocks, slackapi.NewContextBlock("", markupText(lines)))
			lines = ""
		}
		lines = strings.TrimPrefix(lines+"\n"+line, "\n")
	}
	if lines != "" {
		blocks = append(blocks, slackapi.NewContextBlock("", markupText(lines)))
	}
	return blocks
}

// pages are the buttons that show a cited page, one for each.
func pages(o platform.Outgoing) []slackapi.Block {
	if o.Nonce == "" {
		return nil
	}
	type page struct {
		document string
		number   int
	}
	var row []slackapi.BlockElement
	shown := make(map[page]bool)
	for _, c := range o.Citations {
		if p := (page{c.Document + "\n" + c.Link, c.Page}); c.Page > 0 && c.Place == "" && !shown[p] {
			shown[p] = true
			label := fmt.Sprintf(say.In(o.Language).ShowPage, c.Page)
			if len(o.Citations) > 1 {
				label = fmt.Sprintf("[%s] %s", c.Label(), label)
			}
			row = append(row, button(fmt.Sprintf("page-%d", len(row)), label, platform.PageAction(o.Nonce, c.N)))
		}
	}
	return rows("pages", row)
}

func citationLine(c memory.Citation, language string) string {
	line := fmt.Sprintf("[%s] %s", c.Label(), linked(c.Link, kit.Shorten(plainLabel(c.Document), 80)))
	if c.Page > 0 {
		line += ", " + placeOf(c, language)
	}
	if quote := strings.Join(strings.Fields(c.Quote), " "); quote != "" {
		line += " · “" + escape(kit.Shorten(quote, maxQuote)) + "”"
	}
	return line
}

func placeOf(c memory.Citation, language string) string {
	return escape(kit.Shorten(plainLabel(say.Place(language, c)), 80))
}

func feedback(nonce string, say *say.Words) slackapi.Block {
	one := func(text, label string, f platform.Feedback) *slackapi.FeedbackButton {
		t := slackapi.NewTextBlockObject(slackapi.PlainTextType, text, true, false)
		return slackapi.NewFeedbackButton(t, platform.FeedbackAction(nonce, f)).WithAccessibilityLabel(label)
	}
	return slackapi.NewContextActionsBlock("feedback", slackapi.NewFeedbackButtonsBlockElement("feedback",
		one("👍", say.Helpful, platform.Helpful), one("👎", say.Unhelpful, platform.Unhelpful)))
}
