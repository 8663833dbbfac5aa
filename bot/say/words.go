// Package say holds every word the bot itself says to people, in every language: sentences,
// buttons, the descriptions of commands, and errors in words. A language is one struct of
// sentences; a test finds what one lacks. What people say is read elsewhere.
package say

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// Words are what the bot itself says in one language. Verbs of fmt stand for what the
// field's comment names, in that order; a language with another order numbers them
// (%[2]s). Numbers are %s: they come as the language writes them. What stands in
// backticks is typed, and the same in every language. Nothing mentions anybody.
type Words struct {
	Code     string          // of the language, as Outgoing.Language has it
	Thousand string          // stands between groups of three digits
	Form     func(n int) int // which of its Forms a number takes
	Moment   string          // date, time of day

	Labels

	// Buttons and questions.
	Retry                     string
	SomethingElse, JustAnswer string
	TypeIt, NotYours, Closed  string
	InWords                   string

	// The first words in a place.
	Welcome, Notice, NoticeDM string
	NoContent                 string // where only what mentions us is told
	Greeting                  string
	Known                     Forms  // messages
	KnownDocuments            string // names

	// While a turn runs, and how it ends.
	Reading, ReadingPage  string // file; file, page, pages
	ReadingThread         string
	Stopped, Erased       string
	StartingAgain         string // while an answer is begun again
	Idle, Stopping        string
	StoppingAll           Forms // messages that wait
	NothingFailed, Again  string
	OnlyAsker, Done       string
	Thanks, WhyUnhelpful  string
	Reasons               map[string]string // why an answer was unhelpful, by platform.Reason
	CannotPost            map[string]string // by platform where we may not write: link to the question
	Locked                string            // link to a post that cannot be erased yet
	ErasedPost, ErasedWas string            // in place of our post; of a message in a list
	Withdrawn             string            // in place of an answer that was not posted yet

	// Commands.
	Summaries            map[string]string // by name, and "name OPTION"
	Help, HelpMention    string
	HelpSlash, HelpTyped string // example
	DidYouMean, HelpHas  string // command
	ThereAre             string // commands
	Incomplete           string // usage
	NotThere             string // and what may not be seen

	// Conversations and what is kept of them.
	Threads, NoThreads        string
	OneThread, OneThreadDM    string            // command
	OneThreadSlash            string            // command
	ForgetAll                 string            // command
	Context                   string            // tokens, threshold, bar
	Tokens                    string            // of system, snapshot, window, documents, headroom
	Messages                  string            // verbatim, compacted, interactions
	Interactions              Forms             // interactions
	Compactions, NoCompaction string            // number
	Compaction                string            // date, first and last message, tokens before, tokens after, how
	NextFold                  string            // tokens
	FoldReasons               map[string]string // by memory.Compaction.Reason
	FactKinds                 map[string]string // headings, by memory.FactKind; and of the narrative, and of what is held back
	NoFacts, NotRemembered    string
	LineElsewhere             string
	ProfileOn, ProfileOff     string
	ProfileUsed               string // from where and what; the command
	NoLine                    string // command
	Pinned, Unpinned          string
	Remembered, Corrected     string
	RememberedForChannel      string
	Folding, NothingToFold    string
	Undone, NothingToUndo     string // date
	LeastThreshold            string // tokens
	ByModel, Extractive       string
	Documents                 string // number
	NotSummarised             string
	Older                     Forms  // messages, command
	Verbatim, Segment         string // segment: number
	Me, Somebody              string
	NothingFound              string
	NothingToForget           string
	Forgotten                 Forms // messages
	Forget, ForgetEverywhere  Forms // messages, date: what would be erased here, in every conversation here
	ForgetFiles               Forms // files
	ForgetMore                string
	Erase, Keep               string // buttons
	Kept                      string
	ForgetLate                string // command
	ForgetList                string // command
	ForgetNone                string
	ForgetNoNumber            string // command
	Exported                  string

	// How a message was read.
	NothingRead        string
	Ambiguous, Clear   string            // what decided
	DecidedBy          map[string]string // by memory.Understanding.Method
	ReadAs, Possible   string            // text
	AskedBack, Because string            // text
	Checked            string            // statements that are verified, unchecked, left out
	LeftOut            string            // statement, why

	// Documents.
	Pages                     Forms  // pages
	PartlyRead                string // pages read, pages
	SharedHere, InUse         string
	BeingRead, APicture       string
	FailedFor                 string // why, of a Flaw
	NoDocuments               string
	NoDocumentYet             string
	InThreads                 string
	NoNumber                  string // number, command
	NoName, SeveralNames      string // command
	UsesAll                   string
	UsesOnly                  string // names, command
	TryLater                  string // document
	Removed, Shared           string // document
	MayNotRemove, MayNotShare string // document
	PageNumber                string // example of a citation, of a page
	NoneCited                 string
	NoCitation                string // number
	Above, PageGone           string
	WholeAnswer               string // with the file of an answer that was too long to be shown
	NoPicture                 string

	// Settings.
	NoSettings, AdminsOnly string
	OneOf                  string // values
	NoInstructions         string
	NoModels               string
	LongInstructions       string            // characters
	Policies               map[string]string // what "follow thread" and the like mean

	// Who may use it, how often, and what it may cost.
	NotAllowed                  string
	WrongList                   string // the word for no list, entries at most
	LockedOut, Everyone, Nobody string
	OwnLists                    string
	TooMany                     string            // duration
	StillBusy                   string            // while too many messages of one person wait
	OverBudget                  map[string]string // by whose budget is spent: time of day in UTC, duration
	BudgetLow                   map[string]string // likewise: percent, time of day in UTC
	UsageSpent                  string            // what it is the spending of, tokens, calls
	UsageToday                  string
	UsageMonth                  string
	UsageYours                  string
	UsageBy                     map[string]string // headings
	UsageNone                   string
	ListenOff                   string // where only mentions are answered from now on
	ListenOn                    string
	ListenButton                string
	ListenThread                string // there is no thread

	// Errors.
	Failed, GaveUp               string
	Auth, Quota, RateLimit       string
	RateLimitAt                  string // duration
	WaitLimited, WaitDown        string // duration; a call of the model is made again after it
	Overloaded, Timeout          string
	Unreachable, BadRequest      string
	TooLong, Refused, Garbage    string
	Truncated, NoModel           string
	ADocument                    string // stands for a name
	NotRead                      string // file, and the two parts of a Flaw
	Encrypted, Damaged, NotPDF   Flaw
	Scanned, Empty, TooLarge     Flaw
	TooManyPages, SlowFile       Flaw
	Unsupported, GoneFile        Flaw
	OtherPicture                 Flaw
	NoEngine, Barred, Unreadable Flaw
}

