package memory

import (
	"regexp"
	"strings"

	"threadkeeper/memory/rank"
)

// secret matches keys and passwords: the forms of well-known services, private
// keys, web tokens, and what is called a password in English, German, French,
// Spanish, Italian, Portuguese or Dutch.
var secret = regexp.MustCompile(`\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}` +
	`|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{8,}\.[\w-]{8,}\.` +
	`|(?i)\b(password|passwd|passphrase|api[ _-]?key|secret key|access token|passwort|kennwort|mot de passe|contraseña|palavra-passe|senha|wachtwoord)\b[^.\n]{0,30}?(\bis\b|\bist\b|\best\b|\bes\b|\bé\b|:|=)\s*\S`)

// commanding matches, in folded text, what would have an assistant act on
// somebody's behalf or drop its rules. English, German, French, Spanish.
var commanding = regexp.MustCompile(`\b(ignore|disregard|forget) (all |any |the |your )*(previous|prior|above|earlier|system)\b|\bsystem prompt\b` +
	`|\b(always|never|immer|toujours|siempre)\b.{0,30}\b(send|forward|e?mail|cc|bcc|post|upload|share|transfer|schicken?|senden?|weiterleiten|envoie[rz]?|enviar?|envia)\b` +
	`|\b(send|forward|e?mail|cc|bcc|post|upload|transfer|fetch|visit|open|call|load|schicke?|sende|envoie[rz]?|envia)\b.{0,80}(https?://|www\.|\S@\S)`)

// Secret reports whether text holds a key or a password.
func Secret(text string) bool { return secret.MatchString(text) }

// Commanding reports whether text, kept as memory, would read as an instruction
// to act: to send something somewhere, or to drop the rules.
func Commanding(text string) bool { return commanding.MatchString(rank.Fold(text)) }

func risky(text string) bool {
	return Secret(text) || Commanding(text)
}

var link = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)

// withoutLinks is text with links replaced by the word.
func withoutLinks(text string) string {
	if !strings.Contains(text, "://") && !strings.Contains(text, "www.") {
		return text
	}
	return link.ReplaceAllString(text, "(link)")
}
