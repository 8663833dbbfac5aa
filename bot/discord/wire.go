package discord

import (
	"cmp"
	"encoding/json"
	"path"
	"strconv"
	"time"

	"threadkeeper/bot/platform/kit"
)

// The parts of Discord's objects that we read: discord.com/developers/docs, section
// Resources. Ids are snowflakes in decimal. A field that is missing, null or of another type
// is zero.

// moment is a time, zero for an invalid one.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(data []byte) error {
	if m.Time.UnmarshalJSON(data) != nil {
		m.Time = time.Time{}
	}
	return nil
}

type wireUser struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
	Bot        bool   `json:"bot"`
	System     bool   `json:"system"`
}

type wireMember struct {
	User        *wireUser `json:"user"`
	Nick        string    `json:"nick"`
	Roles       []string  `json:"roles"`
	Permissions string    `json:"permissions"` // in interactions only
	Timeout     moment    `json:"communication_disabled_until"`
}

type wireMention struct {
	wireUser
	Member *wireMember `json:"member"`
}

type wireAttachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"` // with "_" for what Discord does not like
	Title       string `json:"title"`    // the original name without its extension, where that differs
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	URL         string `json:"url"`
}

func (a wireAttachment) name() string {
	if a.Title == "" {
		return a.Filename
	}
	return a.Title + path.Ext(a.Filename)
}

type wireMessage struct {
	ID              string           `json:"id"`
	ChannelID       string           `json:"channel_id"`
	GuildID         string           `json:"guild_id"`
	Type            int              `json:"type"`
	WebhookID       string           `json:"webhook_id"`
	Author          *wireUser        `json:"author"`
	Member          *wireMember      `json:"member"`
	Content         string           `json:"content"`
	EditedTimestamp moment           `json:"edited_timestamp"`
	Mentions        []wireMention    `json:"mentions"`
	MentionRoles    []string         `json:"mention_roles"`
	Attachments     []wireAttachment `json:"attachments"`
	Poll            wirePoll         `json:"poll"`
	Stickers        []struct {
		Name string `json:"name"`
	} `json:"sticker_items"`
	Embeds     []wireEmbed     `json:"embeds"`
	Components []wireComponent `json:"components"`
	Flags      int             `json:"flags"`
	Nonce      json.RawMessage `json:"nonce"` // a string or a number
	Invocation struct {
		ID string `json:"id"`
	} `json:"interaction_metadata"` // of what answers an interaction
	Thread *struct { // that began on it
		Last string `json:"last_message_id"` // deleted or not; "" without one
	} `json:"thread"`
	Referenced *wireMessage `json:"referenced_message"`
	Reference  struct {
		MessageID string `json:"message_id"`
		ChannelID string `json:"channel_id"`
	} `json:"message_reference"`
	Snapshots []struct { // of forwarded messages
		Message wireMessage `json:"message"`
	} `json:"message_snapshots"`
}

func (m wireMessage) customIDs() []string {
	var ids []string
	for _, row := range m.Components {
		for _, c := range row.Components {
			ids = append(ids, c.CustomID)
		}
	}
	return ids
}

// Message types that people write; all others are the platform's own.
const (
	typeDefault       = 0
	typeRenamed       = 4 // a thread has a new name, by the author
	typeReply         = 19
	typeThreadStarter = 21 // the first of a thread, a copy of the message it began on

	typeCommandAnswer = 20 // of a program
	typeMenuAnswer    = 23 // of a program, to a command of a message's menu
)

type wireOverwrite struct {
	ID    string `json:"id"`
	Type  *int   `json:"type"`
	Allow string `json:"allow"`
	Deny  string `json:"deny"`
}

type wireChannel struct {
	ID            string          `json:"id"`
	Type          int             `json:"type"`
	GuildID       string          `json:"guild_id"`
	ParentID      string          `json:"parent_id"`
	Name          string          `json:"name"`
	LastMessageID string          `json:"last_message_id"`
	Overwrites    []wireOverwrite `json:"permission_overwrites"`
	NSFW          bool            `json:"nsfw"` // for adults only
	Member        *struct {
		Joined moment `json:"join_timestamp"`
	} `json:"member"` // of a thread we are in
	NewlyCreated bool `json:"newly_created"` // in THREAD_CREATE
}

