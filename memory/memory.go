// Package memory is the store: everything Threadkeeper keeps, in SQLite through
// bun. It owns every table (see migrations) and the full-text index over
// messages; package docs writes the document tables through the same Store.
//
// Three types share the database: Store is the memory, Store.Queue the pending work
// (methods Inbox… and Outbox… work on the rows of these tables), Store.Views the
// lists people see.
//
// Compaction never changes or deletes messages. The model sees a view computed
// from messages, the session's watermark and the newest
// snapshot. Only an edit and Erase rewrite a message.
//
// An exported method is one transaction; unexported helpers take a
// bun.IDB. Rows are ordered by integer key, never by time. Times are
// milliseconds since 1970 UTC.
package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // the zones people are in, where the system has none: the image has no files but the program

	"github.com/uptrace/bun"
)

// ErrNotFound reports that a row asked for by id or key does not exist or may
// not be seen by the audience that asked.
var ErrNotFound = errors.New("not found")

// ErrFenced reports that a lease was lost: another worker has claimed the
// session since. The result of the work must be dropped.
var ErrFenced = errors.New("lease lost")

// Key names a conversation. Thread is empty for the channel itself.
type Key struct {
	Platform  string `bun:"platform" json:"platform"`
	Workspace string `bun:"workspace" json:"workspace"`
	Channel   string `bun:"channel" json:"channel"`
	Thread    string `bun:"thread" json:"thread"`
}

// ChannelKind says who can read a channel.
type ChannelKind string

const (
	DM      ChannelKind = "dm"      // a fixed set of people
	Private ChannelKind = "private" // members only
	Public  ChannelKind = "public"  // everybody in the workspace
)

// Channel is a place on a platform. External channels are shared with another
// workspace: what is said elsewhere is never shown there. Kind and External of an
// Unchecked channel are the last that is known, and not certain: it sees and is seen by
// itself only. Epoch grows whenever who may read it is doubted, or changes.
type Channel struct {
	bun.BaseModel `bun:"table:channels,alias:c"`
	ID            int64 `bun:",pk,autoincrement"`
	Platform      string
	Workspace     string
	Channel       string
	Name          string
	Kind          ChannelKind
	External      bool
	Unchecked     bool
	WasPublic     bool `json:"-"` // now or before: its messages may have been shown elsewhere
	Epoch         int64
	UpdatedAt     int64
	Stale         bool `json:"-"` // a backup was put in place, and the platform was not asked since; see Store.Stale
	Unheard       bool `json:"-"` // we were out of it, and the platform was not asked since; see Store.Stale
}

// PersonKind tells humans from programs and from visitors.
type PersonKind string

const (
	Human PersonKind = "human"
	Bot   PersonKind = "bot"
	Guest PersonKind = "guest"
	// Unknown is never stored: the platform did not tell. Somebody we know stays what
	// they were, others are guests until it says so.
	Unknown PersonKind = "unknown"
)

// Person is somebody who speaks on a platform. TimeZone is an IANA name or "".
type Person struct {
	bun.BaseModel `bun:"table:people,alias:p"`
	ID            int64 `bun:",pk,autoincrement"`
	Platform      string
	Workspace     string
	PlatformID    string
	Name          string
	Kind          PersonKind
	Admin         bool
	TimeZone      string
	CreatedAt     int64
}

// Session is the stored record of one conversation. Watermark is the id of the
// last message folded into a segment, 0 before the first compaction.
type Session struct {
	bun.BaseModel `bun:"table:sessions,alias:s"`
	ID            int64 `bun:",pk,autoincrement"`
	ChannelID     int64
	Key
	Title        string
	Watermark    int64
	Threshold    int // tokens beyond which it is folded, 0 for its channel's or the program's
	FoldAfter    int // tokens below which no fold is due, after one was undone
	BackfilledAt int64
	Joined       bool  // we were asked for an answer here
	ParentID     int64 // the session it continues, 0 for none
	ParentUpto   int64 // the last message of that which is its past
	Seq          int64
	Pending      int64
	ReadyAt      int64
	LeaseOwner   string
	LeaseEpoch   int64
	CreatedAt    int64
	UpdatedAt    int64
}

// InteractionState is the life of one user request.
type InteractionState string

const (
	InteractionOpen      InteractionState = "open"
	InteractionClosed    InteractionState = "closed"
	InteractionFailed    InteractionState = "failed"
	InteractionCancelled InteractionState = "cancelled"
)

// Interaction is one user request and all until it is answered.
type Interaction struct {
	bun.BaseModel `bun:"table:interactions,alias:i"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	PersonID      int64
	State         InteractionState
	CreatedAt     int64
	ClosedAt      int64
	AnsweredWith  int64 // the interaction whose answer stood for this one too, 0 if it had its own
}

// Role says who speaks in a message.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one utterance. Tokens counts role and text as the prompt does (see
// CountMessage). Terms is rank.Terms of author, date and text, space-joined: what the
// full-text index holds. ReplyTo of an assistant message is the id of the last
// user message it answers. An erased message keeps id, author and time only.
type Message struct {
	bun.BaseModel `bun:"table:messages,alias:m"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	ChannelID     int64
	InteractionID int64
	PersonID      int64
	Role          Role
	Author        string
	Text          string
	Terms         string
	Tokens        int
	Rev           int64
	PlatformID    string
	ReplyTo       int64
	At            int64
	ErasedAt      int64
	ErasedBy      int64
}

