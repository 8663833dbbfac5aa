package reading

import (
	"regexp"
	"strings"
)

// Address matches what a reader or a chat service could follow: a link, a mail address, the name of a host.
var Address = regexp.MustCompile(`(?i)\b(?:https?|ftp|file|data|javascript|slack|discord|tel|mailto):/{0,2}[^\s<>"'` + "`" + `)\]]+|\bwww\.[^\s<>"'` + "`" + `)\]]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|info|biz|example|test|ru|cn|de|fr|es|uk|eu|co|me|ai|gg|ly|to|xyz)(?:/[^\s<>"'` + "`" + `)\]]*|\b)`)

var link = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)

// WithoutLinks is text with links replaced by the word.
func WithoutLinks(text string) string {
	if !strings.Contains(text, "://") && !strings.Contains(text, "www.") {
		return text
	}
	return link.ReplaceAllString(text, "(link)")
}

// addresses are links and mail addresses, whose words ("com", "de") are of no language.
var addresses = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+|\S+@\S+\.\S+`)
