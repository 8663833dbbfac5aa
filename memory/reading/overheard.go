package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// Kinds of lines among several people, by their form alone. The lists cover the languages we speak best; a line in
// another is neither an acknowledgement nor a request, only a question by its mark.

// mostAcknowledging is the most words of an acknowledgement.
const mostAcknowledging = 5

var acknowledging = WordSet(`ok okay k kk thx thanks thank you ty tysm cheers great nice cool perfect lol haha hahaha lmao love it yes yep yeah
	yup no nope sure done deal agreed same true right exactly indeed wow omg ooh noted got on doing now will do sounds good awesome brilliant
	fine fixed yay looks like to me i see so much for that
	danke super klar gern gut ja nein genau stimmt toll prima alles passt euch dir mach ich
	merci parfait oui non d'accord bien genial si claro vale gracias perfecto muchas bueno
	grazie perfetto bene va obrigado obrigada valeu bedankt`)

// Acknowledges reports whether a text only says that it was read, or expresses a mood: nobody has to answer it.
func Acknowledges(text string) bool {
	words := plainWords(text)
	if len(words) > mostAcknowledging || strings.ContainsAny(text, "?？؟") {
		return false
	}
	for _, w := range words {
		if !acknowledging[w] && !strings.HasPrefix(w, "ありがとう") && w != "了解" && w != "谢谢" && w != "好的" {
			return false
		}
	}
	return true
}

// consenting are words that an answer to an offer or to a question of yes or no begins with.
var consenting = WordSet(`yes yep yeah yup no nope sure please ja nein doch gern gerne bitte oui non si claro no vale sim nao`)

// Consents reports whether a text begins as the answer to an offer does.
func Consents(text string) bool {
	words := plainWords(text)
	return len(words) > 0 && consenting[words[0]]
}

// Lines, folded, that say whether to listen in a thread.
var (
	listenAgain = linesOf(`listen again|start listening|start listening again|listen here again|you can listen again|hor wieder zu|hor hier wieder zu|bitte wieder zuhoren|
			ecoute a nouveau|ecoute de nouveau|tu peux ecouter a nouveau|vuelve a escuchar|escucha de nuevo`)
	stopListening = linesOf(`stop listening|stop listening here|don't listen here|do not listen here|stop listening in this thread|hor nicht mehr zu|hor hier nicht mehr zu|
			hier nicht mehr zuhoren|n'ecoute plus|n'ecoute plus ici|arrete d'ecouter|arrete d'ecouter ici|deja de escuchar|deja de escuchar aqui|no escuches mas`)
)

// linesOf are the lines of a list, with "|" between them.
func linesOf(list string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.SplitSeq(list, "|") {
		lines[strings.TrimSpace(line)] = true
	}
	return lines
}

// Listening reports whether a text only says that we should listen in a thread again (on), or stop listening.
func Listening(text string) (on, ok bool) {
	const around = " \t\n.,!"
	line := strings.Trim(strings.ReplaceAll(rank.Fold(text), "’", "'"), around)
	line = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(line, "please "), " please"), around)
	return listenAgain[line], listenAgain[line] || stopListening[line]
}

// Words that a request begins with: texting for what an assistant writes, keeps or works out, alsoNouns those of them
// that begin other lines too ("list is done"), requesting what may be asked of anybody.
var (
	texting = WordSet(`write explain summarise summarize recap add translate rewrite compute calculate rename shorten
		schreib schreibe fass fasse ubersetz ubersetze erklar erklare nenn nenne notiere vergleiche antworte
		ecris resume traduis explique ajoute reponds escribe traduce explica anade compara responde anota
		scrivi riassumi traduci spiega aggiungi escreve resuma traduz schrijf vat vertaal`)
	alsoNouns  = WordSet(`draft list log mark note count sum reply compare format status liste`)
	objects    = WordSet(`it this that these those them the a an all every for who what which das die den alle`)
	requesting = WordSet(`make show find tell give update remove take put check look send create collect track remind answer search turn fix change help
		again mention keep include drop replace correct shorter longer kurzer
		zeig zeige such suche sag sage gib mach fuge noch nimm setz streich korrigiere andere erganze
		montre cherche dis donne fais
		muestra busca di dime dame haz
		mostra cerca dimmi dammi fai
		procura diz toon zoek zeg geef`)
)

// opening are words that may stand before what a request begins with.
var opening = WordSet(`a an the bit ein eine un une ok okay now hey so well just also and then cool hm hmm ty thx thanks great nice und dann also mal jetzt danke et alors
	merci y luego ahora gracias e allora ora grazie me nos le lo`)

