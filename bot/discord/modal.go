package discord

import (
	"context"

	"threadkeeper/bot/platform"
)

// Limits of a form, which Discord calls a modal
// (https://discord.com/developers/docs/components/reference#text-input and #label;
// https://discord.com/developers/docs/interactions/receiving-and-responding).
const (
	maxTitle     = 45
	maxFormLabel = 45
	maxHint      = 100
	maxTyped     = 4000
)

type modalData struct {
	CustomID string       `json:"custom_id"`
	Title    string       `json:"title"`
	Fields   []modalLabel `json:"components"`
}

type modalLabel struct {
	Type  int        `json:"type"`
	Label string     `json:"label"`
	Field modalField `json:"component"`
}

type modalField struct {
	Type      int    `json:"type"`
	CustomID  string `json:"custom_id"`
	Style     int    `json:"style"`
	Hint      string `json:"placeholder,omitempty"`
	MaxLength int    `json:"max_length"`
}

const severalLines = 2 // the style of a field

// modalOf opens a form. What is typed comes under the custom id of the button.
func modalOf(button string, f *platform.Form) callback {
	return callback{answerForm, &modalData{CustomID: button, Title: short(f.Title, maxTitle), Fields: []modalLabel{{Type: componentLabel, Label: short(f.Label, maxFormLabel),
		Field: modalField{Type: componentText, CustomID: "text", Style: severalLines, Hint: short(f.Hint, maxHint), MaxLength: maxTyped}}}}}
}

type wireField struct {
	Component struct {
		Value string `json:"value"`
	} `json:"component"`
}

// typed is what a form was filled in with.
func (i wireInteraction) typed() string {
	for _, f := range i.Data.Components {
		return f.Component.Value
	}
	return ""
}

// openModal answers a click with the form it asks for, and reports whether it did. Where we
// are told what is typed in the conversation none is opened: there everybody reads it.
func (in *intake) openModal(ctx context.Context, i wireInteraction) bool {
	if i.GuildID == "" || !in.a.mentionsOnly.Load() {
		return false
	}
	f, err := in.modal(ctx, i)
	if err != nil {
		in.a.Log.Warn("could not prepare a form", "error", err)
	}
	if f == nil {
		return false
	}
	if err := in.a.acknowledge(ctx, i, modalOf(i.Data.CustomID, f), "", nil); err != nil && ctx.Err() == nil {
		in.a.Log.Warn("could not open a form", "error", err)
	}
	return true
}

func (in *intake) modal(ctx context.Context, i wireInteraction) (*platform.Form, error) {
	ctx, cancel := context.WithTimeout(ctx, in.a.timing.store)
	defer cancel()
	ev, err := in.clickEvent(ctx, i)
	if err != nil {
		return nil, err
	}
	return in.handler.Form(ctx, ev)
}
