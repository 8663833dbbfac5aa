package claims

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

var (
	// caveat matches what says that a document does not say a thing, on folded text.
	caveat = reading.Lazy(`\b(?:(?:do(?:es)?|did|is|are|was|were|has|have|could|can)(?: ?n'?o?t|not) (?:\pL+ )?(?:say|state|mention|disclose|specify|indicate|stated|mentioned|disclosed|specified|quantif\w+|identif\w+|tell)|no (?:information|mention|figure|figures|data|details?|statement|breakdown|indication|passage|reference|evidence)\b|not (?:stated|mentioned|disclosed|specified|provided|given|reported|shown|available|found|addressed)|nothing (?:about|on|in)\b|(?:nobody|no one|none|nothing) (?:is |was |are )?(?:named|stated|mentioned|given|listed|specified)\b|(?:states?|names?|mentions?|says?|lists?|specif(?:y|ies)|discloses?) no(?:ne|thing|body)?\b|silent (?:on|about)|(?:i|we) (?:did not|didn't|could not|couldn't|cannot|can't|do not|don't) (?:find|see|tell|determine|have|say|know)` +
		`|(?:nicht|keine?n?r?) .{0,60}(?:genannt|angegeben|erwahnt|aufgefuhrt|angaben?|hinweise?|beziffert)|(?:sagt|nennt|erwahnt|steht|geht) .{0,60}\b(?:nicht|nichts|keine?n?)\b.{0,60}(?:\.|$|daruber|dazu|hervor)` +
		`|ne (?:\pL+ )?(?:precise|mentionne|indique|dit|specifie)\w* (?:pas|rien|aucune?)|n'(?:indique|evoque|y a)\b.{0,20}\b(?:pas|rien|aucune?) (?:d'|de )?(?:information|mention|donnee|indication|chiffre|precision)?|aucune? (?:information|mention|donnee|indication|precision)` +
		`|no (?:se )?(?:indica|menciona|especifica|dice|detalla|figura|consta|precisa)\b)`)
	weakCaveat = reading.Lazy(`\b(?:do(?:es)?|did|is|are|was|were|has|have|could|can)(?: ?n'?o?t|not) (?:\pL+ )?(?:assign|attribute|provide|give|contain|include|address|break|report|name|list|show|explain|cover|define|separate|provided|given|reported|shown|found|available|find|set out|see)\b` +
		`|\b(?:enthalt|gibt|finde|findet|macht|regelt|lasst)\b.{0,60}\b(?:nicht|nichts|keine?n?r?)\b|\bne (?:\pL+ )?(?:donne|contient|fournit|figure)\w* (?:pas|rien|aucune?)|\bn'apparai\w* pas|\bno (?:se )?(?:incluye|contiene|aparece|encuentr\w+|hay|ofrece|recoge)\b`)
	caveatPacked = reading.Lazy(`(?:記載|言及|記述|情報|説明|明記|提及|说明|記され|書かれ|示され|触れられ|開示)\S{0,10}(?:ない|ませ|ありません|されて|没有|沒有|なし)|(?:没有|沒有|未)(?:提到|提及|说明|說明|给出|披露|列出|包含)`)
	reader       = reading.Lazy(`^(?:\W*)(?:let me|i |i'|if you|you asked|you can ask|feel free|tell me|would you|ich |soll ich|wenn (?:du|sie)|falls (?:du|sie)|je |j'|si vous|dites-moi|si quieres|si desea|puedo |dime |here (?:is|are)|hier (?:ist|sind)|voici|aqui |below is|the following|based on the|note that i|(?:note:? )?(?:the|this) (?:release|document|filing|report|text|table|page) (?:calls|labels|refers to|dates|names) (?:this|it|the) |calculation|berechnung|calcul|calculo)`)
	filler       = reading.Lazy(`^\W*(?:yes|no|sure|certainly|ok(?:ay)?|ja|nein|gerne|oui|non|bien sur|si|はい|いいえ|是|否|summary|answer|in short|in summary|zusammenfassung|antwort|kurz|reponse|en resume|respuesta|resumen|to summari[sz]e)(?:[ ,]+(?:exactly|genau|correct|richtig|indeed))?\W*$`)
)

