package discord

import (
	"slices"
	"strings"
)

// Programs show much of what they say beside a message's content: in cards and, since
// 2025, in components
// (https://docs.discord.com/developers/resources/message#embed-object,
// https://docs.discord.com/developers/components/reference#text-display).

type wireEmbed struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Text   string `json:"description"`
	Author struct {
		Name string `json:"name"`
	} `json:"author"`
	Fields []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"fields"`
	Footer struct {
		Text string `json:"text"`
	} `json:"footer"`
}

type wireComponent struct {
	Type       int             `json:"type"`
	CustomID   string          `json:"custom_id"`
	Content    string          `json:"content"`
	Components []wireComponent `json:"components"`
}

// wirePoll is a question with answers
// (https://docs.discord.com/developers/resources/poll#poll-object).
type wirePoll struct {
	Question wirePollText `json:"question"`
	Answers  []struct {
		Media wirePollText `json:"poll_media"`
	} `json:"answers"`
}

type wirePollText struct {
	Text string `json:"text"`
}

// text is the question, and a line for each answer.
func (p wirePoll) text() string {
	if p.Question.Text == "" {
		return ""
	}
	lines := []string{"📊 " + p.Question.Text}
	for _, a := range p.Answers {
		lines = append(lines, "- "+a.Media.Text)
	}
	return strings.Join(lines, "\n")
}

const (
	embedRich   = "rich" // made by a program; the others show where a link leads
	textDisplay = 10
)

func (m wireMessage) shown() string {
	all := []string{m.Content}
	for _, s := range m.Stickers {
		all = append(all, ":"+strings.Join(strings.Fields(s.Name), "_")+":")
	}
	all = append(all, m.Poll.text(), m.cards())
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "\n")
}

// cards is what a program says beside the content of a message. What Discord shows of
// people's links is nothing they said.
func (m wireMessage) cards() string {
	forwarded := m.Author == nil && m.Content == ""
	if !forwarded && (m.Author == nil || !m.Author.Bot && m.WebhookID == "") {
		return ""
	}
	var lines []string
	for _, e := range m.Embeds {
		if e.Type != embedRich {
			continue
		}
		lines = append(lines, e.Author.Name, e.Title, e.Text)
		for _, f := range e.Fields {
			lines = append(lines, f.Name+": "+f.Value)
		}
		lines = append(lines, e.Footer.Text)
	}
	lines = append(lines, displayed(m.Components)...)
	return strings.Join(strings.FieldsFunc(strings.Join(lines, "\n"), func(r rune) bool { return r == '\n' }), "\n")
}

func displayed(all []wireComponent) []string {
	var texts []string
	for _, c := range all {
		if c.Type == textDisplay {
			texts = append(texts, c.Content)
		}
		texts = append(texts, displayed(c.Components)...)
	}
	return texts
}
