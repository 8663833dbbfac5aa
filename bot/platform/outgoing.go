package platform

import (
	"context"

	"threadkeeper/memory"
)

// Ref names a post of ours on its platform. It is opaque and stored.
type Ref string

// Address is where something is posted.
type Address struct {
	Key         memory.Key `json:"key"`
	ReplyTo     string     `json:"reply_to,omitempty"`     // platform id of the message answered
	Event       string     `json:"event,omitempty"`        // id of the event answered
	Interaction string     `json:"interaction,omitempty"`  // token of a command to answer, or of the click that asked for this
	EphemeralTo string     `json:"ephemeral_to,omitempty"` // platform id of the only person to see it
	Asker       string     `json:"asker,omitempty"`        // platform id of who caused the event
	Language    string     `json:"-"`                      // of what is answered, for what is shown before the answer
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

// ErrorUnreadable is the code of a reply beside which an attachment could not be read.
const ErrorUnreadable = "unreadable"

// Outgoing is what we post. Text is Markdown without any mention; each platform
// renders, splits and neutralises it.
type Outgoing struct {
	Nonce         string                `json:"nonce"`
	Kind          Kind                  `json:"kind"`
	Text          string                `json:"text"`
	Language      string                `json:"language,omitempty"` // of Text, for LabelsIn; "" if it is not known
	Question      *Question             `json:"question,omitempty"`
	Citations     []memory.Citation     `json:"citations,omitempty"`
	Buttons       []Button              `json:"buttons,omitempty"`
	File          *Upload               `json:"file,omitempty"`     // posted by Upload instead of Post
	Feedback      bool                  `json:"feedback,omitempty"` // offer FeedbackAction buttons
	Understanding *memory.Understanding `json:"understanding,omitempty"`
	Ledger        *memory.Ledger        `json:"ledger,omitempty"`
	Error         string                `json:"error,omitempty"` // machine-readable code when Kind is KindError

	// Confirm is set on a post that asks whether to do something: it is the command that does
	// it unasked. Buttons are then yes and no, in that order. A platform without buttons asks by
	// itself, or names the command.
	Confirm string `json:"confirm,omitempty"`

	// Withdraw is told the platform id of each message of a post before Edit or
	// Stream.Close deletes it, because the post needs it no more. nil if nobody has to know.
	Withdraw func(ctx context.Context, message string) error `json:"-"`
}

// Question is a clarifying question as it is shown. Options end with "Something
// else" and "Just answer".
type Question struct {
	Text    string   `json:"text"`
	Options []Button `json:"options"`
}

// Button carries an opaque Action that comes back in Event.Action.
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

	Document int64  `json:"document,omitempty"` // of which it shows a page, 0 if it shows none
	Language string `json:"language,omitempty"` // as in Outgoing
}
