package agent

import (
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Things an answer may not do, whoever asks for them: say that the program has acted, ask people for secrets or
// money, and pass on orders. The patterns see folded text without emphasis, in English, German, French and Spanish.

// things are what the program stores, or what people think it stores.
const (
	things      = `(?:messages?|chats?|conversations?|history|memory|memories|documents?|files?|pdfs?|reports?|accounts?|records?|backups?|uploads?|e-?mails?|threads?|channels?|database|everything|it all)`
	thingsDE    = `(?:nachricht(?:en)?|chats?|verlauf|unterhaltung(?:en)?|gedachtnis|dokumente?|dateie?n?|berichte?|konto|konten|backups?|e-?mails?|kanal|thread|datenbank|alles|daten)`
	thingsFR    = `(?:messages?|conversations?|historique|memoire|documents?|fichiers?|rapports?|comptes?|sauvegardes?|e-?mails?|canal|fil|donnees|tout)`
	thingsES    = `(?:mensajes?|conversacion(?:es)?|historial|memoria|documentos?|archivos?|informes?|cuentas?|copias?|correos?|canal|hilo|datos|todo)`
	some        = `(?:[^\s.,;:!?]+ ){0,3}`
	already     = `(?:(?:just|now|also|already|successfully|permanently|hereby|therefore) )*`
	alreadyFRES = `(?:(?:bien|deja|aussi|egalement|maintenant) )*`
)

// deeds are claims to have acted. "I removed the second paragraph" is not one, and neither are other people's deeds.
var deeds = either(
	`\bi(?:'ve| have|'m| am)? `+already+`(?:erased?|erasing|deleted?|deleting|removed|removing|wiped|purged|forgotten|transferred|encrypted|disabled|granted|revoked) `+some+things+`\b`,
	`\bi(?:'ve| have|'m| am)? `+already+`(?:updated|changed) `+some+`(?:history|memory|memories|accounts?|records?|backups?|pdfs?|uploads?|threads?|channels?|database)\b`,
	`\bi(?:'ve| have|'m| am)? `+already+`(?:shared|sharing|sent|sending|forwarded|forwarding|e-?mailed|posted|posting|published|uploaded|paid|booked|scheduled|invited|notified|reminded|messaged) (?:the|this|that|your|it|them|all|an?|every|everyone|you|my|our|[\pL]+ (?:to|about|by|that))\b`,
	`\bi(?:'ll| will) (?:now )?(?:erase|delete|wipe|send|forward|e-?mail|post|share|pay|transfer|notify) (?:the|this|that|your|it|them|all|an?|every|everyone|everything)\b`,
	`\b(?:your|all) `+some+things+` (?:ha(?:ve|s) been|were|was|(?:are|is) now) (?:now )?(?:\pL+ly )?(?:erased|deleted|removed|wiped|shared|sent|forwarded|forgotten)\b`,
	`^\W*(?:done\W+)?(?:all )?(?:of )?your `+some+things+` (?:are|is) (?:\pL+ly )?(?:erased|deleted|removed|wiped|shared|sent|forwarded|forgotten)[^\pL\pN]*$`,
	`^\W*(?:done\W+)?(?:erased|deleted|forgotten)(?:: | (?:all|your|\d+) )(?:[^\s.,;:!?]+ ){0,2}(?:messages?|conversations?|history|memor(?:y|ies)|everything)\b`,

	`\b(?:ich hab(?:e)?|habe? ich) (?:[^\s.,;:!?]+ ){0,3}`+thingsDE+` (?:[^\s.,;:!?]+ ){0,4}(?:geloscht|entfernt|vergessen|uberwiesen|ubertragen|geteilt|freigegeben|gesendet|geschickt|verschickt|weitergeleitet|veroffentlicht|hochgeladen)\b`,
	`\b(?:ich hab(?:e)?|habe? ich) (?:[^\s.,;:!?]+ ){0,3}(?:konto|konten|backups?|datenbank|verlauf|gedachtnis) (?:[^\s.,;:!?]+ ){0,4}geandert\b`,
	`\b`+thingsDE+` hab(?:e)? ich (?:[^\s.,;:!?]+ ){0,4}(?:geloscht|entfernt|geteilt|freigegeben|gesendet|geschickt|verschickt|weitergeleitet)\b`,
	`\b(?:deine|ihre|eure|alle) `+some+thingsDE+` (?:wurden?|sind|ist) (?:[^\s.,;:!?]+ ){0,3}(?:geloscht|entfernt|geteilt|freigegeben|gesendet|weitergeleitet)\b`,

	`\bj'ai `+alreadyFRES+`(?:supprime|efface|retire|partage|envoye|transmis|transfere|publie|vire|paye)e?s? `+some+thingsFR+`\b`,
	`\bj'ai `+alreadyFRES+`modifie `+some+`(?:comptes?|sauvegardes?|historique|memoire)\b`,
	`\b(?:vos|tes|tous les) `+some+thingsFR+` ont ete `+alreadyFRES+`(?:supprime|efface|retire|partage|envoye|transmi)e?s\b`,

	`\b(?:ya )?he `+alreadyFRES+`(?:borrado|eliminado|quitado|compartido|enviado|reenviado|publicado|transferido|pagado) `+some+thingsES+`\b`,
	`\b(?:ya )?he `+alreadyFRES+`modificado `+some+`(?:cuentas?|copias?|historial|memoria)\b`,
	`\b(?:tus|sus|todos los) `+some+thingsES+` (?:han sido|fueron|se han) `+alreadyFRES+`(?:borrad|eliminad|compartid|enviad)[oa]s?\b`,
)

// deed reports whether a sentence claims in its own words that the program has acted, or is about to.
func deed(sentence string) bool {
	for _, q := range reading.Quotations(sentence) {
		sentence = strings.Replace(sentence, q, "", 1)
	}
	sentence = unmarked(sentence)
	at := deeds.FindStringIndex(sentence)
	return at != nil && !reported.MatchString(sentence[:at[0]])
}

// beforeDeed is the length of the beginning of a sentence that is no part of a deed, whatever comes after it.
func beforeDeed(begun string) int {
	words := strings.SplitAfter(begun, " ")
	n := len(begun)
	for i := len(words) - 1; i >= 0; i-- {
		if n -= len(words[i]); len(words)-i <= longestDeed && mayOpen.MatchString(unmarked(words[i])) {
			begun = begun[:n]
		}
	}
	return len(begun)
}

const longestDeed = 14 // words, from its first to the telling one

// mayOpen matches the words that a deed may begin with.
var mayOpen = reading.Lazy(`^\W*(?:i|i've|i'm|i'll|your|all|ich|habe?|deine|ihre|eure|alle|` + thingsDE + `|j'ai|vos|tes|tous|ya|he|tus|sus|todos)\W*$`)

// reported matches the opening of another person's words.
var reported = wholeWord(`said|says|wrote|writes|told|mentioned|asked|reported|claimed|sagte|sagt|schrieb|gesagt|geschrieben|dit|ecrit|ecrivait|dijo|dice|escribio`)

const (
	secrets = `(?:passwords?|passphrases?|passcodes?|pins?|otp|one-time codes?|(?:verification|security|confirmation|access|login|sms|backup|recovery|\d-digit|four-digit|six-digit) codes?|cvv|cvc|card (?:numbers?|details)|bank details|iban|api (?:keys?|tokens?)|access tokens?|secret keys?|private keys?|seed phrases?|recovery phrases?|credentials|tokens?|` +
		`passwort\pL*|kennwort\pL*|zugangsdaten|kartennummer|kreditkarten\pL*|sicherheitscode|bestatigungscode|schlussel|` +
		`mots? de passe|codes? (?:secret|de (?:verification|securite|confirmation))|numero de carte|identifiants|jeton|cle (?:api|secrete)|` +
		`contrasenas?|claves?|codigos? (?:de (?:verificacion|seguridad|confirmacion)|secretos?)|numero de (?:la |tu |su )?tarjeta|credenciales)`
	giving = `(?:enter|type|give|tell|send|provide|confirm|share|paste|reply with|respond with|answer with|submit|verify|insert|supply|what is|what's|which)` +
		`|(?:gib|geben|nenne?n?|sende?n?|schicke?n?|bestatige?n?|teile?n?|trage?n?|tippe?n?|wie lautet|eingeben|angeben|mitteilen|bestatigen)` +
		`|(?:saisi\pL*|entre[zr]?|donne[zr]?|envoye[zr]?|confirme[zr]?|indique[zr]?|tape[zr]?|quel est|communique[zr]?)` +
		`|(?:introdu\pL+|escrib\pL+|confirm\pL+|envi\pL+|dime|digame|indi\pL+|ingres\pL+|cual es)`
	yours = `(?:your|deine?n?|ihre?n?|votre|ton|tes|vos|tu|su)`
)

// secretAsked are requests for what people must keep to themselves.
var secretAsked = either(
	`\b(?:`+giving+`) (?:\S+ ){0,4}`+yours+` (?:\S+ ){0,3}`+secrets+`\b`,
	begins+`(?:enter|type|paste|reply with|respond with|submit|send|share|confirm|saisir|confirmar|introducir) (?:(?:me|us|in|here|the|an?|its|la|le|el|las?|los|les) )*(?:\S+ ){0,1}`+secrets+`\b`,
	`\b`+yours+` (?:\S+ ){0,2}`+secrets+` (?:\S+ ){0,4}(?:eingeben|angeben|ein|an|here|below)\b`,
	`\b`+secrets+` (?:\S+ ){0,2}(?:eingeben|angeben|mitteilen|bestatigen)\b`,
	`\bwhich (?:\S+ ){0,2}`+secrets+` (?:\S+ ){0,3}(?:send|sent|get|got|receive|received|use)\b`,
)

const (
	musts  = `(?:(?:you|we) (?:must|should|need to|have to)|(?:du|sie) (?:musst|mussen|sollst|sollten)|vous devez|tu dois|debes?|tiene[sn]? que)`
	begins = `(?:(?:^|[.!?] )\W*(?:(?:please|kindly|now|then|so|first|next|finally|also|always|remember|note|important|immediately|urgently|bitte|jetzt|dann|immer|merke?|veuillez|merci de|maintenant|toujours|por favor|ahora|siempre|recuerda|(?:you|we) can|` + musts + `|to [^,.]{1,50},)\W+)*|[,;:] (?:(?:and|so|but|und|also|aber|et|donc|mais|y|pero) )?` + musts + ` )`
	money  = `(?:invoices?|bills?|amount|sum|fees?|money|deposit|balance|account|iban|euros?|dollars?|btc|bitcoins?|gift cards?|card|[€$£]|\d{2,}|betrag|rechnung\pL*|konto|geld|gebuhr\pL*|summe|facture|compte|montant|somme|argent|factura|cuenta|importe|monto|dinero)`
)

// orders match sentences that tell their reader to pay, hand out, call or visit, by subject.
var orders = []struct{ order, asked *reading.Pattern }{
	{either(begins+`(?:pay|transfer|wire|remit|deposit|charge|uberweise|zahle|bezahle|(?:uberweisen|zahlen|bezahlen) sie|payez|paie|payer|virez|versez|regle[zr]|paga|pague|pagar|transfier[ae]|abon[ae]) .{0,60}`+money,
		`^\W*(?:bitte|(?:du|sie) (?:musst|mussen|sollst|sollten)) .{0,80} (?:uberweisen|bezahlen|zahlen)\W*$`),
		wholeWord(`pay\pL*|paid|invoices?|bills?|transfers?|money|costs?|fees?|price|accounts?|iban|owe|due|rent|zahl\pL*|bezahl\pL*|uberweis\pL*|rechnung\pL*|konto|geld|kost\pL*|miete|factures?|pa(?:ie|ye)\pL*|compte|prix|loyer|pag\pL+|facturas?|cuenta|precio|alquiler`)},
	{either(begins + `(?:call|dial|ring|phone|text|ruf\pL*|wahle?n?|appele[zr]|llam[ae]) .{0,40}\d{3}`),
		wholeWord(`call|phone|number|contact|reach|support|hotline|whom?|help|ruf\pL*|anruf\pL*|telefon\pL*|nummer|kontakt\pL*|erreich\pL*|appel\pL*|telephone|numero|contact\pL*|joindre|llam\pL*|telefono|contact\pL*`)},
	{either(begins+`(?:forward|send|e-?mail|cc|bcc|(?:share|upload|post) (?:the|this|that|it|your|all|them|a copy)) .{0,80}(?:\bto\b|@)`,
		begins+`(?:leite?n?|schicke?n?|sende?n?|teile?n?) .{0,80}(?:\ban\b|@)`,
		begins+`(?:transmet\pL*|envoye[zr]|envoie|transfere[zr]|partage[zr]|reenvi[ae]|envi[ae]|compart[ea]) .{0,80}(?:\ba\b|\baux?\b|@)`),
		wholeWord(`forward\pL*|send\pL*|sent|e-?mails?|mail|share|upload|post|submit|report|contact|whom?|where|draft|write|schick\pL*|send\pL*|weiterleit\pL*|mail|teil\pL*|wem|wohin|schreib\pL*|envo\pL*|transm\pL*|transf\pL*|partag\pL*|ecri\pL*|a qui|envi\pL*|reenvi\pL*|compart\pL*|escrib\pL*|a quien`)},
	{either(begins + `(?:visit|go to|open|click|log ?in|sign ?in|download|scan|besuche?n?|gehe?n?|offne?n?|klicke?n?|visite[zr]|allez|ouvre[zr]|clique[zr]|visit[ae]|abr[ae]|haz clic|ve a) .{0,60}(?:\blink\b|\bsite\b|\bwebsite\b|\burl\b|qr|\w\.\pL{2}|\blien\b|\benlace\b)`),
		wholeWord(`links?|sites?|pages?|urls?|website|log ?in|sign ?in|download|portal|where|how|open|why|fails?|failing|errors?|fix|install\pL*|warum|fehler|einricht\pL*|installier\pL*|pourquoi|erreurs?|por que|error(?:es)?|wo|wie|seite|anmeld\pL*|herunter\pL*|lien|ou|comment|telecharg\pL*|enlace|donde|como|descarg\pL*`)},
	{either(begins + `(?:type|enter|run|use|send|write|say|reply with|tippe?n?|gib|schreibe?n?|tape[zr]|saisi\pL*|ecri\pL*|escrib\pL*|teclea) .{0,40}(?:memory forget|docs (?:remove|share)|--yes)`),
		wholeWord(`forget\pL*|eras\pL*|delet\pL*|remov\pL*|shar\pL*|how|commands?|help|losch\pL*|vergess\pL*|entfern\pL*|teil\pL*|wie|befehl\pL*|supprim\pL*|effac\pL*|oubli\pL*|partag\pL*|comment|borr\pL*|elimin\pL*|olvid\pL*|compart\pL*|como|comandos?`)},
}

// solicits reports whether a text asks its reader for a password, a code, a token or a payment.
func solicits(text string) bool {
	text = unmarked(text)
	return secretAsked.MatchString(text) || orders[0].order.MatchString(text)
}

// imposes reports whether a sentence asks its reader for secrets, or orders what the request has not asked about.
func imposes(sentence, request string) bool {
	sentence, request = unmarked(sentence), unmarked(request)
	if secretAsked.MatchString(sentence) && !secretNamed.MatchString(request) {
		return true
	}
	for _, o := range orders {
		if o.order.MatchString(sentence) && !o.asked.MatchString(request) && (o.order == orders[0].order || !advice.MatchString(request)) {
			return true
		}
	}
	return false
}

// advice are requests to be told what to do, or what was said. Nobody who asks for that asks to be told to pay.
var advice = wholeWord(`summar\pL*|overview|recap|minutes|gist|zusammenfass\pL*|fasse?|uberblick|resum\pL*|synthese|how|next|advice|advise|suggest\pL*|recommend\pL*|steps?|plan|to-?dos?|(?:should|shall|must|can|do|could) (?:i|we)|what to do|wie|rat|schritte?|vorschlag\pL*|(?:soll|sollen|muss|mussen|kann|konnen) (?:ich|wir)|` +
	`comment|conseil\pL*|etapes?|suggere\pL*|(?:dois-je|devons-nous|puis-je|que faire)|como|consejos?|pasos?|sugier\pL*|que (?:debo|hago|hacemos)|(?:debo|debemos|puedo)`)

var secretNamed = wholeWord(secrets + `|log ?ins?|sign ?in|anmeld\pL*|einlogg\pL*|connexion|connecter|sesion`)

func wholeWord(words string) *reading.Pattern {
	return reading.NewPattern(`(?:^|[^\pL\pN])(?:` + words + `)(?:$|[^\pL\pN])`)
}

func either(patterns ...string) *reading.Pattern {
	return reading.NewPattern(`(?:` + strings.Join(patterns, `)|(?:`) + `)`)
}

// unmarked is folded text without emphasis and citations.
func unmarked(text string) string {
	return strings.TrimSpace(emphasis.Replace(rank.Fold(claims.WithoutFootnotes(text))))
}

var emphasis = strings.NewReplacer("*", "", "_", "", "~", "", "`", "", "  ", " ")
