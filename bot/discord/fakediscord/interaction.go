package fakediscord

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Interaction types.
const (
	commandInteraction      = 2
	componentInteraction    = 3
	autocompleteInteraction = 4
	modalInteraction        = 5
)

// Types of responses to an interaction.
const (
	Pong                   = 1
	ChannelMessage         = 4
	DeferredChannelMessage = 5
	DeferredUpdate         = 6
	UpdateMessage          = 7
	Autocomplete           = 8
	Modal                  = 9
)

// tokenLife is how long an interaction may be answered further.
// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback
const tokenLife = 15 * time.Minute

type interaction struct {
	id, token string
	kind      int
	user      *User
	channel   *channel
	source    *message // that has the component
	name      string   // of the command
	created   time.Time

	response  int // type, 0 while there is none
	ephemeral bool
	original  *message
	choices   []Choice
	modal     *modalBody
}

// owners are where the application was installed for this use: in the guild.
func (in *interaction) owners() map[string]string {
	return map[string]string{"0": or(in.channel.GuildID, "0")}
}

type modalBody struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []Component `json:"components"`
}

func (s *Server) interactionRoutes(add func(string, kind, handler)) {
	add("POST /interactions/{interaction}/{token}/callback", interacting, s.respond)
	add("POST /webhooks/{application}/{token}", interacting, s.followUp)
	for _, which := range []string{"@original", "{message}"} {
		path := "/webhooks/{application}/{token}/messages/" + which
		add("GET "+path, interacting, s.ofInteraction(func(_ *call, in *interaction, m *message) (any, error) { return s.shown(in.channel, m, true), nil }))
		add("PATCH "+path, interacting, s.ofInteraction(func(c *call, in *interaction, m *message) (any, error) {
			if in.channel.thread() && in.channel.ThreadMetadata.Archived {
				return nil, &failure{403, threadArchived.code, threadArchived.message, nil}
			}
			return s.edit(c, in.channel, m)
		}))
		add("DELETE "+path, interacting, s.ofInteraction(func(_ *call, in *interaction, m *message) (any, error) {
			if in.original == m {
				in.original = nil
			}
			s.remove(in.channel, m)
			return nil, nil
		}))
	}
}

func (s *Server) respond(c *call) (any, error) {
	in := s.interactions[c.PathValue("token")]
	switch {
	case in == nil || in.id != c.PathValue("interaction"):
		s.violate("there is no such interaction")
		return nil, unknownInteraction
	case s.now().Sub(in.created) > s.opts.RespondWithin: // which a bot need not know in time
		return nil, unknownInteraction
	case in.response != 0:
		return nil, acknowledged
	}
	var b struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	if !in.takes(b.Type) {
		return nil, invalid("type", "BASE_TYPE_CHOICES", "This response type is not allowed for this interaction.")
	}
	data := &call{Request: c.Request, body: b.Data, files: c.files}
	if err := s.carryOut(in, b.Type, data); err != nil {
		return nil, err
	}
	in.response = b.Type
	s.ring()
	if c.URL.Query().Get("with_response") != "true" {
		return nil, nil
	}
	out := map[string]any{"interaction": map[string]any{"id": in.id, "type": in.kind}}
	if in.original != nil {
		out["resource"] = map[string]any{"type": b.Type, "message": s.shown(in.channel, in.original, true)}
	}
	return out, nil
}

// takes reports whether a response of a type fits the interaction.
func (in *interaction) takes(response int) bool {
	switch response {
	case ChannelMessage, DeferredChannelMessage:
		return in.kind != autocompleteInteraction
	case DeferredUpdate, UpdateMessage:
		return in.source != nil && in.kind != autocompleteInteraction
	case Autocomplete:
		return in.kind == autocompleteInteraction
	case Modal:
		return in.kind == commandInteraction || in.kind == componentInteraction
	}
	return false
}

func (s *Server) carryOut(in *interaction, response int, data *call) error {
	switch response {
	case Autocomplete:
		return s.suggest(in, data)
	case Modal:
		return s.openModal(in, data)
	case DeferredUpdate:
		in.original = in.source
		return nil
	case UpdateMessage:
		in.original = in.source
		_, err := s.edit(data, in.channel, in.source)
		return err
	}
	var b messageBody
	if len(data.body) > 0 {
		if err := s.decode(data, &b); err != nil {
			return err
		}
	}
	in.ephemeral = b.Flags&FlagEphemeral != 0
	if response == DeferredChannelMessage {
		in.original = s.answering(in, &message{Message: Message{Author: s.bot, Flags: FlagLoading}}, in.ephemeral)
		return nil
	}
	m, err := s.answerMessage(in, data, &b)
	in.original = m
	return err
}

