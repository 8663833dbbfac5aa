package discord

import (
	"context"

	"threadkeeper/bot/platform"
)

const (
	maxSuggested  = 25
	maxCompletion = 100 // runes of a choice's name and of its value
)

// suggest answers a request for completions. Without an answer in time there
// are none.
func (in *intake) suggest(ctx context.Context, i wireInteraction) error {
	choices := []choice{}
	found, err := in.completions(ctx, i)
	if err != nil {
		in.a.Log.Warn("could not suggest anything", "error", err)
	}
	for _, c := range found {
		name, value := []rune(c.Label), []rune(c.Value)
		if len(choices) == maxSuggested || len(name) == 0 || len(value) == 0 || len(value) > maxCompletion {
			continue
		}
		choices = append(choices, choice{Name: string(name[:min(len(name), maxCompletion)]), Value: c.Value})
	}
	return in.a.acknowledge(ctx, i, callback{answerChoices, &callbackData{Choices: &choices}}, "", nil)
}

func (in *intake) completions(ctx context.Context, i wireInteraction) ([]platform.Choice, error) {
	ctx, cancel := context.WithTimeout(ctx, in.a.toRespond(i)/2)
	defer cancel()
	s, err := in.sceneOf(ctx, i)
	if err != nil {
		return nil, err
	}
	name, options := i.command()
	for _, o := range options {
		if o.Focused {
			return in.handler.Suggest(ctx, platform.Suggestion{Key: s.key(), Author: i.author(s), Command: name, Option: o.Name, Prefix: o.text()})
		}
	}
	return nil, nil
}
