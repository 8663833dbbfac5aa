package fakediscord

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Use is one use of a command.
type Use struct {
	User    string
	Channel string
	Command string            // "memory status"
	Options map[string]string // as typed
	Files   map[string]File   // of options that take one
	Focused string            // the option to complete, in Suggest
}

// Interaction is a person's view of one.
type Interaction struct {
	s  *Server
	in *interaction
}

// Command uses a registered command. Like Discord it refuses one that is not registered,
// or lacks a required option.
func (s *Server) Command(u Use) (*Interaction, error) {
	return s.use(u, commandInteraction)
}

// Choose picks a command in the menu of a message.
func (s *Server) Choose(user, channel, message, name string) (*Interaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.at(user, channel)
	if err != nil {
		return nil, err
	}
	cmd, ok := s.command(name, MessageCommand)
	if !ok {
		return nil, errNoCommand
	}
	for _, m := range c.messages {
		if m.ID == message {
			data := map[string]any{"id": cmd.ID, "name": cmd.Name, "type": MessageCommand, "target_id": message,
				"resolved": map[string]any{"messages": map[string]any{message: s.shown(c, m, true)}}}
			return s.interact(commandInteraction, c, user, name, nil, data), nil
		}
	}
	return nil, fmt.Errorf("fakediscord: no message %s", message)
}

// Suggest asks for the completions of the option Focused.
func (s *Server) Suggest(ctx context.Context, u Use) ([]Choice, error) {
	i, err := s.use(u, autocompleteInteraction)
	if err != nil {
		return nil, err
	}
	if _, err := i.Response(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return i.in.choices, nil
}

func (s *Server) use(u Use, kind int) (*Interaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.at(u.User, u.Channel)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(u.Command)
	cmd, ok := s.command(words[0], 1)
	if !ok {
		return nil, errNoCommand
	}
	if where := map[bool]int{false: 0, true: 1}[c.Type == DMChannel]; cmd.Contexts != nil && !slices.Contains(cmd.Contexts, where) {
		return nil, errNoCommand
	}
	resolved := make(map[string]any)
	options, err := s.given(c, cmd.Options, words[1:], &u, kind, resolved)
	if err != nil {
		return nil, err
	}
	data := map[string]any{"id": cmd.ID, "name": cmd.Name, "type": 1, "options": options}
	if len(resolved) > 0 {
		data["resolved"] = map[string]any{"attachments": resolved}
	}
	return s.interact(kind, c, u.User, u.Command, nil, data), nil
}

// given are the options of a use as they are sent.
func (s *Server) given(c *channel, known []CommandOption, sub []string, u *Use, kind int, resolved map[string]any) ([]map[string]any, error) {
	if len(sub) > 0 {
		for _, o := range known {
			if o.Name == sub[0] && o.Type <= SubcommandGroupOption {
				inner, err := s.given(c, o.Options, sub[1:], u, kind, resolved)
				return []map[string]any{{"name": o.Name, "type": o.Type, "options": inner}}, err
			}
		}
		return nil, errNoCommand
	}
	out := []map[string]any{}
	for _, o := range known {
		if o.Type <= SubcommandGroupOption {
			return nil, errNoCommand // one of them must be chosen
		}
		m := map[string]any{"name": o.Name, "type": o.Type}
		if f, ok := u.Files[o.Name]; ok && o.Type == AttachmentOption {
			a := s.attachPrivately(f)
			resolved[a.ID], m["value"] = a, a.ID
			out = append(out, m)
			continue
		}
		v, ok := u.Options[o.Name]
		focused := kind == autocompleteInteraction && o.Name == u.Focused
		if !ok && !focused {
			if o.Required && kind == commandInteraction {
				return nil, fmt.Errorf("fakediscord: the option %s is required", o.Name)
			}
			continue
		}
		m["value"] = v
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && o.Type == IntegerOption {
			m["value"] = n
		} else if o.Type == IntegerOption && !focused {
			return nil, fmt.Errorf("fakediscord: the option %s is a whole number", o.Name)
		}
		if len(o.Choices) > 0 && !slices.ContainsFunc(o.Choices, func(c Choice) bool { return c.Value == v }) {
			return nil, fmt.Errorf("fakediscord: %q is no choice of the option %s", v, o.Name)
		}
		if focused {
			if !o.Autocomplete {
				return nil, fmt.Errorf("fakediscord: the option %s is not completed", o.Name)
			}
			m["focused"] = true
		}
		out = append(out, m)
	}
	return out, nil
}

// Click presses a button, whether or not it is still shown, or picks values of a
// select menu. The message may be gone.
func (s *Server) Click(user, channel string, shown Message, customID string, values ...string) (*Interaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.at(user, channel)
	if err != nil {
		return nil, err
	}
	m := &message{Message: shown}
	for _, o := range c.messages {
		if o.ID == shown.ID {
			m = o
		}
	}
	data := map[string]any{"custom_id": customID, "component_type": Button, "id": 1}
	if len(values) > 0 {
		data["component_type"], data["values"] = StringSelect, values
	}
	return s.interact(componentInteraction, c, user, "", m, data), nil
}

// Submit fills in the modal that an interaction opened.
func (i *Interaction) Submit(values map[string]string) (*Interaction, error) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.in.modal == nil {
		return nil, fmt.Errorf("fakediscord: no modal is open")
	}
	rows := []any{}
	for _, row := range i.in.modal.Components {
		if inner := row.Component; row.Type == Label && inner != nil {
			rows = append(rows, map[string]any{"type": Label, "id": 1, "component": map[string]any{"type": inner.Type, "custom_id": inner.CustomID, "value": values[inner.CustomID]}})
		}
		for _, c := range row.Components {
			rows = append(rows, map[string]any{"type": ActionRow, "components": []any{map[string]any{"type": c.Type, "custom_id": c.CustomID, "value": values[c.CustomID]}}})
		}
	}
	data := map[string]any{"custom_id": i.in.modal.CustomID, "components": rows}
	return i.s.interact(modalInteraction, i.in.channel, i.in.user.ID, "", i.in.source, data), nil
}

