package agent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// Cues are words that show what kind of message this is. They are matched on folded text
// (rank.Fold: lower case, no accents), in English, German, French, Spanish, Italian,
// Portuguese, Dutch, Russian, and for scripts without spaces in Japanese, Chinese and Korean.

// cue matches any of the alternatives as whole words, or packed ones anywhere.
func cue(spaced, packed string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\pL\pN])(?:` + spaced + `)(?:$|[^\pL\pN])|` + packed)
}

var (
	greetingCue = cue(`hi|hello|hey|how are you|how'?s it going|wie geht'?s|ca va|que tal|come va|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|hola|buenos dias|buenas (?:tardes|noches)|ciao|buongiorno|ola|bom dia|hoi|goedemorgen|привет|здравствуйте|добрый день`, `こんにちは|おはよう|你好|안녕`)
	thanksCue   = cue(`thanks|thank you|thx|cheers|danke|vielen dank|merci|gracias|grazie|obrigad[oa]|bedankt|dank je|спасибо`, `ありがとう|谢谢|謝謝|감사`)

	recallCue = cue(`remember|earlier|previously|last (?:week|month|time|year)|yesterday|(?:did|have) (?:i|we|you)|did [\pL]+ (?:say|tell|decide|mention|want|agree|prefer|choose|ask)|(?:i|we|you) (?:said|told|mentioned|agreed|decided|recommended|gave)|our (?:conversation|history)|as before|`+
		`erinner\pL*|vorhin|fruher|letzte (?:woche|mal)|gestern|gesagt|erwahnt|beschlossen|entschieden|`+
		`rappell?e\pL*|souvien\pL*|avons-nous|ai-je|as-tu|avez-vous dit|plus tot|hier|decide|`+
		`recuerd\pL*|dije|dijiste|dijimos|acordamos|decidimos|ayer|`+
		`ricord\pL*|ho detto|abbiamo detto|ieri|lembra\pL*|eu disse|ontem|herinner\pL*|gezegd|gisteren|помни\pL*|вчера|говорил\pL*|решили`,
		`覚えて|言いました|言った|昨日|记得|說過|说过|之前|昨天|기억|말했|어제`)
	mineCue = cue(`my|our|i|we|me|us|mein\pL*|unser\pL*|ich|wir|mon|ma|mes|notre|nos|je|nous|mi|mis|nuestr[oa]s?|yo|mio|mia|nostr[oa]|meu|minha|nosso|nossa|mijn|onze?|мо[йяеи]|наш\pL*`, `私|我|我们|내|나의|우리`)
	youCue  = cue(`(?:did|have|had) you|you (?:said|told|recommended|suggested|answered|mentioned)|hast du|du gesagt|as-tu|avez-vous|dijiste|recomendaste|hai detto|voce disse`, `你说|あなたが`)
	nextCue = cue(`next steps?|what'?s next|what is next|what comes next|(?:do|should) (?:i|we) do (?:next|now)|where (?:were|are) we|what now|how (?:do|should|can) (?:i|we) (?:proceed|continue|go on)|what (?:do|should) (?:i|we) (?:have to |need to )?do (?:next|now|first)|what (?:remains|is left) to (?:be )?do\pL*|und jetzt|was (?:kommt|steht|mach\pL*|muss|mussen) (?:\pL+ ){0,3}(?:als nachstes|jetzt)|wie (?:machen|gehen|fahren) wir (?:weiter|fort)|et maintenant|on fait quoi|quelle est la suite|que (?:dois-je|devons-nous|faisons-nous) faire|comment (?:continuer|poursuivre|continuons-nous)|y ahora(?: que)?|como (?:seguimos|continuamos|sigo)|que (?:sigue|hacemos ahora|hago ahora)|e adesso|e ora|come (?:procediamo|continuiamo|proseguiamo)|cosa (?:facciamo|devo fare|dobbiamo fare) (?:ora|adesso|dopo)|e agora|o que (?:fazemos|faco|fazer) agora|en nu|wat nu|hoe (?:gaan we|nu) verder|wat moet\pL* (?:ik|we) nu\pL*|nachste[rn]? schritte?|wie geht es weiter|wie geht's weiter|als nachstes|prochaines? etapes?|que faire maintenant|(?:siguiente|proximo) paso|prossim[oi] pass[oi]|proxim[oa] passo|volgende stap|следующий шаг|что дальше`,
		`次のステップ|次は何|下一步|接下来|다음 단계`)

	summaryCue = cue(`summar\pL*|overview|tl;?dr|gist|(?:main|key) points|zusammenfass\pL*|fass\pL* .{1,60} zusammen|uberblick|resum\pL*|synthese|riass\pL*|sintesi|samenvat\pL*|обзор|кратко|резюм\pL*`, `要約|まとめ|总结|總結|摘要|概括|요약`)
	compareCue = cue(`compar\pL*|versus|vs|differences?|differs?|better|cheaper|faster|vergleich\pL*|unterschied\pL*|besser|billiger|schneller|difference|meilleur\pL*|mieux|diferencia\pL*|mejor|confront\pL*|differenza|migliore|meglio|diferenca|melhor|verschil\pL*|vergelijk\pL*|beter|сравн\pL*|лучше`, `比較|比较|違い|区别|비교`)
	everyCue   = cue(`each|both|all|every|any|two|documents|reports|files|pdfs|beide\pL*|alle|jede\pL*|dokumente\pL*|berichte\pL*|dateien|tous|toutes|les deux|chaque|rapports|fichiers|todos|todas|ambos|cada|documentos|informes|entrambi|tutti|ogni|alle|beide|все|оба|каждый`, `両方|すべて|全部|每个|두 문서|모든`)
	docCue     = cue(docNouns+`|pages?|attach\pL*|sections?|chapters?|quote|cite|seite\pL*|abschnitt|kapitel|section|chapitre|pagina|capitulo|стр\pL*`, docPacked+`|ページ|页|頁`)
	theDoc     = regexp.MustCompile(`(?:^|[^\pL\pN])((?:the|this|that|my|our|der|die|das|den|dem|diese[rsnm]?|le|la|ce|cette|l'|el|este|esta|il|lo|questo|o|a|het|dit|deze) ?(?:\pL+ )?(?:` + docNouns + `))(?:$|[^\pL\pN])|(` + docPacked + `)`)

	tellCue = cue(`(?:tell|show|give|remind|repeat) (?:me|us)|look up|sag mir|sage mir|zeig mir|nenn mir|erinnere mich|dis-moi|montre-moi|donne-moi|rappelle-moi|dime|muestrame|recuerdame|dimmi|mostrami|diga-me|vertel me|скажи|напомни`, `教えて|告诉我|알려`)
	dueCue  = cue(`todos?|to-do|(?:need|have|want|plan|going) to|must|should|next|still|open|missing|fails?|waiting|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow)|mussen|muss|soll\pL*|noch|fehlt|offen|il faut|reste|doit|devons|hay que|falta|tenemos que|debemos|bisogna|dobbiamo|moeten|нужно|надо`, `必要|まだ|需要|还|해야`)

	takesBack     = cue(`actually|correction|sorry|i meant|i mean|scratch that|wait|wrong|mistake|instead|no longer|better than|rather than|not .{1,40} but|but not|korrektur|sondern|doch nicht|stattdessen|falsch|vertan|lieber als|en fait|plutot|erreur|au lieu|perdon|en realidad|en vez|me equivoque|sino|invece|anzi|sbagliat[oa]|errore`, `訂正|実は|更正|其实`)
	correctionCue = cue(`actually|sorry|i meant|scratch that|runs? until|extended|postponed|rescheduled|delayed|brought forward|pushed|replaced|switched|verlangert|vertagt|nun|reporte\pL*|deplace\pL*|prolonge\pL*|desormais|aplaz\pL*|prorrog\pL*|spostat[oa]|rimandat[oa]|prorogat[oa]|ora|anzi|correction|correct\pL*|changed?|moved?|instead|no longer|rather|update\pL*|new|now|korrektur|geandert|stattdessen|doch|jetzt|neue?[rs]?|verschoben|en fait|finalement|maintenant|change|nouve\pL*|plutot|correccion|en realidad|ahora|cambi\pL*|nuev[oa]|invece|adesso|correzione|na verdade|agora|eigenlijk|nu|теперь|на самом деле`, `訂正|実は|変更|更正|其实|现在|改为|정정|변경`)
	questionWord  = cue(`what|what's|who|who's|whom|whose|which|when|where|why|how|was|wer|wem|wen|wessen|welche[rsnm]?|wann|wo|warum|wieso|wie|wieviel|que|quoi|quel|quelles?|quels|qui|quand|ou|pourquoi|comment|combien|cual|cuales|quien|cuando|donde|cuanto|cuanta|cuantos|como|por que|che|cosa|chi|quale|quali|quando|dove|perche|quanto|qual|quem|onde|quantos|wat|wie|welke?|wanneer|waar|waarom|hoe|что|кто|какой|какая|какие|когда|где|почему|как|сколько`, `何|誰|いつ|どこ|なぜ|どう|什么|谁|哪|几|多少|怎么|为什么|무엇|누구|언제|어디|왜|어떻게|얼마`)
	auxiliary     = regexp.MustCompile(`^(?:is|are|do|does|did|can|could|will|would|should|was|were|has|have|had|am|may|ist|sind|hat|haben|kann|konnen|wird|gibt|est-ce|est|y a-t-il|a-t-|es|son|hay|puede|e|sono|c'e|ha|tem|is|zijn|heeft)(?:$|[^\pL\pN])`)
)

const (
	docNouns  = `documents?|reports?|files?|pdfs?|papers?|contracts?|agreements?|manuals?|handbooks?|presentations?|slides|filings?|guides?|attachments?|dokument\pL*|bericht\pL*|datei\pL*|vertrag\pL*|handbuch|anhang|rapports?|fichiers?|contrats?|documento?s?|informes?|archivos?|contratos?|relazione|relatorio|arquivo|verslag|bestand|отчет\pL*|документ\pL*|файл\pL*|договор\pL*`
	docPacked = `報告書|文書|資料|文件|文档|报告|合同|보고서|문서|파일`
)

// meta are folded words of a question that say how it is asked, not about what.
var meta = wordSet(`remember earlier previously last week month time again say said says tell told mention mentioned please know find give show
	me decide decided agree agreed want wanted conversation history answer exact exactly current currently many much long often
	erinnerst gesagt erwahnt nochmal bitte wissen zeig rappelle dit dis souviens avons nous ai dire recuerdas dije dijo dijimos dime
	document report file pdf page dokument bericht datei seite rapport fichier documento informe archivo pagina according bought laut selon segun
	i we you my our your he she they his her lautet heisst ist gibt quel quelle est cual es name
	what who which when where why how does did is are was were about there any tell us
	wann wer wem wen woher wohin wieviel viele hoch lange uber steht zum thema
	quand ou pourquoi comment combien quoi qui quels quelles parle propos
	cuando quien quienes donde cuanto cuanta cuantos cuantas cuales como hay acerca
	mine ours yours hers theirs belong belongs call called name named heisse gehort meins meiner unsere unseres mien mienne appelle mio mia mios suyo tuyo llama llamas chiama chiamo
	quando chi dove perche quanto quale quali onde quem quanti quantos wanneer hoeveel
	сколько когда кто где какой какая какие почему как`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// content returns the search terms of a question that say what it is about, each once. Of
// Japanese and Chinese these are the pairs of characters inside words, not across them.
func content(text string) []string {
	var terms, across []string
	for _, w := range rank.Words(text) {
		if meta[w] || rank.Stop(w) {
			continue
		}
		list := &terms
		if strings.ContainsFunc(w, tiesWords) {
			list = &across
		}
		for _, t := range rank.Terms(w) {
			if !slices.Contains(*list, t) {
				*list = append(*list, t)
			}
		}
	}
	if len(terms) == 0 {
		return across
	}
	return terms
}

// tiesWords reports whether a character stands between words of Japanese or Chinese: kana of
// endings, and what asks, points or ties together.
func tiesWords(r rune) bool {
	return unicode.Is(unicode.Hiragana, r) || strings.ContainsRune("的是了吗呢在和有我你他她它们們这那這哪几幾多少什么麼谁誰何怎为為时時候请請告诉訴把被就也都很私", r)
}

// packedRuns are the words of Japanese and Chinese in a text.
func packedRuns(text string) []string {
	return strings.FieldsFunc(rank.Fold(text), func(r rune) bool {
		return tiesWords(r) || !unicode.In(r, unicode.Han, unicode.Katakana) && r != 'ー'
	})
}

// questionMark matches the end of a question.
var questionMark = regexp.MustCompile(`[?？؟](?:\s|$)`)

// asksAnywhere reports whether one of several sentences asks something: one that has the mark, or the last,
// which people often leave without it.
func asksAnywhere(text string) bool {
	all := inSentences(text)
	return questionMark.MatchString(text) || len(all) > 0 && isQuestion(all[len(all)-1])
}

// isQuestion reports whether a text asks something.
func isQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune("?？؟", last) {
		return true
	}
	f := rank.Fold(text)
	head := f[:cutRune(f, 60)]
	if i := strings.IndexAny(head, ",.;:"); i > 0 {
		head = head[:i]
	}
	for leading := leadingWords.FindStringIndex(head); leading != nil; leading = leadingWords.FindStringIndex(head) {
		head = head[leading[1]:]
	}
	loc := questionWord.FindStringIndex(head)
	return loc != nil && loc[0] <= 1 || auxiliary.MatchString(f)
}

// leadingWords may stand before the question word.
var leadingWords = regexp.MustCompile(`^(?:[^\pL\pN]+|(?:and|so|but|ok|okay|hey|hi|then|well|in|on|for|at|to|with|from|by|about|und|also|aber|fur|mit|von|zu|um|an|auf|bei|aus|seit|bis|et|mais|alors|a|en|de|pour|avec|chez|y|pero|para|por|con|desde|hasta|ma|allora|di|da|per)(?:[^\pL\pN]|$))`)

// negation matches what denies in folded text.
var negation = cue(`not|no|never|none|nobody|nothing|neither|nor|without|cannot|\pL+n't|nicht|kein\pL*|nie|niemals|ohne|pas|jamais|aucune?|sans|nunca|jamas|sin|ningun\pL*|non|mai|senza|nessun\pL*|nao|sem|niet|geen|nooit|zonder|не|нет|без`, `ない|不|没|안|않`)
