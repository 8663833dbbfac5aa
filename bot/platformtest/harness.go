// Package platformtest is the suite every platform must pass: Run drives a bot against
// the outside world that a Harness represents. World is such a world in memory, with
// every capability a platform may have; Chain is the scripted chain the suite runs. The
// package is for tests.
package platformtest

import (
	"context"
	"fmt"

	"threadkeeper/bot/platform"
)

// Harness is a platform's outside world as its users see it, and the adapter
// under test. Its methods may fail the test they were made for.
type Harness interface {
	// Platform is a new adapter to the world; the suite runs one at a time. A second
	// call is a restart of our program.
	Platform() platform.Platform
	Features() Features

	// Say is somebody saying something; it returns the message and the place where an answer
	// is expected (a mention may open a thread).
	Say(Said) (id string, at Place)
	Edit(at Place, id, text string)
	// Delete takes back a message, or with Features.Moderated a post of ours.
	Delete(at Place, id string)
	// Click presses the button with this label under a post, whether or not it is still
	// shown: an option, a button, a Feedback, or Page.
	Click(who string, at Place, p Post, label string)
	Command(who string, at Place, name, args string)
	Suggest(ctx context.Context, who string, at Place, command, option, prefix string) ([]platform.Choice, error)
	// Redeliver delivers every event so far again, under the same ids.
	Redeliver()
	// Posts are ours, oldest first, as somebody sees them in a place.
	Posts(at Place, who string) []Post
	// Break makes something go wrong, once.
	Break(Fault)
}

// People the suite knows something of. Everybody else is an ordinary member.
const (
	Admin = "Grace" // an administrator of the workspace
	Guest = "Gus"   // a guest of the workspace
)

// Page is the label by which Click presses the "Show page" button of citation n.
func Page(n int) string { return fmt.Sprintf("page %d", n) }

// Filer is a Harness whose files can be deleted on their own.
type Filer interface {
	// DeleteFile deletes a file of a message.
	DeleteFile(at Place, id, name string)
}

// Homer is a Harness with a page about us for each person.
type Homer interface {
	Home(ctx context.Context, who string) (platform.Home, error)
}

// Caller is a Harness whose people can edit what they said so that it mentions us.
type Caller interface {
	CallIn(at Place, id, text string)
}

// Titled is a Harness whose threads show a name.
type Titled interface {
	Title(at Place) string
}

// Chooser is a Harness whose messages have a menu.
type Chooser interface {
	// Choose picks an entry, by its English name. Where that opens a form, question is typed into it.
	Choose(who string, at Place, id, entry, question string)
}

// Joiner is a Harness that can add us to a channel.
type Joiner interface {
	Join(at Place)
}

// Warden is a Harness whose channels can be made private, and public again.
type Warden interface {
	// Restrict does that; with unseen no event tells of it.
	Restrict(at Place, private, unseen bool)
}

// Watched is a Harness that knows what we did which people may see: posts and changes of them, threads,
// signs that an answer is worked on.
type Watched interface {
	Traces() []string
}

// Sharer is a Harness whose channels can be shared with another workspace.
type Sharer interface {
	Share(at Place, shared bool)
}

// Features are what a platform has. The suite leaves out what it has not.
type Features struct {
	People    bool // several people, and channels beside direct messages
	Threads   bool // places are told apart
	Changes   bool // messages can be edited and deleted; with People the harness is a Caller
	Files     bool // messages can have files
	Ephemeral bool // Post.OnlyTo
	Clicks    bool // buttons
	Suggests  bool
	Backfill  bool // History
	Redeliver bool
	Faults    bool // Break
	Restarts  bool // Platform may be called again
	Joins     bool // the harness is a Joiner
	Tops      bool // a place without Thread is a channel, which may be a conversation itself
	Roles     bool // Admin
	Guests    bool // Guest
	External  bool // Place.External, and the harness is a Sharer
	Closes    bool // the harness is a Warden
	Moderated bool // posts of ours have ids like messages, and can be deleted by others
	Replaces  bool // BarEdit
	Pages     bool // Page
	Links     bool // Post.Links
	FileEvent bool // the harness is a Filer
	Homes     bool // the harness is a Homer
	Titles    bool // the harness is Titled
	Choices   bool // an option with Values is chosen, and not typed
	Asks      bool // platform.Limits.Asks, and the harness is a Chooser
	Flat      bool // direct messages have no threads
	Pastes    bool // a long text that is pasted becomes a file message.txt
}

// Place is where something is said. Thread is the id of the message it began on.
type Place struct {
	Channel string
	Thread  string
	DM      bool

	External  bool   // the channel is shared with another workspace
	Workspace string // of a World, "" for its first
}

// Said is one message of a person.
type Said struct {
	Who     string
	At      Place
	Text    string
	Mention bool // says our name
	ToOther bool // opens by mentioning somebody else
	Unseen  bool // said before we were there: no event is delivered
	Files   []File
	Program bool   // Who is a webhook
	Hidden  bool   // a World does not let us read it
	Answers string // the message of another person that it answers, and quotes, where the platform has that; no Slack does
}

// File is an attachment.
type File struct {
	Name string
	Data []byte
}

// Post is one of ours as it is shown.
type Post struct {
	ID       string
	Text     string
	Options  []string // labels of a question
	Buttons  []string // labels of other buttons
	File     string   // name of an uploaded file
	Data     string   // its content, on a Harness that keeps it
	Links    []string // of the documents cited
	OnlyTo   string   // the one person who sees it
	AnswerTo string   // id of the message that it is shown as a reply to
	Mentions int      // how many people or groups it would notify
}

// Fault is something that goes wrong with our next request.
type Fault string

const (
	FailPost  Fault = "fail post"  // refused: nothing was posted
	LosePost  Fault = "lose post"  // posted, but the answer is lost
	FailEdit  Fault = "fail edit"  // refused
	LockEdit  Fault = "lock edit"  // refused, of a World only: nothing may be changed for now
	LoseEdit  Fault = "lose edit"  // edited, but the answer is lost
	BarEdit   Fault = "bar edit"   // the post may be changed no more: another takes its place
	CutStream Fault = "cut stream" // the second append of the next stream fails
	LoseClose Fault = "lose close" // the next stream is closed, but the answer is lost
	FailOpen  Fault = "fail open"  // the file cannot be had
	BusyOpen  Fault = "busy open"  // not now
	FailPast  Fault = "fail past"  // History fails
	FailKinds Fault = "fail kinds" // the question who may read channels goes unanswered, a few times
	// FailMember is no fault of the suite, as Member need not be there.
	FailMember Fault = "fail member"
	// FailHome is one of a page about us.
	FailHome Fault = "fail home"
)
