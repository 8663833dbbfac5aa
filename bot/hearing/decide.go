package hearing

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Follow is the policy of a channel: which messages are answered without a mention.
type Follow string

const (
	FollowThread  Follow = "thread"  // in threads we have joined; the default
	FollowMention Follow = "mention" // none
	FollowAlways  Follow = "always"  // all
	FollowQuiet   Follow = "quiet"   // none, not even answers to our questions; and we post nothing unasked
)

// Whether a message is for us.
const (
	Yes   = "yes"
	No    = "no"
	Maybe = "maybe" // only a model can tell; nobody sees that it is asked
)

// Verdict is the decision on a message.
type Verdict struct {
	Store  bool
	Answer string // Yes, No or Maybe
	Reason string
}

// Place is what we know about the conversation of a message.
type Place struct {
	Joined bool // we were asked for an answer here before
	Follow Follow
	Asked  bool            // our open question waits for this author
	Waited time.Duration   // how long, of Asked
	Alone  bool            // nobody but this author has spoken here
	Lines  []memory.Spoken // the last lines before, newest first
	Names  []string        // names that people call us by
	Heeds  bool            // administrators chose the author, a program, to be answered here
}

// Decide says whether a message is answered, kept or ignored, and why. Rules decide the certain
// cases.
func Decide(ev platform.Event, p Place) Verdict {
	if why := Unusable(ev); why != "" {
		return Verdict{false, No, why}
	}
	thread := ev.Key.Thread != ""
	_, listens := reading.Listening(ev.Text)
	switch {
	case ev.Author.Kind == memory.Bot && !p.Heeds:
		return Verdict{p.Joined, No, "said by a program"}
	case ev.Channel.Kind == memory.DM:
		return Verdict{true, Yes, "direct message"}
	case ev.Mention:
		return Verdict{true, Yes, "mention"}
	case ev.ToOther:
		return Verdict{p.Joined, No, "said to somebody else"}
	case p.Joined && thread && listens:
		return Verdict{true, Yes, "says whether we are to listen here"}
	case p.Follow == FollowQuiet:
		return Verdict{p.Joined, No, "only mentions are answered here"}
	case p.Joined && thread && ev.Message == ev.Key.Thread:
		return Verdict{true, No, "said before we joined the thread on it"}
	case p.Asked && p.answered(ev):
		return Verdict{true, Yes, "answers our question"}
	case onlyEmoji(ev.Text) && len(ev.Files) == 0:
		return Verdict{p.Joined, No, "nothing but a sign of consent or mood"}
	case p.Follow == FollowAlways && (!reading.Acknowledges(ev.Text) || len(ev.Files) > 0):
		return Verdict{true, Yes, "every message of this channel is answered"}
	case p.Joined && thread && p.Follow != FollowMention && p.Alone:
		return Verdict{true, Yes, "follow-up in a thread with nobody but us"}
	case p.Joined && thread && p.Follow != FollowMention:
		return amongOthers(ev, p.Lines, p.Names)
	case p.Joined:
		return Verdict{true, No, "said beside us"}
	}
	return Verdict{false, No, "not for us"}
}

// answerTime is how long the next line of whom we asked is the answer to our question, wherever it stands.
const answerTime = time.Hour

// answered reports whether a line of whom we asked is their answer: it comes soon, or near our words, and calls nobody else.
func (p Place) answered(ev platform.Event) bool {
	since := slices.IndexFunc(p.Lines, func(l memory.Spoken) bool { return l.Ours })
	return (p.Waited < answerTime || since >= 0 && since <= nearBy) && callsAnother(ev, p.Lines) != Yes && !turnsToAnother.MatchString(ev.Text)
}

// nearBy is the number of lines after an answer of ours within which the person it answers may still be speaking to us.
const nearBy = 2

// exchange is how many lines two people have spoken in turn when they are talking to each other.
const exchange = 4

