// Package config holds the program's settings: their names, their defaults and
// their sources. Flags override the environment, which overrides .env, which
// overrides a YAML file, which overrides the user's own .env (see UserFile), which overrides the defaults.
package config

import (
	"log/slog"
	"strings"
	"time"
)

// Config is every setting. A setting called token_threshold is the flag
// --token-threshold, the environment variable TOKEN_THRESHOLD and the YAML key
// token_threshold. An empty value counts as unset. A field without a comment is what
// its help says; its default is that of its tag, or none.
type Config struct {
	Model string `koanf:"model" short:"m" placeholder:"NAME" help:"Model that answers. Without one, answers are quotes with their pages."`

	FallbackModel string `koanf:"fallback_model" placeholder:"NAME" help:"Model that answers when the first one is down."`

	// JudgeModel reads the statements of an answer beside the pages they cite, in one call when the answer is
	// complete. Default Model; "off": what could not be checked stays marked. See Judge.
	JudgeModel string `koanf:"judge_model" placeholder:"NAME" help:"Model that checks the statements of an answer against their pages; default: the first one; off: none."`

	Models string `koanf:"models" placeholder:"LIST" help:"Models that administrators may choose for a channel, in addition to MODEL."`

	ModelWindow int `koanf:"model_window" default:"0" min:"0" placeholder:"TOKENS" help:"Size of the model's context window; 0: detect it, else 8,192."`

	ModelTimeout time.Duration `koanf:"model_timeout" default:"2m" min:"1s" placeholder:"DURATION" help:"Time limit for one model call (${default})."`

	// OpenAIAPIKey is the key of an OpenAI-compatible endpoint. Default none. Not a
	// flag: other users of a machine see each other's flags.
	OpenAIAPIKey Secret `koanf:"openai_api_key" kong:"-" help:"Key of an OpenAI-compatible endpoint."`

	OpenAIBaseURL string `koanf:"openai_base_url" name:"openai-base-url" url:"true" placeholder:"URL" help:"OpenAI-compatible endpoint, if it is not OpenAI's own."`

	AnthropicAPIKey Secret `koanf:"anthropic_api_key" kong:"-" help:"Key for Anthropic's models."`

	AnthropicBaseURL string `koanf:"anthropic_base_url" name:"anthropic-base-url" url:"true" placeholder:"URL" help:"Endpoint that speaks Anthropic's protocol, if it is not Anthropic's own."`

	// SlackBotToken lets the program act in a Slack workspace: xoxb-… Default none:
	// no Slack. It needs SlackAppToken or SlackSigningSecret as well.
	SlackBotToken Secret `koanf:"slack_bot_token" kong:"-" help:"Slack's bot token."`

	SlackAppToken Secret `koanf:"slack_app_token" kong:"-" help:"Slack's app-level token, for Socket Mode."`

	SlackSigningSecret Secret `koanf:"slack_signing_secret" kong:"-" help:"Slack's signing secret, for HTTP events."`

	// SlackAPIURL is the URL of Slack's Web API, for government workspaces and test
	// servers; it ends with "/". Default empty: Slack's own.
	SlackAPIURL string `koanf:"slack_api_url" name:"slack-api-url" url:"true" placeholder:"URL" help:"Slack's Web API, if it is not https://slack.com/api/."`

	// SlackListen is the address to receive HTTP events on. Default :3000 when
	// there is a signing secret and no app token, else empty: Socket Mode.
	SlackListen string `koanf:"slack_listen" placeholder:"ADDRESS" help:"Address to receive Slack's HTTP events on (:3000)."`

	SlackAgentView bool `koanf:"slack_agent_view" default:"true" negatable:"" help:"Each direct message in Slack opens a thread, as in apps with the agent view (${default})."`

	DiscordToken Secret `koanf:"discord_token" kong:"-" help:"Discord's bot token."`

	DiscordAPIURL string `koanf:"discord_api_url" name:"discord-api-url" url:"true" placeholder:"URL" help:"Scheme and host of Discord's API, if it is not Discord's own."`

	DiscordShard int `koanf:"discord_shard" default:"0" min:"0" placeholder:"N" help:"Number of this process's Discord shard, from 0 (${default})."`

	DiscordShards int `koanf:"discord_shards" default:"1" min:"1" placeholder:"N" help:"Total number of Discord shards (${default})."`

	Follow string `koanf:"follow" default:"thread" enum:"thread,mention,always,quiet" placeholder:"WHICH" help:"Messages answered without a mention: ${enum} (${default})."`

	Reply string `koanf:"reply" default:"thread" enum:"thread,channel" placeholder:"WHERE" help:"Where a mention in a channel is answered: ${enum} (${default})."`

	// Allow lists who can use the assistant and where: workspace:ID (a Slack workspace or Discord
	// server), channel:ID, person:ID, role:ID (Discord; admin and guest work on both), dm:ID and
	// dm:* (direct messages), each prefixed with slack/ or discord/ if needed. Default empty:
	// everyone, everywhere. Once it has an entry, an unlisted place gets one sentence a day, and
	// nothing said there is kept.
	Allow string `koanf:"allow" placeholder:"LIST" help:"Who can use it and where: workspace:ID channel:ID person:ID role:ID dm:ID dm:*. Default: everyone."`

	Deny string `koanf:"deny" placeholder:"LIST" help:"Who cannot use it, or where, in the same format; overrides --allow."`

	ReportTo string `koanf:"report_to" placeholder:"WHO" help:"Who gets the weekly report in a direct message: slack/ID or discord/ID. Default: nobody."`

	MessagesPerMinute int `koanf:"messages_per_minute" default:"20" min:"0" placeholder:"N" help:"Messages from one person answered per minute; 0: no limit (${default})."`

	TurnsPerPerson int `koanf:"turns_per_person" default:"4" min:"0" placeholder:"N" help:"One person's conversations answered at the same time; 0: no limit (${default})."`

	QueuePerPerson int `koanf:"queue_per_person" default:"20" min:"0" placeholder:"N" help:"Messages from one person that can wait for an answer; 0: no limit (${default})."`

	ExternalDocuments bool `koanf:"external_documents" default:"false" negatable:"" help:"Use documents where people outside your organisation can read (${default})."`

	GoneGrace time.Duration `koanf:"gone_grace" default:"24h" min:"1m" placeholder:"DURATION" help:"How long a conversation or workspace must be missing on its platform before it is erased (${default})."`

	// DatabaseURL is the SQLite file that holds everything: a path, or sqlite:path.
	// Default threadkeeper/threadkeeper.db in the user's data directory
	// (XDG_DATA_HOME, else ~/.local/share, ~/Library/Application Support, %LOCALAPPDATA%).
	DatabaseURL string `koanf:"database_url" name:"database-url" placeholder:"FILE" help:"SQLite file that holds everything."`

	CacheDir string `koanf:"cache_dir" placeholder:"DIR" help:"Directory for files that can be rebuilt (the compiled PDF engine)."`

	TokenThreshold int `koanf:"token_threshold" default:"10000" min:"500" placeholder:"TOKENS" help:"Tokens a conversation can hold before its older part is folded into a summary (${default})."`

	// WindowInteractions is how many interactions, each a request with its answer, at most stay
	// verbatim when a conversation is folded; fewer where they exceed 45 % of its threshold. Default 10.
	WindowInteractions int `koanf:"window_interactions" default:"10" min:"1" placeholder:"N" help:"Latest requests with their answers that stay verbatim when the older part is folded (${default})."`

	Clarify string `koanf:"clarify" default:"when-it-helps" enum:"always,when-it-helps,never" placeholder:"WHEN" help:"When to ask back: ${enum} (${default})."`

	TurnTokens int `koanf:"turn_tokens" default:"10000" min:"2000" placeholder:"TOKENS" help:"Tokens a question normally takes, beyond instructions and history (${default})."`

	TurnTokensMax int `koanf:"turn_tokens_max" default:"40000" min:"4000" placeholder:"TOKENS" help:"Most tokens a question can take, searches included (${default})."`

	ModelPrices string `koanf:"model_prices" placeholder:"LIST" help:"Price per million tokens of prompt and completion: gpt-5-mini=0.25/2, …"`

	BudgetPerson string `koanf:"budget_person" placeholder:"LIMIT" help:"What one person can spend on models per day: 200k tokens, $2.50, or both."`

	BudgetChannel string `koanf:"budget_channel" placeholder:"LIMIT" help:"What one channel can spend on models per day."`

	BudgetAll string `koanf:"budget_all" placeholder:"LIMIT" help:"What everyone together can spend on models per day."`

	MaxPages int `koanf:"max_pages" default:"1500" min:"1" placeholder:"PAGES" help:"Most pages a document can have (${default})."`

	MaxFileMB int `koanf:"max_file_mb" name:"max-file-mb" default:"50" min:"1" placeholder:"MIB" help:"Largest size of an attachment, in MiB (${default})."`

	PDFTimeout time.Duration `koanf:"pdf_timeout" name:"pdf-timeout" default:"2m" min:"1s" placeholder:"DURATION" help:"Time limit for reading one file (${default})."`

	// PDFWorkers is how many PDFs are read at the same time (each in a process of up to 256 MiB),
	// and also how many other files (512 MiB each) and scanned pages (128 MiB each, plus the
	// page's picture). Default 2.
	PDFWorkers int `koanf:"pdf_workers" name:"pdf-workers" default:"2" min:"1" placeholder:"N" help:"Files read at the same time (${default} PDFs and ${default} others)."`

	OCRLanguages string `koanf:"ocr_languages" name:"ocr-languages" default:"eng" placeholder:"NAMES" help:"Languages of scans, as Tesseract names them: eng, deu+eng (${default})."`

	OCRFolder string `koanf:"ocr_folder" name:"ocr-folder" placeholder:"FOLDER" help:"Folder with NAME.traineddata for languages of scans other than English."`

	ScanWait time.Duration `koanf:"scan_wait" default:"10m" min:"0s" placeholder:"DURATION" help:"How long ask and pipes wait until scanned pages beyond the first ten are read; 0: not at all (${default})."`

	Workers int `koanf:"workers" default:"8" min:"1" placeholder:"N" help:"Conversations answered at the same time (${default})."`

	TurnTimeout time.Duration `koanf:"turn_timeout" default:"5m" min:"1s" placeholder:"DURATION" help:"Time limit for answering one message (${default})."`

	// LogLevel is the lowest level that is logged, on standard error. Default warn. No
	// level logs the text of messages.
	LogLevel string `koanf:"log_level" default:"warn" enum:"debug,info,warn,error,trace,warning" placeholder:"LEVEL" help:"Lowest level that is logged: debug, info, warn, error (${default})."`

	LogFormat string `koanf:"log_format" default:"text" enum:"text,json" placeholder:"FORMAT" help:"Format of the log: ${enum} (${default})."`
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
	_ = l.UnmarshalText([]byte(strings.NewReplacer("trace", "debug", "warning", "warn").Replace(c.LogLevel))) // Load checked it
	return l
}

// Judge is the model that judges answers, "" for none.
func (c *Config) Judge() string {
	switch c.JudgeModel {
	case "":
		return c.Model
	case "off":
		return ""
	}
	return c.JudgeModel
}
