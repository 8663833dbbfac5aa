package fakediscord

// The objects of Discord's API as its documentation describes them, with the fields
// a bot reads or writes. Ids are snowflakes as decimal strings.

// Channel types.
const (
	TextChannel         = 0
	DMChannel           = 1
	VoiceChannel        = 2
	CategoryChannel     = 4
	AnnouncementChannel = 5
	AnnouncementThread  = 10
	PublicThread        = 11
	PrivateThread       = 12
	StageChannel        = 13
	ForumChannel        = 15
)

// Message types.
const (
	DefaultMessage       = 0
	NameMessage          = 4
	ReplyMessage         = 19
	CommandMessage       = 20
	ThreadStarterMessage = 21
)

// Message flags.
const (
	FlagSuppressEmbeds = 1 << 2
	FlagHasThread      = 1 << 5
	FlagEphemeral      = 1 << 6
	FlagLoading        = 1 << 7
	FlagSilent         = 1 << 12
	FlagComponentsV2   = 1 << 15
)

// User is a person or a program.
type User struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	Discriminator string  `json:"discriminator"`
	GlobalName    *string `json:"global_name"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`
	System        bool    `json:"system,omitempty"`
}

// Member is a user in a guild.
type Member struct {
	User        *User    `json:"user,omitempty"`
	Nick        *string  `json:"nick"`
	Roles       []string `json:"roles"`
	JoinedAt    string   `json:"joined_at"`
	Deaf        bool     `json:"deaf"`
	Mute        bool     `json:"mute"`
	Flags       int      `json:"flags"`
	Permissions string   `json:"permissions,omitempty"` // in interactions: in the channel

	CommunicationDisabledUntil *string `json:"communication_disabled_until"`
}

// Role is a set of permissions. The role @everyone has the guild's id.
type Role struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Color       int        `json:"color"`
	Colors      RoleColors `json:"colors"`
	Hoist       bool       `json:"hoist"`
	Position    int        `json:"position"`
	Permissions string     `json:"permissions"`
	Managed     bool       `json:"managed"`
	Mentionable bool       `json:"mentionable"`
	Tags        *RoleTags  `json:"tags,omitempty"`
	Flags       int        `json:"flags"`
}

// RoleTags say what a managed role is for.
type RoleTags struct {
	BotID string `json:"bot_id,omitempty"`
}

// RoleColors are a role's colours.
type RoleColors struct {
	Primary   int  `json:"primary_color"`
	Secondary *int `json:"secondary_color"`
	Tertiary  *int `json:"tertiary_color"`
}

// Overwrite changes permissions in one channel. Type is 0 for a role, 1 for a member.
type Overwrite struct {
	ID    string `json:"id"`
	Type  int    `json:"type"`
	Allow string `json:"allow"`
	Deny  string `json:"deny"`
}

// Channel is a place for messages; a thread is one too.
type Channel struct {
	ID               string          `json:"id"`
	Type             int             `json:"type"`
	GuildID          string          `json:"guild_id,omitempty"`
	Name             string          `json:"name,omitempty"`
	Position         int             `json:"position"`
	NSFW             bool            `json:"nsfw,omitempty"`
	ParentID         *string         `json:"parent_id,omitempty"`
	OwnerID          string          `json:"owner_id,omitempty"`
	LastMessageID    *string         `json:"last_message_id"`
	Overwrites       []Overwrite     `json:"permission_overwrites,omitempty"`
	Recipients       []User          `json:"recipients,omitempty"`
	RateLimitPerUser int             `json:"rate_limit_per_user,omitempty"`
	ThreadMetadata   *ThreadMetadata `json:"thread_metadata,omitempty"`
	MessageCount     *int            `json:"message_count,omitempty"`
	MemberCount      *int            `json:"member_count,omitempty"`
	TotalMessageSent *int            `json:"total_message_sent,omitempty"`
	Member           *ThreadMember   `json:"member,omitempty"`
	NewlyCreated     bool            `json:"newly_created,omitempty"`
	Permissions      string          `json:"permissions,omitempty"`
	Flags            int             `json:"flags"`
}

// ThreadMetadata is what makes a channel a thread.
type ThreadMetadata struct {
	Archived            bool   `json:"archived"`
	AutoArchiveDuration int    `json:"auto_archive_duration"` // minutes
	ArchiveTimestamp    string `json:"archive_timestamp"`
	Locked              bool   `json:"locked"`
	CreateTimestamp     string `json:"create_timestamp,omitempty"`
}

