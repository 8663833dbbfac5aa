package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// What a line among several people is, by its form alone. The lists are of the languages we speak best; a line in
// another is neither an acknowledgement nor a request, only a question by its mark.

// mostAcknowledging is how many words an acknowledgement has at most.
const mostAcknowledging = 5

var acknowledging = WordSet(`ok okay k kk thx thanks thank you ty tysm cheers great nice cool perfect lol haha hahaha lmao love it yes yep yeah
	yup no nope sure done deal agreed same true right exactly indeed wow omg ooh noted got on doing now will do sounds good awesome brilliant
	fine fixed yay looks like to me i see so much for that
	danke super klar gern gut ja nein genau stimmt toll prima alles passt euch dir mach ich
	merci parfait oui non d'accord bien genial si claro vale gracias perfecto muchas bueno
	grazie perfetto bene va obrigado obrigada valeu bedankt`)

// Acknowledges reports whether a text only says that it was read, or is a sign of mood: nobody has to answer it.
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

// Listening reports whether a text says no more than that we are to listen in a thread again (on), or no longer.
func Listening(text string) (on, ok bool) {
	const around = " \t\n.,!"
	line := strings.Trim(strings.ReplaceAll(rank.Fold(text), "’", "'"), around)
	line = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(line, "please "), " please"), around)
	return listenAgain[line], listenAgain[line] || stopListening[line]
}

var requesting = WordSet(`write reply draft make add list show find tell give translate explain summarise summarize recap log mark update
	remove take put shorten rewrite compare check look send create collect track remind note status answer search count sum compute
	calculate turn format rename change fix help again shorter longer mention keep include drop
	schreib schreibe fass fasse zeig zeige such suche sag sage gib ubersetz ubersetze erklar erklare mach fuge nenn nenne liste noch
	kurzer vergleiche antworte
	ecris resume montre cherche dis donne traduis explique fais ajoute compare reponds
	escribe muestra busca di dime dame traduce explica haz anade compara responde
	scrivi riassumi mostra cerca dimmi dammi traduci spiega fai aggiungi
	escreve resuma procura diz traduz schrijf vat toon zoek zeg geef vertaal`)

// opening are words that may stand before what a request begins with.
var opening = WordSet(`ok okay now hey so well just also and then cool hm hmm ty thx thanks great nice und dann also mal jetzt danke et alors
	merci y luego ahora gracias e allora ora grazie me nos le lo`)

// courtesy makes a request of any sentence.
var courtesy = WordSet(`pls plz please bitte porfa favor prego`)

// Requests reports whether a clause of a text begins as people begin to ask for something, or is said with "please".
func Requests(text string) bool {
	for _, form := range []string{"お願い", "ください", "下さい", "もらえ", "くれ", "请", "帮"} {
		if strings.Contains(text, form) {
			return true
		}
	}
	clauses := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?,;:\n", r) })
	for _, c := range clauses {
		begins := true
		for _, w := range plainWords(c) {
			if courtesy[w] || begins && requesting[w] {
				return true
			}
			begins = begins && opening[w] || w == "and" || w == "then" || w == "und"
		}
	}
	return false
}

// AsksByForm reports whether a text asks by a mark, or by the particle that ends a question in Japanese or Chinese.
func AsksByForm(text string) bool {
	end := strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.ContainsAny(text, "?？؟") || strings.HasSuffix(end, "か") || strings.HasSuffix(end, "吗") || strings.HasSuffix(end, "呢")
}

// plainWords are the folded words of a text.
func plainWords(text string) []string {
	return strings.FieldsFunc(rank.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '\''
	})
}

// FirstWord is the folded word that a text begins with, "" if it begins with another sign than an @, or
// has the mark of a genitive.
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
