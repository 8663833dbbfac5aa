package platform

import (
	"context"

	"threadkeeper/memory"
)

// Ref identifies a post of ours on its platform. It is opaque and stored.
type Ref string

// Address says where to post.
type Address struct {
	Key         memory.Key `json:"key"`
	ReplyTo     string     `json:"reply_to,omitempty"`     // platform id of the message answered
	Event       string     `json:"event,omitempty"`        // id of the event answered
	Interaction string     `json:"interaction,omitempty"`  // token of a command to answer, or of the click that asked for this
	EphemeralTo string     `json:"ephemeral_to,omitempty"` // platform id of the only person to see it
	Asker       string     `json:"asker,omitempty"`        // platform id of the person who caused the event
	Between     bool       `json:"between,omitempty"`      // somebody else has spoken since ReplyTo
	Language    string     `json:"-"`                      // of the message answered, for anything shown before the answer
}

// Kind says what an outgoing message is.
type Kind string

const (
	KindReply   Kind = "reply"
	KindCommand Kind = "command" // the answer to a command
	KindError   Kind = "error"
	KindNotice  Kind = "notice"
	KindErased  Kind = "erased" // takes the place of a post whose text was erased
)

// ErrorUnreadable is the code of a reply to a message with an unreadable attachment.
const ErrorUnreadable = "unreadable"

// ErrorPartlyRead is the code of a reply to which a document matters that was not read whole.
const ErrorPartlyRead = "partly_read"

// Outgoing is a post. Text is Markdown without any mention; each platform
// renders, splits and neutralises it.
type Outgoing struct {
	Nonce         string                `json:"nonce"`
	Kind          Kind                  `json:"kind"`
	Text          string                `json:"text"`
	Language      string                `json:"language,omitempty"` // of Text, for say.In; "" if it is not known
	Question      *Question             `json:"question,omitempty"`
	Citations     []memory.Citation     `json:"citations,omitempty"`
	Buttons       []Button              `json:"buttons,omitempty"`
	File          *Upload               `json:"file,omitempty"`     // posted by Upload instead of Post
	Feedback      bool                  `json:"feedback,omitempty"` // offer FeedbackAction buttons
	Understanding *memory.Understanding `json:"understanding,omitempty"`
	Ledger        *memory.Ledger        `json:"ledger,omitempty"`
	Error         string                `json:"error,omitempty"` // machine-readable code when Kind is KindError

	// Confirm is set on a post that asks whether to do something: it is the command that does
	// it without asking. Buttons are then yes and no, in that order. A platform without buttons asks
	// in its own way, or names the command.
	Confirm string `json:"confirm,omitempty"`

	// Withdraw is called with the platform id of each message that Edit or Stream.Close is about
	// to delete because the post no longer needs it. nil if the caller does not need to know.
	Withdraw func(ctx context.Context, message string) error `json:"-"`
}

// Question is a clarifying question as people see it. Options end with "Something
// else" and "Just answer".
type Question struct {
	Text    string   `json:"text"`
	Options []Button `json:"options"`
}

// Button carries an opaque Action that returns in Event.Action.
type Button struct {
	Label  string `json:"label"`
	Action string `json:"action"`
}

// Upload is a file we post.
type Upload struct {
	Nonce string `json:"nonce"`
	Name  string `json:"name"`
	Media string `json:"media"`
	Data  []byte `json:"data"`
	Text  string `json:"text"` // shown with it

	Document int64  `json:"document,omitempty"` // the document whose page it shows, 0 if none
	Language string `json:"language,omitempty"` // as in Outgoing
}
