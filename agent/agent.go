// Package agent is the chain that turns a user's message into a reply. With a model, the model leads (lead.go): it sees
// the evidence, and its answer is checked (gate). Without a model, or when it fails, the answer is a search of documents and
// messages (found). The package also makes the summaries of compaction. It owns the prompts (prompts/*.tmpl) and no
// tables.
package agent

import (
	"context"
	"log/slog"
	"time"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/llms"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Clarify says when a clarifying question may be asked.
type Clarify string

const (
	ClarifyAlways    Clarify = "always"        // the model reads each message for ambiguity first, in a call of its own
	ClarifyWhenHelps Clarify = "when-it-helps" // when the model finds that the readings lead to different answers
	ClarifyNever     Clarify = "never"         // state the assumption instead
)

// Turn is the work on one or several pending messages of one session.
type Turn struct {
	Session  *memory.Session
	Audience memory.Audience
	Person   *memory.Person
	Messages []*memory.Message  // to be answered, oldest first; the last one is the request
	Question *memory.Question   // answered by the last message, nil if none
	Choice   int                // index into Question.Options, or ChoiceNone, ChoiceJustAnswer
	Use      []int64            // documents chosen with "docs use"; empty means all
	New      []*memory.Document // read from files of these messages, ready or failed
	Unseen   []string           // names of pictures, posted with the messages or before, that were not downloaded: no model takes them
	Now      time.Time          // in the person's time zone

	Model        string // which of Chain.Models answers; Chain.Model if it is not one of them
	Instructions string // of the channel, by its administrators; "" for none

	// Held is called before each prompt is sent, with the content that could be erased meanwhile, beside the session's own
	// history; with none if it was told of that before, then perhaps by several goroutines. An error of it ends the turn. May be nil.
	Held func(context.Context, memory.Shown) error

	// Link returns the address at which people see a message of a conversation, by its platform id; "" if there is none. May be nil.
	Link func(key memory.Key, message string) string

	// ReadBack stores what was said at the top of a channel since a time (milliseconds UTC), as far as its platform shows
	// it. "" is the present channel, and in a direct message the busiest ones. It reads
	// only what the asker can see. May be nil.
	ReadBack func(ctx context.Context, channel string, since int64) (ReadBack, error)

	Chat      bool // people are in a chat, not at a terminal
	Once      bool // one question is asked on a command line
	Refused   bool // a file that came with the messages could not be read, and they are told so
	Overheard bool // it is not certain that the messages are addressed to us: silence is a reply
}

// ReadBack is how far a channel was read, the zero value if reading it is not allowed.
type ReadBack struct {
	Failed   bool   // nothing could be read
	From     int64  // how far back it reaches, in milliseconds UTC
	Messages int    // how many were read; if Cut, older ones were not
	Channels string // those that were read, if no channel was asked for
	Cut      bool
}

// Choices that are not one of the options.
const (
	ChoiceNone       = -1 // free text: the message itself is the answer
	ChoiceJustAnswer = -2 // "Just answer"
)

// Keys of the chain's inputs and outputs when it is run by chains.Call.
const (
	InputTurn   = "turn"  // Turn
	InputEmit   = "emit"  // func(Progress)
	OutputReply = "reply" // *Reply
)

// Progress is what a running turn lets people see. Text is append-only: a piece of
// the reply whose citations, numbers and links have been checked.
type Progress struct {
	Status string // "Reading report.pdf, page 34 of 150"; "" when Text is set
	Text   string
}

// Reply is the result of a turn.
type Reply struct {
	Text          string           // Markdown; citations as [1]
	Whole         string           // the whole answer, if it is too long to be shown; else ""
	Question      *memory.Question // set when the reply is a clarifying question
	Citations     []docs.Citation
	Rests         memory.Shown         // what it rests on besides its citations
	Understanding memory.Understanding // of the last message
	Ledger        memory.Ledger
	Checks        memory.Checks    // of its claims
	Unread        bool             // of a document that it rests on, or that nothing was found in, not all was read
	Partial       bool             // the model failed on the way; Retry may do better
	Err           error            // the cause, for the log and for what the person is told; nil if all went well
	Carried       []memory.Carried // what was said in other conversations, as shown to the model
	Silent        bool             // the overheard message is not for us: there is no answer, and none is stored
}

// Budget limits the tokens of one turn.
type Budget struct {
	Usual  int // what a question takes as a rule, beyond the system text and the history; 0 = 10,000
	Turn   int // hard cap beyond the system text and the history; 0 = 40,000
	Whole  int // what reading documents whole may take before people are asked; 0 = 150,000
	Window int // of the model; 0 = as model.LimitsOf says
}

// Chain is the langchaingo chain of a turn.
type Chain struct {
	Store   *memory.Store
	Index   *docs.Index
	Model   llms.Model            // nil: every step takes its deterministic form
	Name    string                // the model's name, for the ledger
	Models  map[string]llms.Model // others that a turn may be taken with, by name
	Budget  Budget
	Judge   llms.Model // settles the claims that could not be checked; nil: they stay marked
	Clarify Clarify
	Log     *slog.Logger
	Asking  *Asking // nil: turns do not wait for each other. Else the context of a turn must end once its answer is recorded

	JudgeName string            // of Judge
	Callbacks callbacks.Handler // see the turn, each call of the model and each search (see Trace); may be nil
}

// Compactor folds old messages into segments, beside the turns.
type Compactor struct {
	Store *memory.Store
	Model llms.Model // nil: extractive
	Name  string
	Log   *slog.Logger
}