// amongOthers judges a line of one of several people in a thread that we joined, by its form and by who spoke
// before.
func amongOthers(ev platform.Event, lines []memory.Spoken, names []string) Verdict {
	since := slices.IndexFunc(lines, func(l memory.Spoken) bool { return l.Ours })
	next, answered := since == 0, since >= 0 && lines[since].Person == ev.Author.ID
	between := slices.ContainsFunc(lines[:max(since, 0)], func(l memory.Spoken) bool { return l.Person != ev.Author.ID })
	marked, requests := reading.AsksByForm(ev.Text), reading.Requests(ev.Text)
	asks := marked || requests || reading.AsksByOrder(ev.Text)
	_, own := reading.CutQuote(ev.Text)
	asked := len(lines) > 0 && !next && lines[0].Person != ev.Author.ID && lines[0].Asks
	us, another, jest := callsUs(own, names), callsAnother(ev, lines), heated.MatchString(ev.Text) || smiles.MatchString(ev.Text)
	switch {
	case us == Yes && another != No:
		return Verdict{true, Maybe, "begins with a name that we share with somebody here"}
	case us == Yes:
		return Verdict{true, Yes, "says our name"}
	case us == Maybe:
		return Verdict{true, Maybe, "begins with what may be our initials"}
	case another == Yes || turnsToAnother.MatchString(ev.Text):
		return Verdict{true, No, "calls somebody else"}
	case another == Maybe:
		return Verdict{true, Maybe, "begins with a word that is a name here, too"}
	case asks && len(lines) > 0 && !next && lines[0].Person != ev.Author.ID && reading.HasPhrase(own, you):
		return Verdict{true, No, "asks who has just spoken"}
	case answered && lines[since].Asks && (next && strings.TrimSpace(ev.Text) != "" || since <= nearBy && reading.Consents(ev.Text)):
		return Verdict{true, Yes, "answers what we asked"}
	case since >= 0 && since <= nearBy && lines[since].Asks && !asks && !jest && len(strings.Fields(ev.Text)) <= 4 && !reading.Acknowledges(ev.Text):
		return Verdict{true, Maybe, "may answer what we asked"}
	case len(ev.Files) > 0 || len(lines) == 0:
		return Verdict{true, Maybe, "one of several people in a thread we joined"}
	case reading.Acknowledges(ev.Text):
		return Verdict{true, No, "nothing but a sign of consent or mood"}
	case reading.AsksPeople(ev.Text):
		return Verdict{true, No, "asks any of the people here"}
	case answered && asks && !between:
		return Verdict{true, Yes, "asks on after our answer, and nobody else has spoken"}
	case !asked && since >= 0 && !jest && !inExchange(ev.Author.ID, lines) && reading.RequestsText(ev.Text):
		return Verdict{true, Yes, "asks for a text, a list or a sum"}
	case asked && !asks:
		return Verdict{true, No, "answers what somebody else has just asked"}
	case asks && reading.NamesSource(ev.Text):
		return Verdict{true, Maybe, "asks what a document says"}
	case !requests && jest:
		return Verdict{true, No, "asks in heat, or in jest"}
	case !requests && inExchange(ev.Author.ID, lines):
		return Verdict{true, No, "two people talk to each other"}
	case !asks && !(since >= 0 && lines[since].Asks) && reading.Remarks(ev.Text):
		return Verdict{true, No, "a remark of a word or two"}
	case next && (answered || asks):
		return Verdict{true, Maybe, "said right after our answer"}
	case since >= 0 && since <= nearBy && reading.FindsFault(ev.Text):
		return Verdict{true, Maybe, "may find fault with our answer"}
	case !next && !requests && reading.Echoes(ev.Text):
		return Verdict{true, No, "takes up what somebody else has just said"}
	case answered && !asks && reading.States(ev.Text):
		return Verdict{true, No, "tells the others something"}
	case answered && (since <= nearBy || !asks && since <= 2*nearBy):
		return Verdict{true, Maybe, "said by whom we have just answered"}
	case asks || since >= 0 && reading.GoesOn(ev.Text):
		return Verdict{true, Maybe, "a question among several people"}
	}
	return Verdict{true, No, "said among people, and asks nothing"}
}

// turnsToAnother matches a sentence that begins by mentioning somebody, after another sentence.
var turnsToAnother = reading.Lazy(`[.!?。？！…\n]\s*<?@`)

// heated are marks that are doubled.
var heated = reading.Lazy(`[?？!！]\s?[?？]|[?？][!！]`)

