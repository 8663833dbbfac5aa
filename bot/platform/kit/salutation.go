package kit

import "threadkeeper/memory/reading"

// salutation matches words people say before the name of the person they address, in English,
// German, French and Spanish, and emoji as chat services write them.
var salutation = reading.Lazy(`(?i)^(?:[\s,.!¡¿;:-]*(?:` +
	`hi|hey|hello|yo|good (?:morning|afternoon|evening)|morning|thanks|thank you|many thanks|thx|ty|cheers|sorry|cc|fyi|ping|ok|okay|yes|yep|no|nope|sure|right|great|nice|congrats|` +
	`hallo|moin|servus|guten (?:morgen|tag|abend)|danke|danke dir|vielen dank|ja|nein|klar|genau|` +
	`salut|bonjour|bonsoir|coucou|merci|oui|non|d'accord|` +
	`hola|buenos días|buenas|buenas tardes|gracias|muchas gracias|sí|vale|` +
	`:[\w+'-]+:|\p{So}[\p{Sk}\x{200d}\x{fe0f}]*` +
	`)(?:[\s,.!;:-]+|$)){0,3}`)

// AfterSalutation returns a text without its opening words of greeting or thanks: if the rest
// begins with somebody's name, the text is addressed to them ("Thanks @Bob!").
func AfterSalutation(text string) string { return text[len(salutation.FindString(text)):] }