// ThreadMember is somebody in a thread.
type ThreadMember struct {
	ID            string `json:"id,omitempty"`
	UserID        string `json:"user_id,omitempty"`
	JoinTimestamp string `json:"join_timestamp"`
	Flags         int    `json:"flags"`
}

// Attachment is a file of a message.
type Attachment struct {
	ID          string  `json:"id"`
	Filename    string  `json:"filename"`
	Title       string  `json:"title,omitempty"`
	Description *string `json:"description,omitempty"`
	ContentType string  `json:"content_type,omitempty"`
	Size        int     `json:"size"`
	URL         string  `json:"url"`
	ProxyURL    string  `json:"proxy_url"`
	Ephemeral   bool    `json:"ephemeral,omitempty"`
}

// Reference names another message.
type Reference struct {
	Type            int    `json:"type"`
	MessageID       string `json:"message_id,omitempty"`
	ChannelID       string `json:"channel_id,omitempty"`
	GuildID         string `json:"guild_id,omitempty"`
	FailIfNotExists *bool  `json:"fail_if_not_exists,omitempty"`
}

// Message is one message.
type Message struct {
	ID                  string       `json:"id"`
	ChannelID           string       `json:"channel_id"`
	GuildID             string       `json:"guild_id,omitempty"`     // in events only
	ChannelType         *int         `json:"channel_type,omitempty"` // in events only
	Member              *Member      `json:"member,omitempty"`       // in events only
	Author              *User        `json:"author,omitempty"`
	Content             string       `json:"content"`
	Timestamp           string       `json:"timestamp"`
	EditedTimestamp     *string      `json:"edited_timestamp"`
	TTS                 bool         `json:"tts"`
	MentionEveryone     bool         `json:"mention_everyone"`
	Mentions            []User       `json:"mentions"`
	MentionRoles        []string     `json:"mention_roles"`
	Attachments         []Attachment `json:"attachments"`
	Embeds              []Embed      `json:"embeds"`
	Components          []Component  `json:"components"`
	Nonce               any          `json:"nonce,omitempty"`
	Pinned              bool         `json:"pinned"`
	WebhookID           string       `json:"webhook_id,omitempty"`
	Type                int          `json:"type"`
	ApplicationID       string       `json:"application_id,omitempty"`
	MessageReference    *Reference   `json:"message_reference,omitempty"`
	ReferencedMessage   *Message     `json:"referenced_message,omitempty"`
	InteractionMetadata *Invocation  `json:"interaction_metadata,omitempty"`
	Thread              *Channel     `json:"thread,omitempty"`
	Flags               int          `json:"flags"`
}

// Invocation is the interaction a message answers.
type Invocation struct {
	ID   string `json:"id"`
	Type int    `json:"type"`
	User User   `json:"user"`
	Name string `json:"name,omitempty"`

	Owners map[string]string `json:"authorizing_integration_owners"`
}

// Emoji is a character, or a picture with an id.
type Emoji struct {
	ID       *string `json:"id"`
	Name     string  `json:"name,omitempty"`
	Animated bool    `json:"animated,omitempty"`
}

// Embed shows where a link leads.
type Embed struct {
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// Component types.
const (
	ActionRow    = 1
	Button       = 2
	StringSelect = 3
	TextInput    = 4
	Label        = 18
)

// Component is part of what people click on.
type Component struct {
	Type        int            `json:"type"`
	ID          int            `json:"id,omitempty"`
	CustomID    string         `json:"custom_id,omitempty"`
	Style       int            `json:"style,omitempty"`
	Label       string         `json:"label,omitempty"`
	Emoji       *Emoji         `json:"emoji,omitempty"`
	Disabled    bool           `json:"disabled,omitempty"`
	Placeholder string         `json:"placeholder,omitempty"`
	MaxLength   *int           `json:"max_length,omitempty"`
	Options     []SelectOption `json:"options,omitempty"`
	Components  []Component    `json:"components,omitempty"`
	Component   *Component     `json:"component,omitempty"`
	Description string         `json:"description,omitempty"`
}

// SelectOption is one line of a select menu.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// Command is a command of an application.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Options                  []CommandOption   `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	NSFW                     bool              `json:"nsfw"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
	Version                  string            `json:"version"`
}

// Types of command options.
const (
	SubcommandOption      = 1
	SubcommandGroupOption = 2
	StringOption          = 3
	IntegerOption         = 4
	AttachmentOption      = 11
)

// CommandOption is an argument of a command, or a subcommand.
type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
}

// Choice is one value that an option may have. Value is a string or a number.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}