var (
	// letterHead matches how a letter addresses its reader, letterEnd how it ends. English, German, French, Spanish.
	letterHead = reading.Lazy(`(?i)^[>*_ ]*(?:hi|hello|hey|dear|hallo|lieber?|sehr geehrter?|guten tag|bonjour|ch[eè]re?|hola|estimad[oa]s?|querid[oa]s?)\b[^,.?!\d\n]{0,40},[*_]*(?:\s+|$)`)
	letterEnd  = reading.Lazy(`(?i)^[>*_ ]*(?:best|(?:best|kind|warm) regards|regards|(?:many )?thanks|thank you|cheers|sincerely|yours(?: \w+)?|mit freundlichen gr[uü](?:ß|ss)en|(?:viele|liebe|beste) gr[uü](?:ß|ss)e|(?:bien )?cordialement|(?:un )?saludos?|atentamente)?[,! ]*(?:[*_ ]*\[[^\]\d]{1,40}\][*_ ]*)*$`)
)

// Salutation is the line of a reply that addresses a reader as letters do, "" if there is none.
func Salutation(reply string) string {
	for line := range strings.Lines(reply) {
		if letterHead.FindString(line) == line {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// unknown matches what says that we did not find or do not know a thing, where caveat does not, on folded text.
var unknown = reading.Lazy(`\b(?:habe?n? .{0,80}\b(?:nicht|nichts|keine?n?)\b.{0,60}gefunden|finde .{0,60}\b(?:nicht|nichts|keine?n?)\b|weiss .{0,40}\bnicht\b` +
	`|n'ai (?:pas|rien) (?:\pL+ )?trouve|ne (?:trouve|sais) (?:pas|rien)|no (?:he )?encontr\w+|no lo se\b|no se (?:quien|que|cuando|cual|donde|cuanto))`)

// Denies reports whether a text begins by saying, without a citation, that something was not found or is unknown.
func Denies(text string) bool {
	for _, sentence := range reading.MessageSentences(text) {
		folded := rank.Fold(sentence)
		if filler.MatchString(folded) {
			continue
		}
		return !strings.Contains(sentence, "[") && (saysNot(folded, sentence) || unknown.MatchString(folded))
	}
	return false
}

// exempt reports whether a sentence claims nothing: it is a heading, an intro, a question, a caveat, or
// words to the reader.
func (r *Reply) exempt(c *Claim) bool {
	text := strings.TrimRight(c.Text, " *_\n")
	if !strings.ContainsFunc(text, unicode.IsLetter) && len(c.numbers) == 0 {
		return true
	}
	if exclaims(text) && len(c.numbers) == 0 && !c.cited || filler.MatchString(c.folded) || letterEnd.MatchString(c.Text) || letterHead.FindString(c.Text) == c.Text || endsWith(text, "?？؟") {
		return true
	}
	if slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return q.Measures() && !isCount(q) }) {
		return false
	}
	return endsWith(text, ":：") || saysNot(c.folded, c.Text) || weakCaveat.MatchString(c.folded) || !c.cited && reader.MatchString(c.folded)
}

// mostExclaimed is the most words of an exclamation to the reader.
const mostExclaimed = 5

// telling are folded words that a statement of something begins with.
var telling = reading.WordSet(`the it its he she they there all every both no not yes der die das es er sie ja nein alle kein keine le la les il elle ils elles oui non tous el los las ella si todos`)

// exclaims reports whether a text is an exclamation that names nothing: "Hope that helps!", but not "The valve leaks!".
func exclaims(text string) bool {
	words := strings.Fields(text)
	return endsWith(text, "!！") && len(words) <= mostExclaimed && !reading.Packed(text) && !telling[strings.Trim(rank.Fold(words[0]), `,*_"“„«¡`)] &&
		!slices.ContainsFunc(words[1:], func(w string) bool { return w != "I" && reading.Capitalised(w) })
}

// endsWith reports whether a text ends with one of some signs, but for quotation marks and brackets.
func endsWith(text, signs string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’»)`))
	return strings.ContainsRune(signs, last)
}

// isCount reports whether a number may be one of what is said: of list items, reasons, members.
func isCount(q reading.Quantity) bool {
	return q.Decimals == 0 && q.Bare() && q.Digits <= 12 && q.Unit == ""
}

// saysNot reports whether a text, folded too, says what a document does not say.
func saysNot(folded, text string) bool {
	return caveat.MatchString(folded) || caveatPacked.MatchString(text)
}