// Modal is the one that an interaction opened: its title and the labels of its fields,
// false if it opened none.
func (i *Interaction) Modal() (title string, labels []string, ok bool) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.in.modal == nil {
		return "", nil, false
	}
	for _, c := range i.in.modal.Components {
		labels = append(labels, c.Label)
	}
	return i.in.modal.Title, labels, true
}

// SetLocale chooses the language of a person's client: "de", "en-US".
func (s *Server) SetLocale(user, locale string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locales[user] = locale
}

func (s *Server) interact(kind int, c *channel, user, name string, source *message, data map[string]any) *Interaction {
	u := s.users[user]
	in := &interaction{id: s.id(), kind: kind, user: u, channel: c, source: source, name: name, created: s.now()}
	in.token = TokenPrefix + in.id
	s.interactions[in.token] = in
	p := map[string]any{
		"id": in.id, "application_id": s.application, "type": kind, "data": data, "token": in.token, "version": 1, "channel_id": c.ID,
		"channel": s.shownChannel(c), "app_permissions": strconv.FormatUint(s.permissions(s.bot.ID, c), 10), "locale": or(s.locales[user], "en-US"),
		"entitlements": []any{}, "authorizing_integration_owners": in.owners(), "context": 1,
		"attachment_size_limit": s.opts.UploadLimit,
	}
	if source != nil {
		p["message"] = s.shown(c, source, true)
	}
	if g := s.guilds[c.GuildID]; g != nil {
		m := *g.members[user]
		m.Permissions = strconv.FormatUint(s.permissions(user, c), 10)
		p["guild_id"], p["guild_locale"], p["member"], p["context"] = g.id, "en-US", m, 0
		p["guild"] = map[string]any{"id": g.id, "locale": "en-US", "features": []any{}}
	} else {
		p["user"] = u
	}
	s.dispatch(event{name: "INTERACTION_CREATE", guild: c.GuildID, data: same(p)})
	s.ring()
	return &Interaction{s, in}
}

// ID is the interaction's.
func (i *Interaction) ID() string { return i.in.id }

// Token is the interaction's.
func (i *Interaction) Token() string { return i.in.token }

// Response waits for the first response and returns its type. It ends with an error
// when ctx is done.
func (i *Interaction) Response(ctx context.Context) (int, error) {
	err := i.s.await(ctx, func() bool { return i.in.response != 0 })
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	return i.in.response, err
}

// Original is the message of the first response, false if there is none.
func (i *Interaction) Original() (Shown, bool) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	m := i.in.original
	if m == nil {
		return Shown{}, false
	}
	return Shown{Message: i.s.shown(i.in.channel, m, true), OnlyTo: m.only, Notifies: m.notifies}, true
}
