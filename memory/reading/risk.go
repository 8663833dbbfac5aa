package reading

import (
	"threadkeeper/memory/rank"
)

// keys are the forms of the keys of well-known services, web tokens and private keys.
const keys = `\b(?:sk|gsk|pk|rk|xai)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}` +
	`|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY`

var (
	key = Lazy(keys + `[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)
	// secret matches keys and what is called a password in English, German, French,
	// Spanish, Italian, Portuguese or Dutch.
	secret = NewPattern(keys +
		`|(?i)\b(password|passwd|passphrase|api[ _-]?key|secret key|access token|passwort|kennwort|mot de passe|contraseña|palavra-passe|senha|wachtwoord)\b[^.\n]{0,30}?(\bis\b|\bist\b|\best\b|\bes\b|\bé\b|:|=)\s*\S`)
)

// commanding matches, in folded text, what would have an assistant act on
// somebody's behalf or drop its rules. English, German, French, Spanish.
var commanding = NewPattern(`\b(ignore|disregard|forget) (all |any |the |your )*(previous|prior|above|earlier|system)\b|\bsystem prompt\b` +
	`|\b(system|developer) ?: |\b(assistant|chatbot|ai|bot|assistent|asistente)\b.{0,12}\b(must|should|shall|muss|soll|doit|debe)\b|\b(always|immer|toujours|siempre)\b.{0,30}\b(send|forward|e?mail|cc|bcc|post|upload|share|transfer|schicken?|senden?|weiterleiten|envoie[rz]?|enviar?|envia)\b` +
	`|\b(send|forward|e?mail|cc|bcc|post|upload|transfer|fetch|visit|open|call|load|schicke?|sende|envoie[rz]?|envia)\b.{0,80}(https?://|www\.|\S@\S)`)

// Secret reports whether text contains a key or a password.
func Secret(text string) bool { return secret.MatchString(text) }

// HideKeys returns text with *** for each key in it.
func HideKeys(text string) string { return key.ReplaceAllString(text, "***") }

// Commanding reports whether text, stored as memory, would read as an instruction
// to act: to send something somewhere, or to drop the rules.
func Commanding(text string) bool { return commanding.MatchString(rank.Fold(text)) }

// Risky reports whether text is either: it must not become memory.
func Risky(text string) bool {
	return Secret(text) || Commanding(text)
}

// orders are sentences of a document that speak to the assistant instead of the reader.
// They are never quoted as an answer. English, German, French and Spanish.
var orders = NewPattern(`(?:remember|ignore|disregard|forget|from now on|always|never|you must|you are now|assistant|chatbot|language model|system prompt|merke?|ignoriere|immer|rappelle|ignore[zr]|toujours|recuerda|ignora|siempre)[^.!?]{0,80}(?:send|cc|bcc|forward|include|append|post|reply|respond|answer|e-?mail|visit|click|link|instructions?|rules?|prompt|secret|password|http|www|schick\pL*|sende\pL*|antworte\pL*|envo\pL*|repond\pL*|env[ií]\pL*|respond\pL*)`)

// DirectsAssistant reports whether a text of a document tries to direct the assistant.
func DirectsAssistant(text string) bool { return orders.MatchString(rank.Fold(text)) }
