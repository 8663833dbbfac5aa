package agent

import (
	"regexp"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Cues are words that show what kind of message this is. They are matched on folded text
// (rank.Fold: lower case, no accents), in English, German, French, Spanish, Italian,
// Portuguese, Dutch, Russian, and for scripts without spaces in Japanese, Chinese and Korean.
var (
	greetingCue = reading.Cue(`hi|hello|hey|how are you|how'?s it going|wie geht'?s|ca va|que tal|come va|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|hola|buenos dias|buenas (?:tardes|noches)|ciao|buongiorno|ola|bom dia|hoi|goedemorgen|привет|здравствуйте|добрый день`, `こんにちは|おはよう|你好|안녕`)
	thanksCue   = reading.Cue(`thanks|thank you|thx|cheers|danke|vielen dank|merci|gracias|grazie|obrigad[oa]|bedankt|dank je|спасибо`, `ありがとう|谢谢|謝謝|감사`)

	recallCue = reading.Cue(`remember|earlier|previously|last (?:week|month|time|year)|yesterday|(?:did|have) (?:i|we|you)|did [\pL]+ (?:say|tell|decide|mention|want|agree|prefer|choose|ask)|(?:i|we|you) (?:said|told|mentioned|agreed|decided|recommended|gave)|our (?:conversation|history)|as before|`+
		`erinner\pL*|vorhin|fruher|letzte (?:woche|mal)|gestern|gesagt|erwahnt|beschlossen|entschieden|`+
		`rappell?e\pL*|souvien\pL*|avons-nous|ai-je|as-tu|avez-vous dit|plus tot|hier|decide|`+
		`recuerd\pL*|dije|dijiste|dijimos|acordamos|decidimos|ayer|`+
		`ricord\pL*|ho detto|abbiamo detto|ieri|lembra\pL*|eu disse|ontem|herinner\pL*|gezegd|gisteren|помни\pL*|вчера|говорил\pL*|решили`,
		`覚えて|言いました|言った|昨日|记得|說過|说过|之前|昨天|기억|말했|어제`)
	mineCue = reading.Cue(`my|our|i|we|me|us|mein\pL*|unser\pL*|ich|wir|mon|ma|mes|notre|nos|je|nous|mi|mis|nuestr[oa]s?|yo|mio|mia|nostr[oa]|meu|minha|nosso|nossa|mijn|onze?|мо[йяеи]|наш\pL*`, `私|我|我们|내|나의|우리`)
	youCue  = reading.Cue(`(?:did|have|had) you|you (?:said|told|recommended|suggested|answered|mentioned)|hast du|du gesagt|as-tu|avez-vous|dijiste|recomendaste|hai detto|voce disse`, `你说|あなたが`)
	nextCue = reading.Cue(`next steps?|what'?s next|what is next|what comes next|(?:do|should) (?:i|we) do (?:next|now)|where (?:were|are) we|what now|how (?:do|should|can) (?:i|we) (?:proceed|continue|go on)|what (?:do|should) (?:i|we) (?:have to |need to )?do (?:next|now|first)|what (?:remains|is left) to (?:be )?do\pL*|und jetzt|was (?:kommt|steht|mach\pL*|muss|mussen) (?:\pL+ ){0,3}(?:als nachstes|jetzt)|wie (?:machen|gehen|fahren) wir (?:weiter|fort)|et maintenant|on fait quoi|quelle est la suite|que (?:dois-je|devons-nous|faisons-nous) faire|comment (?:continuer|poursuivre|continuons-nous)|y ahora(?: que)?|como (?:seguimos|continuamos|sigo)|que (?:sigue|hacemos ahora|hago ahora)|e adesso|e ora|come (?:procediamo|continuiamo|proseguiamo)|cosa (?:facciamo|devo fare|dobbiamo fare) (?:ora|adesso|dopo)|e agora|o que (?:fazemos|faco|fazer) agora|en nu|wat nu|hoe (?:gaan we|nu) verder|wat moet\pL* (?:ik|we) nu\pL*|nachste[rn]? schritte?|wie geht es weiter|wie geht's weiter|als nachstes|prochaines? etapes?|que faire maintenant|(?:siguiente|proximo) paso|prossim[oi] pass[oi]|proxim[oa] passo|volgende stap|следующий шаг|что дальше`,
		`次のステップ|次は何|下一步|接下来|다음 단계`)

	summaryCue = reading.Cue(`summar\pL*|overview|tl;?dr|gist|(?:main|key) points|zusammenfass\pL*|fass\pL* .{1,60} zusammen|uberblick|resum\pL*|synthese|riass\pL*|sintesi|samenvat\pL*|обзор|кратко|резюм\pL*`, `要約|まとめ|总结|總結|摘要|概括|요약`)
	compareCue = reading.Cue(`compar\pL*|versus|vs|differences?|differs?|better|cheaper|faster|vergleich\pL*|unterschied\pL*|besser|billiger|schneller|difference|meilleur\pL*|mieux|diferencia\pL*|mejor|confront\pL*|differenza|migliore|meglio|diferenca|melhor|verschil\pL*|vergelijk\pL*|beter|сравн\pL*|лучше`, `比較|比较|違い|区别|비교`)
	everyCue   = reading.Cue(`each|both|all|every|any|two|documents|reports|files|pdfs|beide\pL*|alle|jede\pL*|dokumente\pL*|berichte\pL*|dateien|tous|toutes|les deux|chaque|rapports|fichiers|todos|todas|ambos|cada|documentos|informes|entrambi|tutti|ogni|alle|beide|все|оба|каждый`, `両方|すべて|全部|每个|두 문서|모든`)
	docCue     = reading.Cue(docNouns+`|pages?|attach\pL*|sections?|chapters?|quote|cite|seite\pL*|abschnitt|kapitel|section|chapitre|pagina|capitulo|стр\pL*`, docPacked+`|ページ|页|頁`)
	theDoc     = regexp.MustCompile(`(?:^|[^\pL\pN])((?:the|this|that|my|our|der|die|das|den|dem|diese[rsnm]?|le|la|ce|cette|l'|el|este|esta|il|lo|questo|o|a|het|dit|deze) ?(?:\pL+ )?(?:` + docNouns + `))(?:$|[^\pL\pN])|(` + docPacked + `)`)

	tellCue = reading.Cue(`(?:tell|show|give|remind|repeat) (?:me|us)|look up|sag mir|sage mir|zeig mir|nenn mir|erinnere mich|dis-moi|montre-moi|donne-moi|rappelle-moi|dime|muestrame|recuerdame|dimmi|mostrami|diga-me|vertel me|скажи|напомни`, `教えて|告诉我|알려`)
	dueCue  = reading.Cue(`todos?|to-do|(?:need|have|want|plan|going) to|must|should|next|still|open|missing|fails?|waiting|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow)|mussen|muss|soll\pL*|noch|fehlt|offen|il faut|reste|doit|devons|hay que|falta|tenemos que|debemos|bisogna|dobbiamo|moeten|нужно|надо`, `必要|まだ|需要|还|해야`)

	takesBack     = reading.Cue(`actually|correction|sorry|i meant|i mean|scratch that|wait|wrong|mistake|instead|no longer|better than|rather than|not .{1,40} but|but not|korrektur|sondern|doch nicht|stattdessen|falsch|vertan|lieber als|en fait|plutot|erreur|au lieu|perdon|en realidad|en vez|me equivoque|sino|invece|anzi|sbagliat[oa]|errore`, `訂正|実は|更正|其实`)
	correctionCue = reading.Cue(`actually|sorry|i meant|scratch that|runs? until|extended|postponed|rescheduled|delayed|brought forward|pushed|replaced|switched|verlangert|vertagt|nun|reporte\pL*|deplace\pL*|prolonge\pL*|desormais|aplaz\pL*|prorrog\pL*|spostat[oa]|rimandat[oa]|prorogat[oa]|ora|anzi|correction|correct\pL*|changed?|moved?|instead|no longer|rather|update\pL*|new|now|korrektur|geandert|stattdessen|doch|jetzt|neue?[rs]?|verschoben|en fait|finalement|maintenant|change|nouve\pL*|plutot|correccion|en realidad|ahora|cambi\pL*|nuev[oa]|invece|adesso|correzione|na verdade|agora|eigenlijk|nu|теперь|на самом деле`, `訂正|実は|変更|更正|其实|现在|改为|정정|변경`)
)

const (
	docNouns  = `documents?|reports?|files?|pdfs?|papers?|contracts?|agreements?|manuals?|handbooks?|presentations?|slides|filings?|guides?|attachments?|dokument\pL*|bericht\pL*|datei\pL*|vertrag\pL*|handbuch|anhang|rapports?|fichiers?|contrats?|documento?s?|informes?|archivos?|contratos?|relazione|relatorio|arquivo|verslag|bestand|отчет\pL*|документ\pL*|файл\pL*|договор\pL*`
	docPacked = `報告書|文書|資料|文件|文档|报告|合同|보고서|문서|파일`
)

// intent is what a message asks for, as far as its words show.
type intent struct {
	greeting, thanks  bool
	question          bool
	recall, own, toUs bool // what was said; about the asker's own affairs; what we said
	next              bool // what to do next
	document          bool // names documents or parts of them
	summary, compare  bool
	every             bool // about several documents at once
	oneFact           bool // a short question for one value
	content           []string
}

// intend reads the cues of a text.
func intend(text string) intent {
	head := text[:reading.RuneBoundary(text, 4000)]
	f := rank.Fold(head)
	words := rank.Words(head)
	in := intent{question: reading.IsQuestion(text) || reading.AsksAnywhere(head), content: reading.ContentTerms(head)}
	short := len(words) <= 8
	in.greeting = short && greetingCue.MatchString(f) && (len(in.content) == 0 || !in.question && len(in.content) <= 2)
	in.question = in.question || tellCue.MatchString(f) && len(words) <= 25 && !in.greeting
	in.thanks = short && !in.question && thanksCue.MatchString(f)
	in.recall = recallCue.MatchString(f)
	in.own = mineCue.MatchString(f)
	in.toUs = youCue.MatchString(f)
	in.next = nextCue.MatchString(f) && len(words) <= 14
	in.document = docCue.MatchString(f)
	in.summary = summaryCue.MatchString(f) && len(words) <= 40
	in.compare = compareCue.MatchString(f)
	in.every = everyCue.MatchString(f)
	in.oneFact = in.question && !in.summary && !in.compare && !in.every && len(words) <= 25
	return in
}
