package fakediscord

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

func (s *Server) commandRoutes(add func(string, kind, handler)) {
	add("GET /applications/{application}/commands", ordinary, s.ofApplication(s.listCommands))
	add("PUT /applications/{application}/commands", ordinary, s.ofApplication(s.overwriteCommands))
}

func (s *Server) ofApplication(h handler) handler {
	return func(c *call) (any, error) {
		if c.PathValue("application") != s.application {
			return nil, &failure{403, 20012, "You are not authorized to perform this action on this application", nil}
		}
		return h(c)
	}
}

// listCommands leaves descriptions in other languages out unless they are asked for.
// https://docs.discord.com/developers/interactions/application-commands#get-global-application-commands
func (s *Server) listCommands(c *call) (any, error) {
	all := list(s.commands)
	if c.URL.Query().Get("with_localizations") == "true" {
		return all, nil
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].NameLocalizations, all[i].DescriptionLocalizations = nil, nil
		all[i].Options = unlocalized(all[i].Options)
	}
	return all, nil
}

func unlocalized(options []CommandOption) []CommandOption {
	options = slices.Clone(options)
	for i := range options {
		options[i].NameLocalizations, options[i].DescriptionLocalizations = nil, nil
		options[i].Options = unlocalized(options[i].Options)
	}
	return options
}