// Forms are a phrase about a number of things, as the language's form tells them apart;
// %s is the number. English has two: for one, and for all others.
type Forms []string

// Flaw is why a file was not read, and what to do.
type Flaw struct{ Why, Then string }

// oneIsOne tells 1 from all other numbers.
func oneIsOne(n int) int {
	if n == 1 {
		return 0
	}
	return 1
}

// underTwo tells 0 and 1 from all other numbers.
func underTwo(n int) int {
	if n < 2 {
		return 0
	}
	return 1
}

var wordings = map[string]*Words{"en": english, "de": german, "fr": french, "es": spanish}

// All are those of every language we have words in.
func All() []*Words { return slices.Collect(maps.Values(wordings)) }

// Languages are those we have words in.
func Languages() []string { return slices.Sorted(maps.Keys(wordings)) }

// In is those of a language ("de") or locale ("de-AT"), English for one we have no
// words in.
func In(language string) *Words {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	if w := wordings[code]; w != nil {
		return w
	}
	return english
}

// Count is a phrase about a number of things, followed by what else its verbs stand for.
func (w *Words) Count(f Forms, n int, more ...any) string {
	return fmt.Sprintf(f[w.Form(n)], append([]any{w.Number(n)}, more...)...)
}

// Number is a whole number as the language writes it: 10,000.
func (w *Words) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.Thousand + s[i:]
	}
	return s
}

// Gauge is the one-line picture of how full a context is.
func (w *Words) Gauge(context, threshold int) string {
	const cells = 6
	full := 0
	if threshold > 0 {
		full = min(cells, (context*cells+threshold-1)/threshold)
	}
	return fmt.Sprintf(w.Context, w.Number(context), w.Number(threshold), strings.Repeat("▓", full)+strings.Repeat("░", cells-full))
}

// Spoken are the words in the language of a text, nil if it shows none that we have
// words in.
func Spoken(text string) *Words { return wordings[reading.Language(text)] }

// For is the words for somebody: in the language of the first text that shows one,
// else in that of a locale.
func For(locale string, texts ...string) *Words {
	for _, text := range texts {
		if w := Spoken(text); w != nil {
			return w
		}
	}
	return In(locale)
}
