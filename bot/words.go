package bot

import "threadkeeper/agent"

// wording is what the bot itself says in one language. None of it mentions
// anybody.
type wording struct {
	stopped, erased            string
	retry                      string
	somethingElse, justAnswer  string
	typeIt, notYours, closed   string
	thanks, welcome            string
	reading, readingPage       string // file; file, page, pages
	failed, gaveUp             string
	auth, quota, rateLimit     string
	rateLimitAt                string // duration
	overloaded, timeout        string
	unreachable, badRequest    string
	tooLong, refused, garbage  string
	truncated, noModel         string
	encrypted, damaged, notPDF string // each: file
	scanned, empty, tooLarge   string
	tooManyPages, slowFile     string
	unsupported, goneFile      string
	noEngine, unreadable       string
}

// languageOf is the language of a text, "en" when it does not show.
func languageOf(text string) string { return agent.Language(text) }

// words are those of a language, English for one we have no words in.
func words(language string) *wording {
	if w, ok := wordings[language]; ok {
		return w
	}
	return wordings["en"]
}

var wordings = map[string]*wording{
	"en": {
		stopped: "Stopped.", erased: "The message was deleted, so I stopped.",
		retry: "Retry", somethingElse: "Something else", justAnswer: "Just answer",
		typeIt: "Please type what you mean.", notYours: "This question was for somebody else.", closed: "This question is closed.",
		thanks: "Thank you for the feedback.", reading: "Reading %s", readingPage: "Reading %s, page %d of %d",
		welcome:      "Hello! Mention me and ask; in a thread that I am part of you need not mention me again. What is said there, and the files, are stored so that I remember them. `/memory forget` erases your own messages, `/memory show` shows what I keep, `/help` the rest.",
		failed:       "Something went wrong while I worked on this. Your message is kept; Retry asks again.",
		gaveUp:       "I tried this several times and could not finish it. Your message is kept; Retry asks again, or put it differently.",
		auth:         "The model refused the key: check OPENAI_API_KEY or ANTHROPIC_API_KEY, then Retry.",
		quota:        "The model's account is out of credit. Top it up, then Retry.",
		rateLimit:    "The model takes no more requests for the moment. Please Retry in a minute.",
		rateLimitAt:  "The model takes no more requests for the moment. Please Retry in %s.",
		overloaded:   "The model's service has trouble at the moment. Please Retry in a minute.",
		timeout:      "This took too long, so I stopped waiting. Retry asks again; a narrower question is faster.",
		unreachable:  "I cannot reach the model. Check OPENAI_BASE_URL and the network, then Retry.",
		badRequest:   "The model did not accept the request. The log has the details; check MODEL.",
		tooLong:      "This is too much for the model at once. Please ask about a part of it.",
		refused:      "The model declined to answer this. Putting it differently may help.",
		garbage:      "The model's answer could not be read. Retry asks again.",
		truncated:    "The answer broke off here. Retry asks again.",
		noModel:      "There is no such model at this address: check MODEL and OPENAI_BASE_URL.",
		encrypted:    "I could not read %s: it needs a password. Please upload a copy without one.",
		damaged:      "I could not read %s: the file is damaged. Please export or save it again and upload that.",
		notPDF:       "I could not read %s: it is named like a PDF but is something else. Please check the file and upload it again.",
		scanned:      "I could not read %s: its pages are pictures without text. Please run text recognition (OCR) and upload the result.",
		empty:        "I could not read %s: there is nothing in it. Please check the file and upload it again.",
		tooLarge:     "I could not read %s: it is too large. Please upload a smaller file or a part of it.",
		tooManyPages: "I could not read %s: it has too many pages or too much text. Please upload the part you need, or raise MAX_PAGES.",
		slowFile:     "I could not read %s in the time a file is given. Please upload a part of it.",
		unsupported:  "I could not read %s: I read PDF, DOCX, text, Markdown, CSV and JSON. Please upload it as one of these.",
		goneFile:     "I could not fetch %s: it is gone or I may not read it. Please upload it again.",
		noEngine:     "I could not read %s: this build has no PDF engine. Run `make` and start me again.",
		unreadable:   "I could not read %s. Please upload it again, or as another format.",
	},
	"de": {
		stopped: "Angehalten.", erased: "Die Nachricht wurde gelöscht, darum habe ich aufgehört.",
		retry: "Nochmal", somethingElse: "Etwas anderes", justAnswer: "Einfach antworten",
		typeIt: "Bitte schreib, was du meinst.", notYours: "Diese Frage war für jemand anderen.", closed: "Diese Frage ist erledigt.",
		thanks: "Danke für die Rückmeldung.", reading: "Lese %s", readingPage: "Lese %s, Seite %d von %d",
		welcome:      "Hallo! Erwähne mich und frag; in einem Thread, an dem ich teilnehme, geht es danach ohne Erwähnung weiter. Was dort gesagt wird, und die Dateien, werden gespeichert, damit ich mich erinnere. `/memory forget` löscht deine eigenen Nachrichten, `/memory show` zeigt, was ich behalte, `/help` den Rest.",
		failed:       "Dabei ist etwas schiefgegangen. Deine Nachricht ist gespeichert; „Nochmal“ (oder retry) fragt erneut.",
		gaveUp:       "Ich habe es mehrmals versucht und bin nicht fertig geworden. Deine Nachricht ist gespeichert; „Nochmal“ fragt erneut, oder formuliere sie anders.",
		auth:         "Das Modell hat den Schlüssel abgelehnt: bitte OPENAI_API_KEY oder ANTHROPIC_API_KEY prüfen, dann „Nochmal“.",
		quota:        "Das Guthaben für das Modell ist aufgebraucht. Bitte aufladen, dann „Nochmal“.",
		rateLimit:    "Das Modell nimmt gerade keine Anfragen mehr an. Bitte in einer Minute „Nochmal“.",
		rateLimitAt:  "Das Modell nimmt gerade keine Anfragen mehr an. Bitte in %s „Nochmal“.",
		overloaded:   "Der Dienst des Modells hat gerade Schwierigkeiten. Bitte in einer Minute „Nochmal“.",
		timeout:      "Das hat zu lange gedauert. „Nochmal“ fragt erneut; eine engere Frage geht schneller.",
		unreachable:  "Ich erreiche das Modell nicht. Bitte OPENAI_BASE_URL und das Netz prüfen, dann „Nochmal“.",
		badRequest:   "Das Modell hat die Anfrage nicht angenommen. Näheres steht im Protokoll; bitte MODEL prüfen.",
		tooLong:      "Das ist für das Modell auf einmal zu viel. Bitte frag nach einem Teil davon.",
		refused:      "Das Modell wollte darauf nicht antworten. Anders gefragt geht es vielleicht.",
		garbage:      "Die Antwort des Modells war nicht lesbar. „Nochmal“ fragt erneut.",
		truncated:    "Hier ist die Antwort abgebrochen. „Nochmal“ fragt erneut.",
		noModel:      "Dieses Modell gibt es dort nicht: bitte MODEL und OPENAI_BASE_URL prüfen.",
		encrypted:    "Ich konnte %s nicht lesen: die Datei braucht ein Passwort. Bitte lade eine Kopie ohne hoch.",
		damaged:      "Ich konnte %s nicht lesen: die Datei ist beschädigt. Bitte speichere sie neu und lade sie wieder hoch.",
		notPDF:       "Ich konnte %s nicht lesen: sie heißt wie ein PDF, ist aber keines. Bitte prüfe die Datei.",
		scanned:      "Ich konnte %s nicht lesen: die Seiten sind Bilder ohne Text. Bitte lass eine Texterkennung (OCR) laufen und lade das Ergebnis hoch.",
		empty:        "Ich konnte %s nicht lesen: es steht nichts darin. Bitte prüfe die Datei.",
		tooLarge:     "Ich konnte %s nicht lesen: die Datei ist zu groß. Bitte lade eine kleinere oder einen Teil hoch.",
		tooManyPages: "Ich konnte %s nicht lesen: sie hat zu viele Seiten oder zu viel Text. Bitte lade den nötigen Teil hoch, oder erhöhe MAX_PAGES.",
		slowFile:     "Ich konnte %s nicht in der vorgesehenen Zeit lesen. Bitte lade einen Teil davon hoch.",
		unsupported:  "Ich konnte %s nicht lesen: ich lese PDF, DOCX, Text, Markdown, CSV und JSON. Bitte lade es so hoch.",
		goneFile:     "Ich konnte %s nicht holen: die Datei ist weg oder ich darf sie nicht lesen. Bitte lade sie noch einmal hoch.",
		noEngine:     "Ich konnte %s nicht lesen: diesem Programm fehlt das PDF-Werk. Bitte `make` ausführen und neu starten.",
		unreadable:   "Ich konnte %s nicht lesen. Bitte lade die Datei noch einmal oder in einem anderen Format hoch.",
	},
	"fr": {
		stopped: "Arrêté.", erased: "Le message a été supprimé, je me suis donc arrêté.",
		retry: "Réessayer", somethingElse: "Autre chose", justAnswer: "Répondez simplement",
		typeIt: "Écrivez ce que vous voulez dire.", notYours: "Cette question était pour quelqu'un d'autre.", closed: "Cette question est close.",
		thanks: "Merci pour votre avis.", reading: "Lecture de %s", readingPage: "Lecture de %s, page %d sur %d",
		welcome:      "Bonjour ! Mentionnez-moi et posez votre question ; dans un fil auquel je participe, il n'est plus nécessaire de me mentionner. Ce qui s'y dit, et les fichiers, sont conservés pour que je m'en souvienne. `/memory forget` efface vos propres messages, `/memory show` montre ce que je garde, `/help` le reste.",
		failed:       "Une erreur est survenue. Votre message est conservé ; « Réessayer » (ou retry) repose la question.",
		gaveUp:       "J'ai essayé plusieurs fois sans y arriver. Votre message est conservé ; « Réessayer » repose la question, ou formulez-la autrement.",
		auth:         "Le modèle a refusé la clé : vérifiez OPENAI_API_KEY ou ANTHROPIC_API_KEY, puis « Réessayer ».",
		quota:        "Le compte du modèle est épuisé. Rechargez-le, puis « Réessayer ».",
		rateLimit:    "Le modèle n'accepte plus de demandes pour le moment. « Réessayer » dans une minute.",
		rateLimitAt:  "Le modèle n'accepte plus de demandes pour le moment. « Réessayer » dans %s.",
		overloaded:   "Le service du modèle a des difficultés. « Réessayer » dans une minute.",
		timeout:      "C'était trop long, j'ai cessé d'attendre. « Réessayer » repose la question ; une question plus précise va plus vite.",
		unreachable:  "Je n'arrive pas à joindre le modèle. Vérifiez OPENAI_BASE_URL et le réseau, puis « Réessayer ».",
		badRequest:   "Le modèle n'a pas accepté la demande. Le journal donne les détails ; vérifiez MODEL.",
		tooLong:      "C'est trop à la fois pour le modèle. Posez la question sur une partie.",
		refused:      "Le modèle n'a pas voulu répondre. Une autre formulation peut aider.",
		garbage:      "La réponse du modèle était illisible. « Réessayer » repose la question.",
		truncated:    "La réponse s'est interrompue ici. « Réessayer » repose la question.",
		noModel:      "Ce modèle n'existe pas à cette adresse : vérifiez MODEL et OPENAI_BASE_URL.",
		encrypted:    "Je n'ai pas pu lire %s : il faut un mot de passe. Envoyez une copie sans mot de passe.",
		damaged:      "Je n'ai pas pu lire %s : le fichier est endommagé. Enregistrez-le à nouveau et renvoyez-le.",
		notPDF:       "Je n'ai pas pu lire %s : il porte un nom de PDF mais n'en est pas un. Vérifiez le fichier.",
		scanned:      "Je n'ai pas pu lire %s : ses pages sont des images sans texte. Passez-le à la reconnaissance de texte (OCR) et envoyez le résultat.",
		empty:        "Je n'ai pas pu lire %s : il est vide. Vérifiez le fichier.",
		tooLarge:     "Je n'ai pas pu lire %s : il est trop grand. Envoyez un fichier plus petit ou une partie.",
		tooManyPages: "Je n'ai pas pu lire %s : trop de pages ou trop de texte. Envoyez la partie utile, ou augmentez MAX_PAGES.",
		slowFile:     "Je n'ai pas pu lire %s dans le temps prévu. Envoyez-en une partie.",
		unsupported:  "Je n'ai pas pu lire %s : je lis PDF, DOCX, texte, Markdown, CSV et JSON. Envoyez-le dans l'un de ces formats.",
		goneFile:     "Je n'ai pas pu récupérer %s : il n'existe plus ou je n'y ai pas accès. Renvoyez-le.",
		noEngine:     "Je n'ai pas pu lire %s : ce programme n'a pas de moteur PDF. Lancez `make` puis redémarrez.",
		unreadable:   "Je n'ai pas pu lire %s. Renvoyez-le, ou dans un autre format.",
	},
	"es": {
		stopped: "Detenido.", erased: "El mensaje se borró, así que me detuve.",
		retry: "Reintentar", somethingElse: "Otra cosa", justAnswer: "Responde sin más",
		typeIt: "Escribe lo que quieres decir.", notYours: "Esta pregunta era para otra persona.", closed: "Esta pregunta está cerrada.",
		thanks: "Gracias por tu opinión.", reading: "Leyendo %s", readingPage: "Leyendo %s, página %d de %d",
		welcome:      "¡Hola! Mencióname y pregunta; en un hilo en el que participo ya no hace falta mencionarme. Lo que se dice allí, y los archivos, se guardan para que yo lo recuerde. `/memory forget` borra tus propios mensajes, `/memory show` muestra lo que guardo, `/help` lo demás.",
		failed:       "Algo salió mal. Tu mensaje está guardado; «Reintentar» (o retry) pregunta de nuevo.",
		gaveUp:       "Lo intenté varias veces y no pude terminar. Tu mensaje está guardado; «Reintentar» pregunta de nuevo, o dilo de otra manera.",
		auth:         "El modelo rechazó la clave: revisa OPENAI_API_KEY o ANTHROPIC_API_KEY y luego «Reintentar».",
		quota:        "La cuenta del modelo no tiene saldo. Recárgala y luego «Reintentar».",
		rateLimit:    "El modelo no acepta más peticiones por ahora. «Reintentar» en un minuto.",
		rateLimitAt:  "El modelo no acepta más peticiones por ahora. «Reintentar» en %s.",
		overloaded:   "El servicio del modelo tiene problemas. «Reintentar» en un minuto.",
		timeout:      "Tardó demasiado y dejé de esperar. «Reintentar» pregunta de nuevo; una pregunta más concreta es más rápida.",
		unreachable:  "No puedo conectar con el modelo. Revisa OPENAI_BASE_URL y la red, y luego «Reintentar».",
		badRequest:   "El modelo no aceptó la petición. El registro tiene los detalles; revisa MODEL.",
		tooLong:      "Es demasiado para el modelo de una vez. Pregunta por una parte.",
		refused:      "El modelo no quiso responder. Decirlo de otra manera puede ayudar.",
		garbage:      "La respuesta del modelo no se pudo leer. «Reintentar» pregunta de nuevo.",
		truncated:    "La respuesta se cortó aquí. «Reintentar» pregunta de nuevo.",
		noModel:      "No hay tal modelo en esa dirección: revisa MODEL y OPENAI_BASE_URL.",
		encrypted:    "No pude leer %s: necesita contraseña. Sube una copia sin ella.",
		damaged:      "No pude leer %s: el archivo está dañado. Guárdalo de nuevo y súbelo.",
		notPDF:       "No pude leer %s: se llama como un PDF pero no lo es. Revisa el archivo.",
		scanned:      "No pude leer %s: sus páginas son imágenes sin texto. Pásale un reconocimiento de texto (OCR) y sube el resultado.",
		empty:        "No pude leer %s: no contiene nada. Revisa el archivo.",
		tooLarge:     "No pude leer %s: es demasiado grande. Sube uno más pequeño o una parte.",
		tooManyPages: "No pude leer %s: tiene demasiadas páginas o texto. Sube la parte que necesites, o aumenta MAX_PAGES.",
		slowFile:     "No pude leer %s en el tiempo previsto. Sube una parte.",
		unsupported:  "No pude leer %s: leo PDF, DOCX, texto, Markdown, CSV y JSON. Súbelo en uno de estos formatos.",
		goneFile:     "No pude obtener %s: ya no está o no puedo leerlo. Súbelo otra vez.",
		noEngine:     "No pude leer %s: este programa no tiene motor de PDF. Ejecuta `make` y reinícialo.",
		unreadable:   "No pude leer %s. Súbelo otra vez, o en otro formato.",
	},
}