// Revision is an earlier text of an edited message: its number, and the SHA-256 of the text, in
// hexadecimal, "" for a revision from before it was stored. The text itself is erased.
type Revision struct {
	bun.BaseModel `bun:"table:revisions,alias:r"`
	ID            int64 `bun:",pk,autoincrement"`
	MessageID     int64
	Rev           int64
	Text          string // ""
	Hash          string
	At            int64
}

// FileState is the life of an attachment.
type FileState string

const (
	FileWaiting FileState = "waiting"
	FileRead    FileState = "read"
	FileFailed  FileState = "failed"
)

// File is an attachment of a message. Locator is what the platform needs to
// open it (a path, a URL); Link is where people open it, "" if nowhere; DocumentID
// is set once it was read.
type File struct {
	bun.BaseModel `bun:"table:files,alias:f" json:"-"`
	ID            int64     `bun:",pk,autoincrement" json:"-"`
	SessionID     int64     `json:"-"`
	MessageID     int64     `json:"-"`
	PlatformID    string    `json:"id"`
	Name          string    `json:"name"`
	Media         string    `json:"media,omitempty"`
	Size          int64     `json:"size,omitempty"`
	Locator       string    `json:"locator,omitempty"`
	Link          string    `json:"link,omitempty"`
	DocumentID    int64     `json:"-"`
	State         FileState `json:"-"`
	Reason        string    `json:"-"` // why it failed, or would have if somebody had asked about it
}

// Understanding is how a user message was read. Method names what decided:
// "rule", "model", "answer" (a clarifying question was answered) or "fallback".
type Understanding struct {
	IsAmbiguous             bool     `json:"is_ambiguous"`
	RewrittenQuery          string   `json:"rewritten_query"`
	PossibleInterpretations []string `json:"possible_interpretations"`
	ClarifyingQuestions     []string `json:"clarifying_questions"`
	Method                  string   `json:"method"`
	Reason                  string   `json:"reason,omitempty"` // one sentence for /why
	Checks                  *Checks  `json:"checks,omitempty"` // of the answer; nil if it claimed nothing that could be checked
}

// Checks says what became of the claims of an answer.
type Checks struct {
	Verified  int       `json:"verified"`
	Unchecked int       `json:"unchecked"`
	LeftOut   []LeftOut `json:"left_out"`
	Judged    int       `json:"judged,omitempty"` // of these, as many were settled by the judge
}