func (s *Server) answerMessage(in *interaction, c *call, b *messageBody) (*message, error) {
	if err := s.check(c, b); err != nil {
		return nil, err
	}
	m := s.create(c, in.channel, b)
	if m.empty() {
		return nil, emptyMessage
	}
	return s.answering(in, m, b.Flags&FlagEphemeral != 0), nil
}

// answering posts a message as an answer to an interaction.
func (s *Server) answering(in *interaction, m *message, ephemeral bool) *message {
	if in.kind == commandInteraction {
		m.Type = CommandMessage
	}
	m.ApplicationID, m.WebhookID = s.application, s.application
	m.InteractionMetadata = &Invocation{ID: in.id, Type: in.kind, User: *in.user, Name: in.name, Owners: in.owners()}
	if ephemeral {
		m.only, m.Flags = in.user.ID, m.Flags|FlagEphemeral
	}
	s.put(in.channel, m)
	return m
}

func (s *Server) suggest(in *interaction, data *call) error {
	var b struct {
		Choices []Choice `json:"choices"`
	}
	if err := s.decode(data, &b); err != nil {
		return err
	}
	var k checker
	k.count("data.choices", len(b.Choices), 0, 25)
	for i, c := range b.Choices {
		at := "data.choices." + strconv.Itoa(i)
		k.text(at+".name", c.Name, 1, 100)
		if v, ok := c.Value.(string); ok {
			k.text(at+".value", v, 1, 100)
		}
	}
	if k.err != nil {
		s.violate("choices: %v", k.err.errors)
		return k.err
	}
	in.choices = b.Choices
	return nil
}

func (s *Server) openModal(in *interaction, data *call) error {
	var b modalBody
	if err := s.decode(data, &b); err != nil {
		return err
	}
	var k checker
	k.text("data.title", b.Title, 1, 45)
	k.text("data.custom_id", b.CustomID, 1, 100)
	k.count("data.components", len(b.Components), 1, 5)
	for i, c := range b.Components {
		k.field(fmt.Sprintf("data.components.%d", i), c)
	}
	if k.err != nil {
		s.violate("modal: %v", k.err.errors)
		return k.err
	}
	in.modal = &b
	return nil
}

// TokenPrefix begins every token of an interaction.
const TokenPrefix = "aW50ZXJhY3Rpb24"

// byToken is the interaction of a webhook's route, while its token is good.
func (s *Server) byToken(c *call) (*interaction, error) {
	in := s.interactions[c.PathValue("token")]
	switch {
	case in == nil || c.PathValue("application") != s.application || in.response == 0:
		return nil, unknownWebhook
	case s.now().Sub(in.created) > tokenLife:
		return nil, badWebhookToken
	}
	return in, nil
}

func (s *Server) ofInteraction(h func(*call, *interaction, *message) (any, error)) handler {
	return func(c *call) (any, error) {
		in, err := s.byToken(c)
		if err != nil {
			return nil, err
		}
		id := c.PathValue("message")
		m := in.original
		if id != "" {
			m = nil
			for _, o := range in.channel.messages {
				if o.ID == id && (o == in.original || o.InteractionMetadata != nil && o.InteractionMetadata.ID == in.id) {
					m = o
				}
			}
		}
		if m == nil {
			return nil, unknownMessage
		}
		return h(c, in, m)
	}
}

// followUp posts another answer. The first one after a deferral takes the place of what
// was deferred, and is seen by whom that was for.
func (s *Server) followUp(c *call) (any, error) {
	in, err := s.byToken(c)
	if err != nil {
		return nil, err
	}
	if in.original != nil && in.original.Flags&FlagLoading != 0 {
		return s.edit(c, in.channel, in.original)
	}
	var b messageBody
	if err := s.decode(c, &b); err != nil {
		return nil, err
	}
	m, err := s.answerMessage(in, c, &b)
	if err != nil {
		return nil, err
	}
	return s.shown(in.channel, m, true), nil
}
