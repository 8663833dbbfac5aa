package bot

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/agent"
)

// wording is what the bot itself says in one language. Verbs of fmt stand for what the
// field's comment names, in that order; a language with another order numbers them
// (%[2]s). Numbers are %s: they come as the language writes them. What stands in
// backticks is typed, and the same in every language. Nothing mentions anybody.
type wording struct {
	code     string          // of the language, as Outgoing.Language has it
	thousand string          // stands between groups of three digits
	form     func(n int) int // which of its forms a number takes
	moment   string          // date, time of day

	Labels

	// Buttons and questions.
	retry                     string
	somethingElse, justAnswer string
	typeIt, notYours, closed  string
	inWords                   string

	// The first words in a place.
	welcome, notice, noticeDM string
	deaf                      string // where only what mentions us is told
	greeting                  string
	known                     forms  // messages
	knownDocuments            string // names

	// While a turn runs, and how it ends.
	reading, readingPage  string // file; file, page, pages
	readingThread         string
	stopped, erased       string
	idle, stopping        string
	stoppingAll           forms // messages that wait
	nothingFailed, again  string
	onlyAsker, done       string
	thanks                string
	muted                 map[string]string // by platform where we may not write: link to the question
	locked                string            // link to a post that cannot be erased yet
	erasedPost, erasedWas string            // in place of our post; of a message in a list

	// Commands.
	summaries            map[string]string // by name, and "name OPTION"
	help, helpMention    string
	helpSlash, helpTyped string // example
	didYouMean, helpHas  string // command
	thereAre             string // commands
	incomplete           string // usage
	notThere             string // and what may not be seen

	// Conversations and what is kept of them.
	threads, noThreads        string
	oneThread, oneThreadDM    string // command
	oneThreadSlash            string // command
	forgetAll                 string // command
	context                   string // tokens, threshold, bar
	tokens                    string // of system, snapshot, window, documents, headroom
	messages                  string // verbatim, compacted, interactions
	interactions              forms  // interactions
	compactions, noCompaction string // number
	compaction                string // date, tokens before, tokens after, how
	byModel, extractive       string
	documents                 string // number
	notSummarised             string
	older                     forms  // messages, command
	verbatim, segment         string // segment: number
	me, somebody              string
	nothingFound              string
	nothingToForget           string
	forgotten                 forms // messages
	exported                  string

	// How a message was read.
	nothingRead        string
	ambiguous, clear   string            // what decided
	decidedBy          map[string]string // by memory.Understanding.Method
	readAs, possible   string            // text
	askedBack, because string            // text

	// Documents.
	pages                     forms // pages
	sharedHere, inUse         string
	beingRead                 string
	failedFor                 string // why, of a flaw
	noDocuments               string
	noDocumentYet             string
	inThreads                 string
	noNumber                  string // number, command
	noName, severalNames      string // command
	usesAll                   string
	usesOnly                  string // names, command
	tryLater                  string // document
	removed, shared           string // document
	mayNotRemove, mayNotShare string // document
	pageNumber                string // example
	noneCited                 string
	noCitation                string // number
	above, pageGone           string
	noPicture                 string

	// Settings.
	noSettings, adminsOnly string
	oneOf                  string            // values
	policies               map[string]string // what "follow thread" and the like mean

	// Errors.
	failed, gaveUp               string
	auth, quota, rateLimit       string
	rateLimitAt                  string // duration
	overloaded, timeout          string
	unreachable, badRequest      string
	tooLong, refused, garbage    string
	truncated, noModel           string
	aDocument                    string // stands for a name
	notRead                      string // file, and the two parts of a flaw
	encrypted, damaged, notPDF   flaw
	scanned, empty, tooLarge     flaw
	tooManyPages, slowFile       flaw
	unsupported, goneFile        flaw
	noEngine, barred, unreadable flaw
}

// forms are a phrase about a number of things, as the language's form tells them apart;
// %s is the number. English has two: for one, and for all others.
type forms []string

// flaw is why a file was not read, and what to do.
type flaw struct{ why, then string }

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

var wordings = map[string]*wording{"en": english, "de": german, "fr": french, "es": spanish}

// allWords are those of every language we have words in.
func allWords() []*wording { return slices.Collect(maps.Values(wordings)) }

// Languages are those we have words in.
func Languages() []string { return slices.Sorted(maps.Keys(wordings)) }

// words are those of a language ("de") or locale ("de-AT"), English for one we have no
// words in.
func words(language string) *wording {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	if w := wordings[code]; w != nil {
		return w
	}
	return english
}

// count is a phrase about a number of things, followed by what else its verbs stand for.
func (w *wording) count(f forms, n int, more ...any) string {
	return fmt.Sprintf(f[w.form(n)], append([]any{w.number(n)}, more...)...)
}

// number is a whole number as the language writes it: 10,000.
func (w *wording) number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.thousand + s[i:]
	}
	return s
}

// gauge is the one-line picture of how full a context is.
func (w *wording) gauge(context, threshold int) string {
	const cells = 6
	full := 0
	if threshold > 0 {
		full = min(cells, (context*cells+threshold-1)/threshold)
	}
	return fmt.Sprintf(w.context, w.number(context), w.number(threshold), strings.Repeat("▓", full)+strings.Repeat("░", cells-full))
}

// Gauge is the one-line picture of how full a context is, in English.
func Gauge(context, threshold int) string { return english.gauge(context, threshold) }

// spoken are the words in the language of a text, nil if it shows none that we have
// words in.
func spoken(text string) *wording { return wordings[agent.Language(text)] }

// wordsFor are the words for somebody: in the language of the first text that shows one,
// else in that of a locale.
func wordsFor(locale string, texts ...string) *wording {
	for _, text := range texts {
		if w := spoken(text); w != nil {
			return w
		}
	}
	return words(locale)
}