// LeftOut is a statement of the model that is not shown, and why.
type LeftOut struct {
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// Ledger is the bookkeeping of one turn. Tokens are the provider's own figures
// where it reports them, else counted. Millis is wall time without delivery.
type Ledger struct {
	ModelCalls       int    `json:"model_calls"`
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	CachedTokens     int    `json:"cached_tokens,omitempty"`
	SystemTokens     int    `json:"system_tokens,omitempty"`   // of the largest prompt: instructions
	DocumentTokens   int    `json:"document_tokens,omitempty"` // of the largest prompt: passages and findings
	Verified         int    `json:"verified,omitempty"`        // claims of the answer, by outcome
	Unchecked        int    `json:"unchecked,omitempty"`
	LeftOut          int    `json:"left_out,omitempty"`
	NotFound         bool   `json:"not_found,omitempty"` // nothing was found that answers the request
	Route            string `json:"route"`
	Model            string `json:"model,omitempty"`
	Millis           int64  `json:"millis"`
	Answers          string `json:"answers,omitempty"` // a hash of the request and the documents, "" where the same request may have another answer
}

// Document is a file somebody posted, in the place they posted it. ContentID is
// 0 until its bytes were stored. Reason says why State is DocumentFailed, or what
// of a ready document was left out.
type Document struct {
	bun.BaseModel `bun:"table:documents,alias:d"`
	ID            int64 `bun:",pk,autoincrement"`
	ContentID     int64
	SessionID     int64
	ChannelID     int64
	MessageID     int64
	PersonID      int64
	Name          string
	NameTerms     string
	Picture       bool // it has no pages, and no text to search
	State         DocumentState
	Reason        string
	Shared        bool // visible in its whole channel, not only in its session
	CreatedAt     int64
	RemovedAt     int64
}

// DocumentState is the life of a document.
type DocumentState string

const (
	DocumentReading DocumentState = "reading"
	DocumentReady   DocumentState = "ready"
	DocumentFailed  DocumentState = "failed"
)

// Citation is one checked reference of an answer: the quote stands verbatim on
// the page. N is the number in the answer's text, Page is 1-based. In a file without pages it counts parts; Place then says
// where the quote is: "rows 12–14", "Costs, A4:C4", "lines 40–52", "slide 3", “Notice periods” (a heading). See
// docs.PlaceWords.
type Citation struct {
	bun.BaseModel `bun:"table:citations,alias:ci" json:"-"`
	ID            int64  `bun:",pk,autoincrement" json:"-"`
	MessageID     int64  `json:"-"`
	N             int    `json:"n"`
	Letter        string `json:"letter,omitempty"` // of the document in a comparison: "A" for the first; "" elsewhere
	DocumentID    int64  `json:"-"`
	Document      string `bun:",scanonly" json:"document"`       // the document's name
	Link          string `bun:",scanonly" json:"link,omitempty"` // where people open the document, "" if nowhere
	Page          int    `json:"page"`
	Place         string `json:"place,omitempty"` // "" for a page
	Quote         string `json:"quote"`
}

// QuestionState is the life of a clarifying question.
type QuestionState string

const (
	QuestionOpen      QuestionState = "open"
	QuestionAnswered  QuestionState = "answered"
	QuestionCancelled QuestionState = "cancelled" // the person went on with something else
)

// Option is one choice of a clarifying question. Query is the consolidated
// request that choosing it stands for.
type Option struct {
	Label string `json:"label"`
	Query string `json:"query"`
}

// Question is a clarifying question. MessageID is the ambiguous user message.
// Token is opaque: it is what a button carries.
type Question struct {
	bun.BaseModel `bun:"table:questions,alias:q"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	InteractionID int64
	MessageID     int64
	PersonID      int64
	Token         string
	Text          string
	Options       []Option `bun:"type:text"`
	State         QuestionState
	Answer        string
	CreatedAt     int64
	AnsweredAt    int64
	AskedID       int64 // our message that asks it
}

// SegmentMethod says how a segment's narrative was made.
type SegmentMethod string

const (
	ByModel    SegmentMethod = "model"
	Extractive SegmentMethod = "extractive"
)

// Segment is a frozen narrative of the messages FromID to ToID of its session,
// both included; segments of a session follow one another without a gap. A
// Stale segment is to be made again from its messages.
type Segment struct {
	bun.BaseModel `bun:"table:segments,alias:sg"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	FromID        int64
	ToID          int64
	Messages      int
	Narrative     string
	Tokens        int
	SourceHash    string
	Method        SegmentMethod
	Model         string
	PromptVersion string
	Stale         bool
	CreatedAt     int64
}

// FactKind is the heading a fact stands under in the snapshot.
type FactKind string

const (
	Preference   FactKind = "preference"
	Constraint   FactKind = "constraint"
	KeyFact      FactKind = "key_fact"
	Decision     FactKind = "decision"
	OpenQuestion FactKind = "open_question"
	Todo         FactKind = "todo"
	Said         FactKind = "said" // of no fact; see Fact.Heading
)

// FactState is whether a fact is rendered.
type FactState string

const (
	FactActive      FactState = "active"
	FactSuperseded  FactState = "superseded"
	FactClosed      FactState = "closed"
	FactQuarantined FactState = "quarantined"
)

// Fact is one structured line with its sources. PersonID is who said it.
type Fact struct {
	bun.BaseModel `bun:"table:facts,alias:fa"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	ChannelID     int64
	SegmentID     int64
	PersonID      int64
	Kind          FactKind
	Subject       string
	Slot          string // the stems of SlotName
	SlotName      string // what attribute it is about, as written
	Text          string
	State         FactState
	Origin        string // stated | said | assistant | found | remembered | corrected
	AssertedAt    int64
	ValidTo       int64 // until when it holds, 0 for ever
	SupersededBy  int64
	RecordedAt    int64
	Pinned        bool // by a person: shown first, kept when its segment is rebuilt
	ForChannel    bool // remembered for all conversations of its channel
	Weight        int  // how informative it is; the snapshot takes the heaviest

	Zone *time.Location `bun:"-" json:"-"` // its author's, where the fact is rendered; nil for UTC
}

// FactSource is the verbatim quote a fact rests on.
type FactSource struct {
	bun.BaseModel `bun:"table:fact_sources,alias:fs"`
	FactID        int64 `bun:",pk"`
	MessageID     int64 `bun:",pk"`
	Rev           int64
	Quote         string
}

// Snapshot is the rendered summary of everything up to its watermark.
type Snapshot struct {
	bun.BaseModel `bun:"table:snapshots,alias:sn"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	Version       int64
	Watermark     int64
	JSON          string `bun:"json"`
	Rendered      string
	Tokens        int
	CreatedAt     int64
}

// missing turns "no rows" into ErrNotFound.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// orNone turns "no rows" and ErrNotFound into no error.
func orNone(err error) error {
	if missing(err) == ErrNotFound {
		return nil
	}
	return err
}

// first returns the first row of a table that fulfils a condition, or ErrNotFound.
func first[T any](ctx context.Context, db bun.IDB, condition string, args ...any) (*T, error) {
	row := new(T)
	err := db.NewSelect().Model(row).Where(condition, args...).Limit(1).Scan(ctx)
	return row, missing(err)
}

// affects reports whether a statement has changed a row.
func affects(res sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// wrap adds to an error what was attempted; nil stays nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("memory: %s: %w", what, err)
}
