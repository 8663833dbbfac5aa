// Package say holds every word the bot itself says to people, in every language: sentences,
// buttons, the descriptions of commands, and errors in words. A language is one struct of
// sentences; a test finds what is missing. People's own words are parsed elsewhere.
package say

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// Words are the bot's own words in one language. The verbs of fmt stand for the things named
// in the field's comment, in that order; a language with another order numbers them
// (%[2]s). Numbers are %s: they arrive formatted for the language. Text in
// backticks is typed by people, and the same in every language. Nothing mentions anybody.
type Words struct {
	Code     string          // of the language, as Outgoing.Language has it
	Thousand string          // stands between groups of three digits
	Form     func(n int) int // which of its Forms a number takes
	Moment   string          // date, time of day

	// What a platform writes itself.
	ShowPage     string // number of the page
	Stop         string // ends the running turn
	Thinking     string // our status, behind our name, until there is a better one
	Helpful      string // what the thumbs mean, for those who do not see them
	Unhelpful    string
	Direct       string // name of a file that was sent as a direct message
	NoFiles      string // name of a file where none may be posted
	Saved        string // where a file was saved
	PostTooLarge string // name, size and limit in MiB of a file that is not posted
	YesOrNo      string // follows a terminal's question; y stands for yes in every language
	Unasked      string // the command that acts without asking; nothing was done yet
	Untitled     string // names a conversation that begins without words

	// Buttons and questions.
	Retry                     string
	SomethingElse, JustAnswer string
	TypeIt, NotYours, Closed  string
	InWords                   string

	// The first words in a place.
	Welcome, Notice, NoticeDM string
	NoContent                 string // where the platform delivers only messages that mention us
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
	Report                ReportWords
	CannotPost            map[string]string // by platform, without permission to post: link to the question
	Locked                string            // link to a post that cannot be erased yet
	ErasedPost, ErasedWas string            // in place of our post; of a message in a list
	Withdrawn             string            // in place of an answer that was not posted yet

	// Commands.
	Summaries            map[string]string // by name, and "name OPTION" or OPTION
	Shown                map[string]string // how a form shows the names of options, and the values to choose from
	Help, HelpMention    string
	HelpSlash, HelpTyped string // example
	NewBegun             string // command that searches
	NewLine              string // stands for all to see where a conversation began
	NewBusy              string // command that stops
	NewElsewhere         string
	NothingSince         string // command that searches
	DidYouMean, HelpHas  string // command
	ThereAre             string // commands
	Incomplete           string // usage
	NotThere             string // or the asker has no access

	// Conversations and the memory of them.
	Threads, NoThreads        string
	OneThread, OneThreadDM    string // command
	OneThreadSlash            string // command
	OrChoose                  string // by a button
	ForgetAll                 string // command
	Context                   string // percent, bar
	Verbatim, VerbatimHeading string // number of messages; above them
	Summarised                string // number of messages, after Verbatim
	SummarisedHeading         string
	InNumbers                 string            // tokens of the context, and of the threshold
	Tokens                    string            // of system, snapshot, window, documents, headroom
	Interactions              Forms             // interactions
	Compactions               string            // number
	Compaction                string            // date, first and last message, tokens before, tokens after, how
	NextFold                  string            // tokens
	FoldReasons               map[string]string // by memory.Compaction.Reason
	FactKinds                 map[string]string // headings, by memory.FactKind; and of the narrative, and of what is held back
	NoFacts, NotRemembered    string
	NoteForgotten             string // of an edited message that held it
	LineElsewhere             string
	LineOfOthers              string // command that remembers
	LineHeldBack              string
	ProfileOn, ProfileOff     string
	ProfileUsed, KeptUsed     string // from where and what; the command
	NoLine                    string // command
	Pinned, Unpinned          string
	Remembered, Corrected     string
	RememberedForChannel      string
	Folding, NothingToFold    string
	Undone, NothingToUndo     string // date
	Forked                    string // the command that goes there
	ForkOpened, NoFork        string
	ForkPost                  string // link to a conversation, "" for none: opens a thread
	ForkHere                  string // in it
	LeastThreshold            string // tokens
	ByModel, Extractive       string
	Documents                 string // number
	NotSummarised             string
	Older                     Forms // messages, command
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
	Judged             string            // how many of them
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
	NoPage                    string // name, pages
	Above, PageGone           string
	WholeAnswer               string // with the file of an answer that was too long to show
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
	WrongBots                   string // the word for no list
	LockedOut, Everyone, Nobody string
	OwnLists                    string
	TooMany                     string            // duration
	StillBusy                   string            // while too many messages of one person wait
	OverBudget                  map[string]string // by whose budget is spent: time of day in UTC, duration
	BudgetLow                   map[string]string // likewise: percent, time of day in UTC
	UsageSpent                  string            // what it is the spending of, tokens, Calls
	Calls                       Forms             // of a model
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
	CommandFailed                string
	Auth, Quota, RateLimit       string
	RateLimitAt                  string // duration
	WaitLimited, WaitDown        string // duration until a model call is repeated
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
	UnreachedFile                Flaw
	OtherPicture                 Flaw
	NoEngine, Barred, Unreadable Flaw
}