func (s *Server) overwriteCommands(c *call) (any, error) {
	var all []Command
	if err := s.decode(c, &all); err != nil {
		return nil, err
	}
	var k checker
	k.count("commands", len(all), 0, 100)
	names := make(map[string]bool)
	for i := range all {
		at := fmt.Sprintf("%d", i)
		k.command(at, &all[i])
		name := fmt.Sprint(all[i].Type, all[i].Name)
		if names[name] {
			k.fail(at+".name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		names[name] = true
	}
	if k.err != nil {
		s.violate("commands: %v", k.err.errors)
		return nil, k.err
	}
	for i := range all {
		s.register(&all[i])
	}
	s.commands = all
	s.ring()
	return list(all), nil
}

// register completes a command. One with the same name keeps its id.
func (s *Server) register(c *Command) {
	c.ID, c.ApplicationID, c.Version = s.id(), s.application, s.id()
	c.DescriptionLocalizations = unusual(c.Description, c.DescriptionLocalizations)
	c.NameLocalizations = unusual(c.Name, c.NameLocalizations)
	unusualOptions(c.Options)
	for _, o := range s.commands {
		if o.Name == c.Name && o.Type == c.Type {
			c.ID = o.ID
		}
	}
}

// unusual are the texts that differ from the default one: others are not kept.
// https://docs.discord.com/developers/interactions/application-commands#localization
func unusual(usual string, texts map[string]string) map[string]string {
	maps.DeleteFunc(texts, func(_, text string) bool { return text == usual })
	return texts
}

func unusualOptions(options []CommandOption) {
	for i := range options {
		o := &options[i]
		o.DescriptionLocalizations = unusual(o.Description, o.DescriptionLocalizations)
		unusualOptions(o.Options)
	}
}

// Limits of commands.
// https://docs.discord.com/developers/interactions/application-commands
const (
	maxCommandOptions = 25
	maxCommandText    = 8000
)

var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

func (k *checker) command(at string, c *Command) {
	if c.Type == 0 {
		c.Type = 1
	}
	at += "."
	switch c.Type {
	case 1:
		k.name(at+"name", c.Name)
		k.text(at+"description", c.Description, 1, 100)
	case MessageCommand:
		k.text(at+"name", c.Name, 1, 32)
		k.text(at+"description", c.Description, 0, 0)
		k.count(at+"options", len(c.Options), 0, 0)
		for _, name := range c.NameLocalizations {
			k.text(at+"name_localizations", name, 1, 32)
		}
	default:
		k.fail(at+"type", "BASE_TYPE_CHOICES", "Value must be one of {1, 3}.") // of those we make
	}
	k.localized(at+"name_localizations", c.NameLocalizations)
	k.localized(at+"description_localizations", c.DescriptionLocalizations)
	k.options(at+"options", c.Options, 0)
	total := len(c.Name) + longest(c.Description, c.DescriptionLocalizations)
	for _, o := range c.Options {
		total += o.size()
	}
	if total > maxCommandText {
		k.fail(strings.TrimSuffix(at, "."), "APPLICATION_COMMAND_TOO_LARGE", fmt.Sprintf("Command exceeds maximum size (%d)", maxCommandText))
	}
	for _, x := range c.Contexts {
		if x < 0 || x > 2 {
			k.fail(at+"contexts", "BASE_TYPE_CHOICES", "Value must be one of {0, 1, 2}.")
		}
	}
}

// locales are the languages a client can have.
// https://docs.discord.com/developers/reference#locales
var locales = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko")

func (k *checker) localized(field string, texts map[string]string) {
	for locale, text := range texts {
		if !slices.Contains(locales, locale) {
			k.fail(field, "BASE_TYPE_CHOICES", "Value must be one of {"+strings.Join(locales, ", ")+"}.")
		}
		k.text(field+"."+locale, text, 1, 100)
	}
}

// longest is how much of a limit a text takes that is shown in one language only.
func longest(text string, localized map[string]string) int {
	n := len(text)
	for _, l := range localized {
		n = max(n, len(l))
	}
	return n
}

func (k *checker) name(field, name string) {
	if !commandName.MatchString(name) || name != strings.ToLower(name) {
		k.fail(field, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
	}
}

// options checks those of a command (depth 0), a group or a subcommand.
func (k *checker) options(field string, all []CommandOption, depth int) {
	k.count(field, len(all), 0, maxCommandOptions)
	seen := make(map[string]bool)
	var optional, nested, plain bool
	for i, o := range all {
		at := fmt.Sprintf("%s.%d", field, i)
		k.name(at+".name", o.Name)
		k.text(at+".description", o.Description, 1, 100)
		k.localized(at+".description_localizations", o.DescriptionLocalizations)
		if seen[o.Name] {
			k.fail(at+".name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
		}
		seen[o.Name] = true
		switch {
		case o.Type < SubcommandOption || o.Type > AttachmentOption:
			k.fail(at+".type", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}.")
		case o.Type == SubcommandGroupOption && depth > 0, o.Type == SubcommandOption && depth > 1:
			k.fail(at+".type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command option types are not nested like this")
		case o.Type <= SubcommandGroupOption:
			nested = true
			k.options(at+".options", o.Options, depth+3-o.Type)
			continue
		}
		plain = true
		if o.Required && optional {
			k.fail(at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !o.Required
		k.argument(at, o)
	}
	if nested && plain {
		k.fail(field, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
}

func (k *checker) argument(at string, o CommandOption) {
	if o.Autocomplete && len(o.Choices) > 0 {
		k.fail(at+".autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", "Choices and autocomplete are mutually exclusive")
	}
	if o.Autocomplete && o.Type != StringOption && o.Type != IntegerOption && o.Type != 10 {
		k.fail(at+".autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE", "This option type has no autocomplete")
	}
	k.count(at+".choices", len(o.Choices), 0, 25)
	for i, c := range o.Choices {
		k.text(fmt.Sprintf("%s.choices.%d.name", at, i), c.Name, 1, 100)
	}
}

// size is what counts toward the limit of a command.
func (o *CommandOption) size() int {
	n := len(o.Name) + longest(o.Description, o.DescriptionLocalizations)
	for _, c := range o.Choices {
		b, err := json.Marshal(c.Value)
		if err == nil {
			n += len(c.Name) + len(b)
		}
	}
	for _, p := range o.Options {
		n += p.size()
	}
	return n
}

// MessageCommand is the type of a command in a message's menu.
const MessageCommand = 3

func (s *Server) command(name string, kind int) (Command, bool) {
	for _, c := range s.commands {
		if c.Name == name && c.Type == kind {
			return c, true
		}
	}
	return Command{}, false
}

// Commands are those that are registered.
func (s *Server) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}
