package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// maxTyped is the most words of a command without its slash: a sentence
// that begins like one is longer.
const maxTyped = 8

// freeText are the commands that end in a text of any length.
var freeText = []string{"memory remember", "memory correct", "memory compact"}

// parseCommand reads a message as a command: "/memory status", and without the
// slash if nobody would say it to a person: the exact name of a command, with
// arguments only for a name of two words, if they are few and no question, or with a number or a value to choose from. A family's
// word alone is its first command; with an unknown second word it is a command too, and
// running it says which was meant. "Forget my shoe size" is "memory forget shoe size".
func (b *Bot) parseCommand(text string) (name, args string, ok bool) {
	_, text = reading.CutQuote(strings.TrimSpace(text))
	slash := strings.HasPrefix(text, "/")
	line := strings.Fields(strings.TrimPrefix(text, "/"))
	if len(line) == 0 || strings.ContainsRune(text, '\n') {
		return "", "", false
	}
	if on, listens := reading.Listening(text); listens && on {
		return "listen", "on", true
	} else if listens {
		return "listen", "off", true
	}
	if said := forgetSpoken.FindStringSubmatch(text); said != nil && len(line) <= maxTyped {
		return "memory forget", said[1], true
	}
	first := strings.ToLower(line[0])
	if first == say.AskName || first == say.CheckName { // they stand for a message, and this is one
		return "", "", false
	}
	if len(line) > 1 {
		pair := first + " " + strings.ToLower(line[1])
		typed := slices.Contains(freeText, pair) || len(line) <= maxTyped && !strings.HasSuffix(text, "?")
		if cmd, found := registered(pair); found && (slash || len(line) == 2 || typed && len(cmd.Options) > 0) {
			return pair, after(text, line[0], line[1]), true
		}
	}
	if near := platform.First(say.Commands("en"), first); len(line) == 1 && near != "" {
		return near, "", true
	}
	if cmd, found := find(first); found {
		args = after(text, line[0])
		_, notNumber := strconv.Atoi(strings.Trim(args, "[]#"))
		switch {
		case slash, args == "" && len(cmd.Options) == 0 && first != "why" && !cmd.Direct,
			len(cmd.Options) > 0 && args != "" && (notNumber == nil || slices.Contains(cmd.Options[0].Values, strings.ToLower(args))):
			return first, args, true
		}
		return "", "", false
	}
	if slash && (known(first) || len(line) <= 2) {
		return strings.ToLower(strings.Join(line[:min(2, len(line))], " ")), "", true
	}
	if !slash && len(line) == 2 && known(first) {
		typed := first + " " + strings.ToLower(line[1])
		if near := platform.Nearest(say.Commands("en"), typed); len(near) > 0 && strings.HasPrefix(near[0], first+" ") {
			return typed, "", true
		}
	}
	return "", "", false
}

// resolve returns the command that a name and a text mean. Platforms with one word per command send "memory" with "status" as its
// text, or with any other command. A command that is in no registry is named as it was typed, so that it is said which was meant.
func resolve(name, text string) (command, args string) {
	name = strings.Join(strings.Fields(strings.ToLower(name)), " ")
	if _, known := registered(name); known {
		return name, text
	}
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return cmp.Or(platform.First(say.Commands("en"), name), name), ""
	}
	given := strings.Fields(text)
	if _, known := registered(name + " " + words[0]); !known {
		for n := min(len(words), 2); n > 0; n-- {
			typed := strings.Join(words[:n], " ")
			if _, known := registered(typed); known {
				return typed, after(text, given[:n]...)
			}
		}
	}
	return name + " " + words[0], after(text, given[0])
}

func after(text string, words ...string) string {
	text = strings.TrimPrefix(strings.TrimSpace(text), "/")
	for _, w := range words {
		text = strings.TrimPrefix(strings.TrimSpace(text), w)
	}
	return strings.TrimSpace(text)
}

func known(word string) bool {
	return slices.ContainsFunc(say.Commands("en"), func(c platform.Command) bool {
		first, _, _ := strings.Cut(c.Name, " ")
		return first == word
	})
}

func (c *call) unknown(name string) string {
	near := platform.Nearest(say.Commands("en"), name)
	family, _, _ := strings.Cut(name, " ")
	if len(near) == 0 && !known(family) { // the other word is no part of it
		near = platform.Nearest(say.Commands("en"), family)
	}
	switch {
	case len(near) > 0 && !known(name):
		return fmt.Sprintf(c.say.DidYouMean, strings.Join(c.allTyped(near), "`, `"))
	case known(family):
		var all []string
		for _, cmd := range say.Commands("en") {
			if strings.HasPrefix(cmd.Name, family+" ") {
				all = append(all, cmd.Name)
			}
		}
		return fmt.Sprintf(c.say.ThereAre, "`"+strings.Join(c.allTyped(all), "`, `")+"`")
	}
	return fmt.Sprintf(c.say.HelpHas, c.typed("help"))
}

