// Package config is the settings of the program: what they are called, what
// they are when nobody sets them, and where they are read from. Flags win over
// the environment, that over .env, that over a YAML file, that over the defaults.
package config

import (
	"log/slog"
	"time"
)

// Config is every setting. A setting called token_threshold is the flag
// --token-threshold, the environment variable TOKEN_THRESHOLD and the YAML key
// token_threshold. A setting that is set to nothing counts as not set.
type Config struct {
	// Model is the model that answers, as its provider calls it: "gpt-5-mini",
	// "claude-sonnet-4-5". Default none: answers are then extracts with citations.
	Model string `koanf:"model" placeholder:"NAME" help:"Model that answers. Without one, answers are extracts with citations."`

	// FallbackModel answers when Model is down. Default none.
	FallbackModel string `koanf:"fallback_model" placeholder:"NAME" help:"Model that answers when the first one is down."`

	// ModelWindow is how many tokens fit into Model, prompt and answer together.
	// Default 0: as the endpoint says, or what is known of the model's name, else 8,192.
	ModelWindow int `koanf:"model_window" default:"0" min:"0" placeholder:"TOKENS" help:"Tokens that fit into the model; 0: found out, else 8,192."`

	// ModelTimeout bounds one call of a model. Default 2m.
	ModelTimeout time.Duration `koanf:"model_timeout" default:"2m" min:"1s" placeholder:"DURATION" help:"Time one call of the model may take (${default})."`

	// OpenAIAPIKey is the key of an OpenAI-compatible endpoint. Default none. Not a
	// flag: other users of a machine see each other's flags.
	OpenAIAPIKey Secret `koanf:"openai_api_key" kong:"-" help:"Key of an OpenAI-compatible endpoint."`

	// OpenAIBaseURL is an OpenAI-compatible endpoint. Default empty: OpenAI's own.
	OpenAIBaseURL string `koanf:"openai_base_url" name:"openai-base-url" url:"true" placeholder:"URL" help:"OpenAI-compatible endpoint, if it is not OpenAI's own."`

	// AnthropicAPIKey is the key for Anthropic's models. Default none.
	AnthropicAPIKey Secret `koanf:"anthropic_api_key" kong:"-" help:"Key for Anthropic's models."`

	// AnthropicBaseURL is an endpoint that speaks Anthropic's protocol. Default
	// empty: Anthropic's own.
	AnthropicBaseURL string `koanf:"anthropic_base_url" name:"anthropic-base-url" url:"true" placeholder:"URL" help:"Endpoint that speaks Anthropic's protocol, if it is not Anthropic's own."`

	// SlackBotToken lets the program act in a Slack workspace: xoxb-… Default none:
	// no Slack. With it goes SlackAppToken or SlackSigningSecret.
	SlackBotToken Secret `koanf:"slack_bot_token" kong:"-" help:"Slack's bot token."`

	// SlackAppToken opens Socket Mode: xapp-…, with connections:write. Default none.
	SlackAppToken Secret `koanf:"slack_app_token" kong:"-" help:"Slack's app-level token, for Socket Mode."`

	// SlackSigningSecret proves that events which come by HTTP are Slack's. Default none.
	SlackSigningSecret Secret `koanf:"slack_signing_secret" kong:"-" help:"Slack's signing secret, for events by HTTP."`

	// SlackAPIURL is where Slack's Web API is, as government workspaces and test
	// servers need; it ends with "/". Default empty: Slack's own.
	SlackAPIURL string `koanf:"slack_api_url" name:"slack-api-url" url:"true" placeholder:"URL" help:"Slack's Web API, if it is not https://slack.com/api/."`

	// SlackListen is the address that HTTP events are served on. Default :3000 when
	// there is a signing secret and no app token, else empty: Socket Mode.
	SlackListen string `koanf:"slack_listen" placeholder:"ADDRESS" help:"Address that Slack's HTTP events are served on (:3000)."`

	// SlackAgentView says that the Slack app has the agent view, in which each direct
	// message opens a thread. Default true.
	SlackAgentView bool `koanf:"slack_agent_view" default:"true" negatable:"" help:"Slack's direct messages open threads, as apps with the agent view do (${default})."`

	// DiscordToken lets the program act as a Discord bot; without "Bot ". Default
	// none: no Discord.
	DiscordToken Secret `koanf:"discord_token" kong:"-" help:"Discord's bot token."`

	// DiscordAPIURL is the scheme and host of a REST proxy or test server, without a
	// "/" at its end. Default empty: Discord's own.
	DiscordAPIURL string `koanf:"discord_api_url" name:"discord-api-url" url:"true" placeholder:"URL" help:"Scheme and host of Discord's API, if it is not Discord's own."`

	// DiscordShard is which shard this process is, from 0. Default 0.
	DiscordShard int `koanf:"discord_shard" default:"0" min:"0" placeholder:"N" help:"Which of Discord's shards this process is (${default})."`

	// DiscordShards is how many shards there are in all. Default 1.
	DiscordShards int `koanf:"discord_shards" default:"1" min:"1" placeholder:"N" help:"How many of Discord's shards there are (${default})."`

	// Follow says which messages are answered that do not mention the assistant: in
	// threads it has joined, none, or all; quiet is none, and nothing is said unasked. A channel's
	// own setting wins. Default thread.
	Follow string `koanf:"follow" default:"thread" enum:"thread,mention,always,quiet" placeholder:"WHICH" help:"Messages answered without a mention: ${enum} (${default})."`

	// Reply says where a mention at the top of a channel is answered: in a thread on
	// it, or in the channel, which is then one conversation. A channel's own setting
	// wins. Default thread.
	Reply string `koanf:"reply" default:"thread" enum:"thread,channel" placeholder:"WHERE" help:"Where a mention in a channel is answered: ${enum} (${default})."`

	// Allow lists who may use the assistant and where: workspace:ID (of Slack, or a server of
	// Discord), channel:ID, person:ID, role:ID (of Discord; admin and guest anywhere), dm:ID and
	// dm:* (direct messages), each with slack/ or discord/ before it if needed. Default empty:
	// everybody, everywhere. Once it has an entry, a place that is not listed gets one sentence a day, and
	// nothing of it is kept.
	Allow string `koanf:"allow" placeholder:"LIST" help:"Who may use it and where: workspace:ID channel:ID person:ID role:ID dm:ID dm:*. Default: everybody."`

	// Deny lists, in the same words, who may not. It is the stronger one. Default empty.
	Deny string `koanf:"deny" placeholder:"LIST" help:"Who may not use it, or where, in the same words."`

	// MessagesPerMinute is how many messages of one person are answered in a minute. Default 20;
	// 0 is any number.
	MessagesPerMinute int `koanf:"messages_per_minute" default:"20" min:"0" placeholder:"N" help:"Messages of one person answered in a minute; 0: any number (${default})."`

	// TurnsPerPerson is how many conversations of one person are worked on at the same time.
	// Default 4; 0 is any number.
	TurnsPerPerson int `koanf:"turns_per_person" default:"4" min:"0" placeholder:"N" help:"Conversations of one person worked on at the same time; 0: any number (${default})."`

	// QueuePerPerson is how many messages of one person may wait for an answer. Default 20; 0 is
	// any number.
	QueuePerPerson int `koanf:"queue_per_person" default:"20" min:"0" placeholder:"N" help:"Messages of one person that may wait for an answer; 0: any number (${default})."`

	// ExternalDocuments lets documents be used where people of other organisations
	// read along: externally shared channels, guests. Default false.
	ExternalDocuments bool `koanf:"external_documents" default:"false" negatable:"" help:"Use documents where people of other organisations read along (${default})."`

	// GoneGrace is how long a conversation, a workspace that we were removed from, or many
	// messages at once have to be missing on Slack or Discord before they are erased here.
	// Default 24h.
	GoneGrace time.Duration `koanf:"gone_grace" default:"24h" min:"1m" placeholder:"DURATION" help:"Time a conversation or workspace has to be missing on its platform before it is erased (${default})."`

	// DatabaseURL is the SQLite file that holds everything: a path, or sqlite:path.
	// Default threadkeeper/threadkeeper.db in the user's data directory
	// (XDG_DATA_HOME, else ~/.local/share, ~/Library/Application Support, %LOCALAPPDATA%).
	DatabaseURL string `koanf:"database_url" name:"database-url" placeholder:"FILE" help:"SQLite file that holds everything."`

	// CacheDir holds what can be made again: the compiled PDF engine. Default
	// threadkeeper in the user's cache directory.
	CacheDir string `koanf:"cache_dir" placeholder:"DIR" help:"Directory for what can be made again (the compiled PDF engine)."`

	// TokenThreshold is how many tokens of summary and unsummarised messages a
	// conversation may have before its older part is folded. Default 10000.
	TokenThreshold int `koanf:"token_threshold" default:"10000" min:"500" placeholder:"TOKENS" help:"Tokens of a conversation beyond which its older part is folded (${default})."`

	// WindowInteractions is how many interactions, each a request with its answer, at most stay
	// verbatim when a conversation is folded; fewer where they exceed 45 % of its threshold. Default 10.
	WindowInteractions int `koanf:"window_interactions" default:"10" min:"1" placeholder:"N" help:"Latest requests with their answers that stay verbatim when the older part is folded (${default})."`

	// Clarify says when a question may be asked back. Default when-it-helps.
	Clarify string `koanf:"clarify" default:"when-it-helps" enum:"always,when-it-helps,never" placeholder:"WHEN" help:"When to ask back: ${enum} (${default})."`

	// TurnTokens is how many tokens of a model a question takes as a rule, beyond the
	// instructions and the history: so much of the documents is shown. Default 10000.
	TurnTokens int `koanf:"turn_tokens" default:"10000" min:"2000" placeholder:"TOKENS" help:"Tokens a question takes as a rule, beyond instructions and history (${default})."`

	// TurnTokensMax is how many it may take at most, searches and repairs included.
	// Default 40000.
	TurnTokensMax int `koanf:"turn_tokens_max" default:"40000" min:"4000" placeholder:"TOKENS" help:"Tokens a question may take at most, searches included (${default})."`

	// ModelPrices are what models cost, a million tokens of prompt, of completion and, if that
	// is cheaper, of the cached part of a prompt: "gpt-5-mini=0.25/2/0.025, …". Default none:
	// money is not counted.
	ModelPrices string `koanf:"model_prices" placeholder:"LIST" help:"Price of a million tokens of prompt and completion: gpt-5-mini=0.25/2, …"`

	// BudgetPerson is what each person may have the models take in a day (UTC): tokens (200k),
	// money where there is a price ($2.50), or both (200k $2.50). Default none.
	BudgetPerson string `koanf:"budget_person" placeholder:"LIMIT" help:"What one person may spend on models in a day: 200k tokens, $2.50, or both."`

	// BudgetChannel is that of each channel. Default none.
	BudgetChannel string `koanf:"budget_channel" placeholder:"LIMIT" help:"What one channel may spend on models in a day."`

	// BudgetAll is that of all together. Default none.
	BudgetAll string `koanf:"budget_all" placeholder:"LIMIT" help:"What all together may spend on models in a day."`

	// MaxPages is how many pages a document may have. Default 1500.
	MaxPages int `koanf:"max_pages" default:"1500" min:"1" placeholder:"PAGES" help:"Pages a document may have (${default})."`

	// MaxFileMB is how large an attachment may be, in MiB. Default 50.
	MaxFileMB int `koanf:"max_file_mb" name:"max-file-mb" default:"50" min:"1" placeholder:"MIB" help:"Size an attachment may have, in MiB (${default})."`

	// PDFTimeout bounds the reading of one file. Default 2m.
	PDFTimeout time.Duration `koanf:"pdf_timeout" name:"pdf-timeout" default:"2m" min:"1s" placeholder:"DURATION" help:"Time the reading of one file may take (${default})."`

	// PDFWorkers is how many PDFs are read at the same time, each by a process of up to 256 MiB,
	// how many other files, each by one of up to 512 MiB, and how many scanned pages, each by one of up to 128 MiB and
	// its picture. Default 2.
	PDFWorkers int `koanf:"pdf_workers" name:"pdf-workers" default:"2" min:"1" placeholder:"N" help:"Files read at the same time (${default} PDFs and ${default} others)."`

	// OCRLanguages are the languages of scans, as Tesseract names them: eng, deu+eng. Default eng.
	OCRLanguages string `koanf:"ocr_languages" name:"ocr-languages" default:"eng" placeholder:"NAMES" help:"Languages of scans, as Tesseract names them: eng, deu+eng (${default})."`

	// OCRFolder has NAME.traineddata of the languages of scans besides English. None by default.
	OCRFolder string `koanf:"ocr_folder" name:"ocr-folder" placeholder:"FOLDER" help:"Folder with NAME.traineddata of the languages of scans besides English."`

	// Workers is how many conversations are answered at the same time. Default 8.
	Workers int `koanf:"workers" default:"8" min:"1" placeholder:"N" help:"Conversations answered at the same time (${default})."`

	// TurnTimeout bounds the work on one message. Default 5m.
	TurnTimeout time.Duration `koanf:"turn_timeout" default:"5m" min:"1s" placeholder:"DURATION" help:"Time the work on one message may take (${default})."`

	// LogLevel is the least that is logged, on standard error. Default warn. None
	// shows the text of messages.
	LogLevel string `koanf:"log_level" default:"warn" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"Least that is logged: ${enum} (${default})."`

	// LogFormat is how it is logged. Default text.
	LogFormat string `koanf:"log_format" default:"text" enum:"text,json" placeholder:"FORMAT" help:"How it is logged: ${enum} (${default})."`
}

// Secret is a string that does not print itself.
type Secret string

const hidden = "***"

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString keeps %#v from printing the secret.
func (s Secret) GoString() string { return s.String() }

// LogValue keeps slog from printing the secret.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps encoders from printing the secret.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Level is LogLevel for package slog.
func (c *Config) Level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return slog.LevelWarn // unreachable: Load checked it
	}
	return l
}