// Forms are a phrase about a number of things, as the language's form tells them apart;
// %s is the number. English has two: for one, and for all others.
type Forms []string

// ReportWords are those of the owner's report.
type ReportWords struct {
	Week, Since           string // a date
	Unanswered, Unhelpful string
	Helpful               string // number
	Documents, None       string
	Spent                 string // Calls, tokens
	Listed                string // command
	Erased                string // in place of a question
	Times, More           string // numbers: of 2 at least; of questions, some not shown because of where they were asked
}

// Flaw is why a file was not read, and what to do.
type Flaw struct{ Why, Then string }

// oneIsOne distinguishes 1 from all other numbers.
func oneIsOne(n int) int {
	if n == 1 {
		return 0
	}
	return 1
}

// underTwo distinguishes 0 and 1 from all other numbers.
func underTwo(n int) int {
	if n < 2 {
		return 0
	}
	return 1
}

var wordings = map[string]*Words{"en": english, "de": german, "fr": french, "es": spanish}

// All returns the words of every language we have.
func All() []*Words { return slices.Collect(maps.Values(wordings)) }

// Languages returns the codes of the languages we have words in, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(wordings)) }

// In returns the words of a language ("de") or locale ("de-AT"), English if we have none
// in it.
func In(language string) *Words {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	if w := wordings[code]; w != nil {
		return w
	}
	return english
}

// Count formats a phrase about a number of things; more are the values of its other verbs.
func (w *Words) Count(f Forms, n int, more ...any) string {
	return fmt.Sprintf(f[w.Form(n)], append([]any{w.Number(n)}, more...)...)
}

// Number formats a whole number as the language writes it: 10,000.
func (w *Words) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.Thousand + s[i:]
	}
	return s
}

// Gauge draws how full a context is, on one line.
func (w *Words) Gauge(context, threshold int) string {
	const cells = 6
	full, percent := 0, 0
	if threshold > 0 {
		full, percent = min(cells, (context*cells+threshold-1)/threshold), (context*100+threshold/2)/threshold
	}
	return fmt.Sprintf(w.Context, percent, strings.Repeat("▓", full)+strings.Repeat("░", cells-full))
}

// Spoken returns the words in the language of a text, nil if it cannot be detected or we have
// no words in it.
func Spoken(text string) *Words {
	if l := reading.ScriptLanguage(text); l != "" {
		return In(l)
	}
	return wordings[reading.Language(text)]
}

// Beside are the labels of the two buttons under the options of a question.
type Beside struct{ SomethingElse, JustAnswer string }

// besides are those in languages that we have no other words in.
var besides = map[string]Beside{
	"ja": {"その他", "そのまま回答"}, "zh": {"其他", "直接回答"}, "ko": {"기타", "바로 답변"}, "ru": {"Другое", "Просто ответь"},
	"ar": {"شيء آخر", "أجب مباشرة"}, "he": {"משהו אחר", "פשוט תענה"}, "el": {"Κάτι άλλο", "Απλώς απάντησε"}, "hi": {"कुछ और", "बस जवाब दें"},
	"th": {"อย่างอื่น", "ตอบเลย"}, "it": {"Altro", "Rispondi e basta"}, "pt": {"Outra coisa", "Responda assim mesmo"}, "nl": {"Iets anders", "Gewoon antwoorden"},
}

// Beside returns the labels under a question: in its language, else in that of the words.
func (w *Words) Beside(question string) Beside {
	l := reading.ScriptLanguage(question)
	if l == "" {
		l = reading.Language(question)
	}
	if b, ok := besides[l]; ok {
		return b
	}
	if own := wordings[l]; own != nil {
		w = own
	}
	return Beside{w.SomethingElse, w.JustAnswer}
}

// AllBeside returns the labels in every language.
func AllBeside() []Beside {
	all := slices.Collect(maps.Values(besides))
	for _, w := range wordings {
		all = append(all, Beside{w.SomethingElse, w.JustAnswer})
	}
	return all
}

// For returns the words for a person: in the language of the first text that shows one,
// else in that of the locale.
func For(locale string, texts ...string) *Words {
	for _, text := range texts {
		if w := Spoken(text); w != nil {
			return w
		}
	}
	return In(locale)
}