// smiles are laughing or winking faces, in Unicode or by their names between colons.
var smiles = reading.Lazy(`[😂🤣😅😆😇😉😎😏😛😜😝🙃🤪]|:(?:joy|rofl|laughing|sweat_smile|innocent|wink|sunglasses|smirk|stuck_out_tongue\w*|upside_down_face|zany_face):`)

// inExchange reports whether an author and one other person have spoken the last lines in turn.
func inExchange(author string, lines []memory.Spoken) bool {
	if len(lines) < exchange-1 {
		return false
	}
	other := lines[0].Person
	for i, l := range lines[:exchange-1] {
		if l.Ours || i%2 == 0 && (l.Person != other || other == author) || i%2 == 1 && l.Person != author {
			return false
		}
	}
	return true
}

// ourNames are the names people call us where the platform does not know them; people leave out the first part, too.
var ourNames = []string{"threadkeeper", "keeper"}

// initials are what people shorten our name to; they may stand for something else.
const initials = "tk"

// you are the words for whom one speaks to: English, German, French, Spanish.
const you = `you|u|your|ur|du|dir|dich|dein|deine|ihr|euch|tu|toi|te|vous|tes|vos|usted|ustedes|ti|contigo`

// callsUs says whether a sentence of a text begins with one of our names, or the text ends with one: Maybe, if that may be another
// word, as our initials and "keeper" behind another sentence.
func callsUs(text string, names []string) string {
	shortened := len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, ourNames[0]) })
	if shortened {
		names = append(slices.Clone(ourNames), names...)
	}
	end := strings.TrimRightFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	calls := No
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		switch at := sentenceWith(text, name); {
		case name == "":
		case at == 0, at > 0 && name != ourNames[1], strings.HasSuffix(end, ", "+name):
			return Yes
		case at > 0:
			calls = Maybe
		}
	}
	if shortened && sentenceWith(text, initials) >= 0 {
		calls = Maybe
	}
	return calls
}

// sentenceWith is which sentence of a text, from 0, begins with a name in lower case, -1 for none.
func sentenceWith(text, name string) int {
	return slices.IndexFunc(sentenceEnd.Split(strings.ToLower(text), -1), func(sentence string) bool {
		behind, begins := strings.CutPrefix(strings.TrimLeft(sentence, " \t@"), name)
		next, _ := utf8.DecodeRuneInString(behind)
		return begins && !unicode.IsLetter(next) && !unicode.IsMark(next) && !unicode.IsDigit(next) && next != '\'' && next != '’'
	})
}

// sentenceEnd parts the sentences of a chat line.
var sentenceEnd = reading.Lazy(`[.!?。？！…]+\s|\n`)

// callsAnother says whether a text begins with the first name of another person in this conversation: Maybe, if that is also a
// word that a sentence may begin with ("Will", "Mark"), and no sign shows that it is the name.
func callsAnother(ev platform.Event, lines []memory.Spoken) string {
	first := strings.TrimSuffix(reading.FirstWord(ev.Text), "さん")
	behind := strings.TrimLeftFunc(strings.TrimLeft(ev.Text, " \t"), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) })
	switch {
	case first == "" || !slices.ContainsFunc(lines, func(l memory.Spoken) bool {
		return !l.Ours && l.Person != ev.Author.ID && reading.FirstWord(l.Name) == first
	}):
		return No
	case reading.MayOpen(first) && strings.IndexAny(strings.TrimLeft(behind, " "), "@,:，：") != 0:
		return Maybe
	}
	return Yes
}

// Unusable says why a message is ignored everywhere, "" if it is not.
func Unusable(ev platform.Event) string {
	switch {
	case ev.Ours:
		return "said by us"
	case strings.TrimSpace(ev.Text) == "" && len(ev.Files) == 0 && !ev.Mention && !ev.Hidden:
		return "nothing in it"
	}
	return ""
}

// emojis matches one or several, in Unicode or by their names between colons.
var emojis = reading.Lazy(`^(?:\s|:[\pL\pN_+'-]+:|\p{So}|\p{Sk}|[\x{200d}\x{fe0f}\x{20e3}])*$`)

// onlyEmoji reports whether a text has content, but no words.
func onlyEmoji(text string) bool { return strings.TrimSpace(text) != "" && emojis.MatchString(text) }
