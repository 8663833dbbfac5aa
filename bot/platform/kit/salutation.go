package kit

import "regexp"

// salutation is what people say before the name of the one they speak to, in English,
// German, French and Spanish, and an emoji as chat services write it.
var salutation = regexp.MustCompile(`(?i)^(?:[\s,.!¡¿;:-]*(?:` +
	`hi|hey|hello|yo|good (?:morning|afternoon|evening)|morning|thanks|thank you|many thanks|thx|ty|cheers|sorry|cc|fyi|ping|ok|okay|yes|yep|no|nope|sure|right|great|nice|congrats|` +
	`hallo|moin|servus|guten (?:morgen|tag|abend)|danke|danke dir|vielen dank|ja|nein|klar|genau|` +
	`salut|bonjour|bonsoir|coucou|merci|oui|non|d'accord|` +
	`hola|buenos días|buenas|buenas tardes|gracias|muchas gracias|sí|vale|` +
	`:[\w+'-]+:|\p{So}[\p{Sk}\x{200d}\x{fe0f}]*` +
	`)(?:[\s,.!;:-]+|$)){0,3}`)

// AfterSalutation is a text without the words of greeting or thanks it begins with: what
// then opens with somebody's name is said to them ("Thanks @Bob!").
func AfterSalutation(text string) string { return text[len(salutation.FindString(text)):] }
