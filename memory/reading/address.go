package reading

import "regexp"

// Address matches what a reader or a chat service could follow: a link, a mail address, the name of a host.
var Address = regexp.MustCompile(`(?i)\b(?:https?|ftp|file|data|javascript|slack|discord|tel|mailto):/{0,2}[^\s<>"'` + "`" + `)\]]+|\bwww\.[^\s<>"'` + "`" + `)\]]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|info|biz|example|test|ru|cn|de|fr|es|uk|eu|co|me|ai|gg|ly|to|xyz)(?:/[^\s<>"'` + "`" + `)\]]*|\b)`)
