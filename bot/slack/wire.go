package slack

import (
	"encoding/json"

	"threadkeeper/bot/platform/kit"
)

// The structs here hold what we read of Slack's JSON, and no more: something
// malformed loses a field or an element of a list, but no event.

// list decodes what it can of a JSON array.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if kit.Decode(data, &raw) != nil {
		return nil
	}
	for _, r := range raw {
		var v T
		if kit.Decode(r, &v) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

type envelope struct {
	ID      string          `json:"envelope_id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

type callback struct {
	Type      string          `json:"type"`
	Challenge string          `json:"challenge"`
	Team      string          `json:"team_id"`
	EventID   string          `json:"event_id"`
	ExtShared bool            `json:"is_ext_shared_channel"`
	Event     json.RawMessage `json:"event"`

	Authorizations list[struct { // the installations it is for
		Team string `json:"team_id"` // "" for one of a whole enterprise
	}] `json:"authorizations"`
}

// of reports whether a delivery is for the installation in a workspace, as far as it
// tells (https://docs.slack.dev/apis/events-api/#authorizations).
func (c callback) of(team string) bool {
	for _, a := range c.Authorizations {
		if a.Team == "" || a.Team == team {
			return true
		}
	}
	return len(c.Authorizations) == 0 && (c.Team == "" || c.Team == team)
}

// message is a message, in an event as in conversations.replies.
type message struct {
	Type        string           `json:"type"`
	Subtype     string           `json:"subtype"`
	User        string           `json:"user"`
	BotID       string           `json:"bot_id"`
	Bot         botProfile       `json:"bot_profile"`
	Username    string           `json:"username"` // that a program chose for one post
	Text        string           `json:"text"`
	TS          string           `json:"ts"`
	ThreadTS    string           `json:"thread_ts"`
	Channel     string           `json:"channel"`
	ChannelType string           `json:"channel_type"`
	Edited      *edited          `json:"edited"`
	Replies     int              `json:"reply_count"` // of a thread's root
	Latest      string           `json:"latest_reply"`
	Files       list[file]       `json:"files"`
	Blocks      list[block]      `json:"blocks"`
	Attachments list[attachment] `json:"attachments"`
	Message     *message         `json:"message"`          // of message_changed
	Previous    *message         `json:"previous_message"` // of message_changed and message_deleted
	DeletedTS   string           `json:"deleted_ts"`
	Root        *message         `json:"root"` // of thread_broadcast
	Metadata    metadata         `json:"metadata"`
}

// metadata is how we find our own messages again: see rendering.metadata.
type metadata struct {
	Type    string `json:"event_type"`
	Payload struct {
		Nonce string `json:"nonce"`
		Part  int    `json:"part"`
		Parts int    `json:"parts"` // of the post, 0 if it is not known
	} `json:"event_payload"`
}

type botProfile struct {
	Name string `json:"name"`
}

type edited struct {
	TS string `json:"ts"`
}

type file struct {
	ID        string                            `json:"id"`
	Name      string                            `json:"name"`
	Title     string                            `json:"title"`
	Media     string                            `json:"mimetype"`
	Mode      string                            `json:"mode"` // "snippet" for a text that was pasted or typed as one
	Access    string                            `json:"file_access"`
	Size      int64                             `json:"size"`
	URL       string                            `json:"url_private_download"`
	View      string                            `json:"url_private"`
	Permalink string                            `json:"permalink"`
	Shares    map[string]map[string]list[share] `json:"shares"` // public or private → channel → messages
}

type share struct {
	TS string `json:"ts"`
}

// attachment is the older form of rich content; a message that is passed on is one.
type attachment struct {
	IsShare   bool       `json:"is_share"`
	IsMessage bool       `json:"is_msg_unfurl"`
	Author    string     `json:"author_name"`
	Text      string     `json:"text"`
	Fallback  string     `json:"fallback"`
	Files     list[file] `json:"files"`

	From    string      `json:"from_url"` // of a link that Slack shows
	Pretext string      `json:"pretext"`
	Title   string      `json:"title"`
	Fields  list[field] `json:"fields"`
	Blocks  list[block] `json:"blocks"`
	Footer  string      `json:"footer"`
}

type field struct {
	Title string `json:"title"`
	Value string `json:"value"`
}

type block struct {
	Type     string            `json:"type"`
	Text     json.RawMessage   `json:"text"` // a string, or an object with one
	Elements list[block]       `json:"elements"`
	Fields   list[block]       `json:"fields"`
	Rows     list[list[block]] `json:"rows"`
	Style    json.RawMessage   `json:"style"`
	Indent   int               `json:"indent"`
	User     string            `json:"user_id"`
	Channel  string            `json:"channel_id"`
	Group    string            `json:"usergroup_id"`
	Range    string            `json:"range"`
	URL      string            `json:"url"`
	Name     string            `json:"name"`
	Fallback string            `json:"fallback"`
}
