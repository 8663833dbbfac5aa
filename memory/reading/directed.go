package reading

import (
	"regexp"

	"threadkeeper/memory/rank"
)

// orders are sentences of a document that speak to the assistant instead of the reader.
// They are never quoted as an answer. English, German, French and Spanish.
var orders = regexp.MustCompile(`(?:remember|ignore|disregard|forget|from now on|always|never|you must|you are now|assistant|chatbot|language model|system prompt|merke?|ignoriere|immer|rappelle|ignore[zr]|toujours|recuerda|ignora|siempre)[^.!?]{0,80}(?:send|cc|bcc|forward|include|append|post|reply|respond|answer|e-?mail|visit|click|link|instructions?|rules?|prompt|secret|password|http|www|schick\pL*|sende\pL*|antworte\pL*|envo\pL*|repond\pL*|env[ií]\pL*|respond\pL*)`)

// DirectsAssistant reports whether a text of a document tries to direct the assistant.
func DirectsAssistant(text string) bool { return orders.MatchString(rank.Fold(text)) }