// courtesy makes a request of any sentence.
var courtesy = WordSet(`pls plz please bitte porfa favor prego`)

// toMe are words between a verb and what somebody wants to have, ahead how that begins: "and rank me the rest", but not "let me
// check", "for me it works", "ça me va" or "passt mir die Idee".
var (
	toMe  = WordSet(`me mir moi`)
	ahead = WordSet(`the a an all some one two three your more every each these those die das den ein eine einen alle alles un une des les`)
)

// wants reports whether a clause begins with a verb and such words.
func wants(clause string) bool {
	words := plainWords(clause)
	for len(words) > 0 && opening[words[0]] {
		words = words[1:]
	}
	return len(words) > 2 && toMe[words[1]] && ahead[words[2]] && !leadingWords[words[0]] && !(words[1] == "mir" && strings.HasSuffix(words[0], "t"))
}

// Requests reports whether a clause of a text begins as a request does, or contains "please".
func Requests(text string) bool {
	return politely(text) || slices.ContainsFunc(plainWords(text), func(w string) bool { return courtesy[w] }) ||
		clauseBegins(text, func(w, _ string) bool { return requesting[w] || texting[w] || alsoNouns[w] }) || slices.ContainsFunc(clauses(text), wants)
}

// RequestsText reports whether a clause of a text begins as a request for a text, a list or a sum does.
func RequestsText(text string) bool {
	alone := len(plainWords(text)) == 1
	return politely(text) || clauseBegins(text, func(w, next string) bool { return texting[w] || alsoNouns[w] && (alone || objects[next]) })
}

// politely reports whether a text has a polite form of Japanese or Chinese.
func politely(text string) bool {
	return slices.ContainsFunc([]string{"お願い", "ください", "下さい", "もらえ", "くれ", "请", "帮"}, func(form string) bool { return strings.Contains(text, form) })
}

// clauseBegins reports whether a clause of a text begins with a word, behind what may open it.
func clauseBegins(text string, with func(word, next string) bool) bool {
	for _, c := range clauses(text) {
		words := append(plainWords(c), "")
		for i, w := range words[:len(words)-1] {
			if with(w, words[i+1]) {
				return true
			}
			if !opening[w] && !courtesy[w] {
				break
			}
		}
	}
	return false
}

func clauses(text string) []string {
	return strings.FieldsFunc(WithoutLinks(text), func(r rune) bool { return strings.ContainsRune(".!?,;:\n", r) })
}

// people are words for any person: who says one of them asks people.
var people = WordSet(`anyone anybody someone somebody everyone everybody y'all guys folks jemand irgendwer jeder alle leute quelqu'un personne alguien todos qualcuno tutti alguem iemand`)

// knowing are words for what an assistant may do as well as they.
var knowing = WordSet(`know knows remember remembers recall weiss weiß erinnert sait sabe recuerda sa ricorda lembra weet`)

// AsksPeople reports whether the first words of a clause ask any of several people to do something, and not what they know: "can
// anyone look at it", but not "does anybody remember the code", nor what a text that is asked for says.
func AsksPeople(text string) bool {
	for _, c := range clauses(text) {
		words := plainWords(c)
		if first := words[:min(len(words), 3)]; slices.ContainsFunc(first, func(w string) bool { return people[w] }) && !slices.ContainsFunc(words, func(w string) bool { return knowing[w] }) {
			return true
		}
		if RequestsText(c) {
			return false
		}
	}
	return false
}

// mostEchoing is the most words of a remark, and of a question that only takes up what was said before it.
const mostEchoing = 2

// GoesOn reports whether a text of few words adds to a question before it: "and Baleares".
func GoesOn(text string) bool {
	words := plainWords(text)
	return len(words) > 1 && len(words) <= mostEchoing+1 && joining[words[0]] && !States(text)
}

// Remarks reports whether a text is a word or two that continues no earlier question: "pushed", but not "in euros". The caller
// checks that it asks nothing.
func Remarks(text string) bool {
	words := plainWords(text)
	return !Packed(text) && len(words) > 0 && len(words) <= mostEchoing && !leadingWords[words[0]]
}

// Echoes reports whether a text is a very short question about the line right before it: "friday then?", "which minute?". "And
// ours?" is none: it continues an earlier question.
func Echoes(text string) bool {
	words := plainWords(text)
	return AsksByForm(text) && !Packed(text) && len(words) <= mostEchoing && (len(words) == 0 || !leadingWords[words[0]])
}