func (c *call) allTyped(names []string) (all []string) {
	for _, n := range names {
		all = append(all, c.typed(n))
	}
	return all
}

// maxChoices is the most completions that every platform can show.
const maxChoices = 25

// suggest completes the argument of a command: one of its values, a citation, or else the
// names of documents that the person may use here, those that begin with the
// prefix first.
func (b *Bot) suggest(ctx context.Context, name string, s platform.Suggestion) ([]platform.Choice, error) {
	cmd, ok := registered(strings.ToLower(s.Command))
	i := slices.IndexFunc(cmd.Options, func(o platform.Option) bool { return o.Name == s.Option && o.Suggest })
	if !ok || i < 0 {
		return nil, nil
	}
	values := cmd.Options[i].Values
	if cmd.Name == "settings model" {
		values = b.Models
	}
	if len(values) > 0 || cmd.Name == "settings model" {
		return valuesLike(values, s.Prefix, strings.TrimPrefix(cmd.Name, "settings "), say.In(s.Author.Locale)), nil
	}
	s.Key.Platform = name
	session, err := b.Store.SessionByKey(ctx, s.Key)
	if gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find session", err)
	}
	var who int64
	person, err := b.Store.PersonByPlatformID(ctx, s.Key, s.Author.ID)
	if err == nil {
		who = person.ID
	} else if !gone(err) {
		return nil, wrap("find person", err)
	}
	a, err := b.audience(ctx, session.ID, who)
	if err != nil {
		return nil, err
	}
	if s.Author.Kind == memory.Guest || s.Author.Kind == memory.Unknown { // perhaps not stored yet
		a.Guest, a.NoDocuments = true, !b.ExternalDocuments
	}
	if cmd.Name == "page" {
		return b.pagesLike(ctx, session.ID, a, s)
	}
	all, err := b.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var begin, contain []platform.Choice
	prefix := strings.ToLower(strings.TrimSpace(s.Prefix))
	for i, d := range all {
		if d.State != memory.DocumentReady {
			continue
		}
		c := platform.Choice{Label: d.Name, Value: strconv.Itoa(i + 1)}
		switch name := strings.ToLower(d.Name); {
		case strings.HasPrefix(name, prefix):
			begin = append(begin, c)
		case strings.Contains(name, prefix):
			contain = append(contain, c)
		}
	}
	choices := append(begin, contain...)
	return choices[:min(len(choices), maxChoices)], nil
}

func valuesLike(values []string, prefix, setting string, w *say.Words) []platform.Choice {
	var like []platform.Choice
	for _, v := range values {
		if strings.HasPrefix(strings.ToLower(v), strings.ToLower(strings.TrimSpace(prefix))) {
			label := v
			if means := w.Policies[setting+" "+v]; means != "" {
				label += " – " + means
			}
			like = append(like, platform.Choice{Label: label, Value: v})
		}
	}
	return like[:min(len(like), maxChoices)]
}

// pagesLike returns the citations of the last answer that has any, if their documents
// may be seen by an audience: those whose label begins with the prefix, or whose document has
// it in its name.
func (b *Bot) pagesLike(ctx context.Context, session int64, a memory.Audience, s platform.Suggestion) ([]platform.Choice, error) {
	citations, err := b.Store.Views.LastCitations(ctx, session)
	if err != nil {
		return nil, wrap("load citations", err)
	}
	prefix := strings.ToLower(strings.Trim(s.Prefix, "[]# "))
	var like []platform.Choice
	for _, c := range citations {
		label := c.Label()
		if !strings.HasPrefix(strings.ToLower(label), prefix) && !strings.Contains(strings.ToLower(c.Document), prefix) || a.NoDocuments {
			continue
		}
		if _, err := b.Index.Visible(ctx, a, c.DocumentID); err != nil {
			continue // it is not, or not any more
		}
		like = append(like, platform.Choice{Label: fmt.Sprintf("[%s] %s, ", label, say.Plain(c.Document)) + say.Place(s.Author.Locale, c), Value: "[" + label + "]"})
	}
	return like[:min(len(like), maxChoices)], nil
}