// Channel types.
const (
	channelText          = 0
	channelDM            = 1
	channelVoice         = 2
	channelGroup         = 3
	channelNews          = 5
	threadNews           = 10
	threadPublic         = 11
	threadPrivate        = 12
	channelStage         = 13
	channelForum         = 15
	channelMedia         = 16
	viewChannel          = 1 << 10 // permission bits
	connect              = 1 << 20
	administrator        = 1 << 3
	manageGuild          = 1 << 5
	componentButton      = 2
	optionSubcommand     = 1
	optionString         = 3
	optionInteger        = 4
	optionAttachment     = 11
	interactionCommand   = 2
	interactionComponent = 3
	interactionSuggest   = 4
	interactionForm      = 5
	componentText        = 4
	componentLabel       = 18
)

func (c wireChannel) thread() bool { return c.Type >= threadNews && c.Type <= threadPrivate }
func (c wireChannel) direct() bool { return c.Type == channelDM || c.Type == channelGroup }

// opens reports whether a thread can begin on a message of the channel.
func (c wireChannel) opens() bool { return c.Type == channelText || c.Type == channelNews }

// posts reports whether the channel contains posts, which are threads, and no messages.
func (c wireChannel) posts() bool { return c.Type == channelForum || c.Type == channelMedia }

type wireRole struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions string `json:"permissions"`
	Tags        struct {
		BotID string `json:"bot_id"`
	} `json:"tags"`
}

type wireGuild struct {
	ID            string        `json:"id"`
	OwnerID       string        `json:"owner_id"`
	SystemChannel string        `json:"system_channel_id"`
	JoinedAt      moment        `json:"joined_at"`
	Unavailable   bool          `json:"unavailable"`
	Roles         []wireRole    `json:"roles"`
	Channels      []wireChannel `json:"channels"`
	Threads       []wireChannel `json:"threads"`
	Members       []wireMember  `json:"members"` // of GUILD_CREATE: we are among them
}

type wireOption struct {
	Name    string          `json:"name"`
	Type    int             `json:"type"`
	Value   json.RawMessage `json:"value"`
	Options []wireOption    `json:"options"`
	Focused bool            `json:"focused"`
}

// text is a string option's value, or the id of an attachment.
func (o wireOption) text() string {
	var s string
	var n json.Number
	if kit.Decode(o.Value, &s) != nil || s == "" && kit.Decode(o.Value, &n) != nil {
		return ""
	}
	return cmp.Or(s, n.String())
}

type wireInteraction struct {
	ID            string       `json:"id"`
	ApplicationID string       `json:"application_id"`
	Type          int          `json:"type"`
	Token         string       `json:"token"`
	Locale        string       `json:"locale"` // of the person's client
	GuildID       string       `json:"guild_id"`
	ChannelID     string       `json:"channel_id"`
	Channel       wireChannel  `json:"channel"`
	Member        *wireMember  `json:"member"` // in guilds
	User          *wireUser    `json:"user"`   // in DMs
	Message       *wireMessage `json:"message"`
	Ours          string       `json:"app_permissions"` // what we may do there
	came          time.Time
	Data          struct {
		Name       string       `json:"name"`
		Type       int          `json:"type"`      // of a command
		Target     string       `json:"target_id"` // the message in whose menu it was chosen
		Options    []wireOption `json:"options"`
		CustomID   string       `json:"custom_id"`
		Component  int          `json:"component_type"`
		Values     []string     `json:"values"`
		Components []wireField  `json:"components"` // of a form that is sent
		Resolved   struct {
			Attachments map[string]wireAttachment `json:"attachments"`
			Messages    map[string]wireMessage    `json:"messages"`
		} `json:"resolved"`
	} `json:"data"`
}

// number is a permission set or a snowflake, 0 if it is invalid.
func number(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

// newer reports whether one snowflake was made after another; "" is the oldest.
func newer(id, than string) bool { return number(id) > number(than) }