// stating are subjects and verbs that make a statement of a line. A line without any may be a wish: "a bit friendlier".
var stating = WordSet(`i i'm i'll i've we we're we'll we've he she they they're is isn't was wasn't are aren't were it's its that's has had
	ich wir er ist war sind waren hab habe haben hatte je j'ai nous il elle est sont etait yo nosotros es era son fue he hemos io siamo sono era`)

// States reports whether a text has a subject or a verb as statements have.
func States(text string) bool {
	return slices.ContainsFunc(plainWords(text), func(w string) bool { return stating[w] })
}

// Words that find fault with what was written, and words that name what is asked from.
var (
	faulting = Cue(`wrong|missing|missed|left out|forgot|forgotten|should (?:be|say|have)|shouldn't|incorrect|typo|misspel\pL*|supposed to be|you mean|i meant|`+
		`falsch|fehlt|fehlen|vergessen|stimmt nicht|sollte|gemeint|faux|manque|oublie|il faut|mal escrito|falta|faltan|olvidaste|quise decir|sbagliato|manca`, `違|間違|错|漏`)
	sourced = Cue(`according to|(?:in|does|do|did|what|from|by) (?:the|our|this|that|those|these|your) (?:pdf|file|files|document|documents|doc|docs|sheet|datasheet|guide|manual|contract|notes|report|minutes|policy|table|page|thread)|`+
		`laut|gemass|(?:im|in der|in den|was sagt (?:der|die|das)) (?:pdf|datei|dokument|handbuch|vertrag|bericht|protokoll|satzung|tabelle|seite)|`+
		`selon|d'apres|dans le (?:document|fichier|contrat|rapport|guide)|segun|en el (?:documento|archivo|contrato|informe)`, `によると|資料|根据|文件`)
)

// FindsFault reports whether a text says that something written is wrong or incomplete.
func FindsFault(text string) bool { return faulting.MatchString(rank.Fold(text)) }

// NamesSource reports whether a text says from which document or notes it wants an answer.
func NamesSource(text string) bool { return sourced.MatchString(rank.Fold(text)) }

// AsksByForm reports whether a text has a question mark outside of links, or the particle that ends a question in Japanese or Chinese.
func AsksByForm(text string) bool {
	end := strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return endsAsking(text) || strings.ContainsAny(WithoutLinks(text), "?？؟") || strings.HasSuffix(end, "か") || strings.HasSuffix(end, "吗") || strings.HasSuffix(end, "呢")
}

// Words that ask for a thing, and verbs that stand behind them in a question: "where does that go", but not "where I go".
var (
	wh       = WordSet(`what where when why how who was wer wem wen wann wo warum wieso wie woran worauf woraus wobei wodurch wofur woher wohin womit wonach woruber worum wovon wozu que quoi ou quand comment cuando donde como che dove quando come`)
	behindWh = WordSet(`is are do does did can could will would should were has have had am was
		ist sind war waren hat haben kann konnen wird soll sollen muss mussen geht gehen est sont fait es son esta e sono`)
)

// AsksByOrder reports whether a clause of a text begins, behind what may open it, in the order of a question, however it ends:
// not "I know what is left" or "creo que es tarde"; behind a colon or another sentence any word that asks is enough.
func AsksByOrder(text string) bool {
	return IsQuestion(text) || slices.ContainsFunc(clauses(text), func(clause string) bool {
		words := plainWords(clause)
		for len(words) > 2 && (opening[words[0]] || leadingWords[words[0]] || courtesy[words[0]] || words[0] == "up") {
			words = words[1:]
		}
		return len(words) > 2 && wh[words[0]] && behindWh[words[1]]
	}) || slices.ContainsFunc(strings.FieldsFunc(WithoutLinks(text), func(r rune) bool { return strings.ContainsRune(".!?:;\n", r) }), func(part string) bool {
		words := plainWords(part)
		return len(words) > 2 && (wh[words[0]] || words[0] == "which")
	})
}

// plainWords are the folded words of a text.
func plainWords(text string) []string {
	return strings.FieldsFunc(rank.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '\''
	})
}

// MayOpen reports whether a folded word is one that a question or a request begins with, or a function word.
func MayOpen(word string) bool {
	return questionWords[word] || requesting[word] || texting[word] || alsoNouns[word] || rank.Stop(word)
}

// FirstWord returns the folded first word of a text, "" if the text begins with a sign other than an @, or
// the word has the mark of a genitive.
func FirstWord(text string) string {
	text = strings.TrimLeft(text, " \t@")
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(text)
	}
	if next, _ := utf8.DecodeRuneInString(text[end:]); next == '\'' || next == '’' {
		return ""
	}
	return rank.Fold(text[:end])
}
