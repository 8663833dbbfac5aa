package bot

import "threadkeeper/agent"

// wording is what the bot itself says in one language. None of it mentions
// anybody.
type wording struct {
	stopped, erased             string
	retry                       string
	somethingElse, justAnswer   string
	typeIt, notYours, closed    string
	inWords                     string
	idle, stopping, stoppingAll string // stoppingAll: number of messages that wait
	nothingFailed               string
	thanks, done, again         string
	welcome, notice, noticeDM   string
	greeting, known             string // known: number of messages
	knownDocuments              string // names
	threads, noThreads          string
	inThreads, oneThread        string // oneThread: command
	readingThread               string
	noSettings, adminsOnly      string
	oneOf                       string // values
	followThread, followMention string
	followAlways                string
	replyThread, replyChannel   string
	onlyAsker                   string
	noDocuments                 string
	above, pageGone, noPicture  string
	reading, readingPage        string // file; file, page, pages
	failed, gaveUp              string
	auth, quota, rateLimit      string
	rateLimitAt                 string // duration
	overloaded, timeout         string
	unreachable, badRequest     string
	tooLong, refused, garbage   string
	truncated, noModel          string
	encrypted, damaged, notPDF  string // each: file
	scanned, empty, tooLarge    string
	tooManyPages, slowFile      string
	unsupported, goneFile       string
	noEngine, unreadable        string
	barred                      string
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
		inWords: "Answered in words.",
		idle:    "Nothing is running here.", stopping: "Stopping.",
		stoppingAll:    "Stopping, with %d waiting messages.",
		nothingFailed:  "There is nothing to retry here.",
		done:           "Done.",
		again:          "I ask again.",
		welcome:        "Hello! I answer questions, remember each thread however long it grows, and cite the pages of the documents you post. Mention me with a question, or with a PDF, Word or text file; in a thread that I am part of you need not mention me again. `help` lists the rest.",
		notice:         "What is said in threads that I am part of, and the files there, are stored so that I remember them. `/memory forget` erases your own messages, `/memory show` shows what I keep (in a thread, mention me with `memory forget`); a message that you delete is erased as well.",
		noticeDM:       "What you say to me here, and your files, are stored so that I remember them. `/memory forget` erases your messages, `/memory show` shows what I keep, `help` lists the rest.",
		greeting:       "I am here. Ask me something, or post a PDF, Word or text file and ask about it; `help` lists what else I can do.",
		known:          "Known here: messages: %d.",
		knownDocuments: "Documents: %s.",
		oneThread:      "`%s` is about one conversation. In its thread, mention me with these words.",
		readingThread:  "Reading the thread",
		threads:        "My conversations here, the latest first:",
		noThreads:      "There is no conversation here yet. Mention me to begin one.",
		inThreads:      "In the threads here (ask there, or share one with the channel from its thread):",
		noSettings:     "A direct message has no settings: I answer everything here.",
		adminsOnly:     "Only an administrator of this workspace can change that.",
		oneOf:          "It can be one of %s.",
		onlyAsker:      "Only the one who asked can have it asked again.",
		noDocuments:    "I do not use documents here: others than your workspace read along, or you are a guest in it.",
		above:          "The page is shown above already.",
		pageGone:       "That page is no longer there, or not open to you.",
		noPicture:      "Only pages of PDFs can be shown as pictures.",
		barred:         "I did not read %s: I do not use documents where others than this workspace read along, nor those of guests.",
		followThread:   "in threads I am part of, without a mention",
		followMention:  "only when I am mentioned",
		followAlways:   "every message of this channel",
		replyThread:    "in a thread on the message",
		replyChannel:   "in the channel itself, which is one conversation",
		failed:         "Something went wrong while I worked on this. Your message is kept; Retry asks again.",
		gaveUp:         "I tried this several times and could not finish it. Your message is kept; Retry asks again, or put it differently.",
		auth:           "The model refused the key: check OPENAI_API_KEY or ANTHROPIC_API_KEY, then Retry.",
		quota:          "The model's account is out of credit. Top it up, then Retry.",
		rateLimit:      "The model takes no more requests for the moment. Please Retry in a minute.",
		rateLimitAt:    "The model takes no more requests for the moment. Please Retry in %s.",
		overloaded:     "The model's service has trouble at the moment. Please Retry in a minute.",
		timeout:        "This took too long, so I stopped waiting. Retry asks again; a narrower question is faster.",
		unreachable:    "I cannot reach the model. Check OPENAI_BASE_URL and the network, then Retry.",
		badRequest:     "The model did not accept the request. The log has the details; check MODEL.",
		tooLong:        "This is too much for the model at once. Please ask about a part of it.",
		refused:        "The model declined to answer this. Putting it differently may help.",
		garbage:        "The model's answer could not be read. Retry asks again.",
		truncated:      "The answer broke off here. Retry asks again.",
		noModel:        "There is no such model at this address: check MODEL and OPENAI_BASE_URL.",
		encrypted:      "I could not read %s: it needs a password. Please upload a copy without one.",
		damaged:        "I could not read %s: the file is damaged. Please export or save it again and upload that.",
		notPDF:         "I could not read %s: it is named like a PDF but is something else. Please check the file and upload it again.",
		scanned:        "I could not read %s: its pages are pictures without text. Please run text recognition (OCR) and upload the result.",
		empty:          "I could not read %s: there is nothing in it. Please check the file and upload it again.",
		tooLarge:       "I could not read %s: it is too large. Please upload a smaller file or a part of it.",
		tooManyPages:   "I could not read %s: it has too many pages or too much text. Please upload the part you need, or raise MAX_PAGES.",
		slowFile:       "I could not read %s in the time a file is given. Please upload a part of it.",
		unsupported:    "I could not read %s: I read PDF, DOCX, text, Markdown, CSV and JSON. Please upload it as one of these.",
		goneFile:       "I could not fetch %s: it is gone or I may not read it. Please upload it again.",
		noEngine:       "I could not read %s: this build has no PDF engine. Run `make` and start me again.",
		unreadable:     "I could not read %s. Please upload it again, or as another format.",
	},
	"de": {
		stopped: "Angehalten.", erased: "Die Nachricht wurde gelöscht, darum habe ich aufgehört.",
		retry: "Nochmal", somethingElse: "Etwas anderes", justAnswer: "Einfach antworten",
		typeIt: "Bitte schreib, was du meinst.", notYours: "Diese Frage war für jemand anderen.", closed: "Diese Frage ist erledigt.",
		thanks: "Danke für die Rückmeldung.", reading: "Lese %s", readingPage: "Lese %s, Seite %d von %d",
		inWords: "In Worten beantwortet.",
		idle:    "Hier läuft gerade nichts.", stopping: "Ich höre auf.",
		stoppingAll:    "Ich höre auf, auch mit wartenden Nachrichten: %d.",
		nothingFailed:  "Hier gibt es nichts noch einmal zu versuchen.",
		done:           "Erledigt.",
		again:          "Ich frage noch einmal.",
		welcome:        "Hallo! Ich beantworte Fragen, erinnere mich an jeden Thread, so lang er auch wird, und nenne die Seiten der Dokumente, die ihr hochladet. Erwähne mich mit einer Frage oder mit einer PDF-, Word- oder Textdatei; in einem Thread, an dem ich teilnehme, geht es danach ohne Erwähnung weiter. `help` nennt den Rest.",
		notice:         "Was in Threads gesagt wird, an denen ich teilnehme, und die Dateien dort, werden gespeichert, damit ich mich erinnere. `/memory forget` löscht deine eigenen Nachrichten, `/memory show` zeigt, was ich behalte (im Thread: erwähne mich mit `memory forget`); eine Nachricht, die du löschst, wird auch hier gelöscht.",
		noticeDM:       "Was du mir hier sagst, und deine Dateien, werden gespeichert, damit ich mich erinnere. `/memory forget` löscht deine Nachrichten, `/memory show` zeigt, was ich behalte, `help` nennt den Rest.",
		greeting:       "Ich bin da. Frag mich etwas, oder lade eine PDF-, Word- oder Textdatei hoch und frag danach; `help` nennt, was ich noch kann.",
		known:          "Hier bekannt: Nachrichten: %d.",
		knownDocuments: "Dokumente: %s.",
		oneThread:      "`%s` gilt einer einzelnen Unterhaltung. Erwähne mich mit diesen Worten in ihrem Thread.",
		readingThread:  "Lese den Thread",
		threads:        "Meine Unterhaltungen hier, die neueste zuerst:",
		noThreads:      "Hier gibt es noch keine Unterhaltung. Erwähne mich, um eine zu beginnen.",
		inThreads:      "In den Threads hier (frag dort, oder gib eines aus seinem Thread für den Kanal frei):",
		noSettings:     "Eine Direktnachricht hat keine Einstellungen: hier antworte ich auf alles.",
		adminsOnly:     "Das kann nur ein Administrator dieses Arbeitsbereichs ändern.",
		oneOf:          "Möglich ist eines von %s.",
		onlyAsker:      "Nur wer gefragt hat, kann noch einmal fragen lassen.",
		noDocuments:    "Dokumente verwende ich hier nicht: es lesen andere als dein Arbeitsbereich mit, oder du bist dort Gast.",
		above:          "Die Seite steht schon weiter oben.",
		pageGone:       "Diese Seite gibt es nicht mehr, oder du darfst sie nicht sehen.",
		noPicture:      "Nur Seiten von PDFs lassen sich als Bild zeigen.",
		barred:         "Ich habe %s nicht gelesen: wo andere als dieser Arbeitsbereich mitlesen, verwende ich keine Dokumente, und auch keine von Gästen.",
		followThread:   "in Threads, an denen ich teilnehme, ohne Erwähnung",
		followMention:  "nur, wenn ich erwähnt werde",
		followAlways:   "jede Nachricht dieses Kanals",
		replyThread:    "in einem Thread an der Nachricht",
		replyChannel:   "im Kanal selbst, der eine einzige Unterhaltung ist",
		failed:         "Dabei ist etwas schiefgegangen. Deine Nachricht ist gespeichert; „Nochmal“ (oder retry) fragt erneut.",
		gaveUp:         "Ich habe es mehrmals versucht und bin nicht fertig geworden. Deine Nachricht ist gespeichert; „Nochmal“ fragt erneut, oder formuliere sie anders.",
		auth:           "Das Modell hat den Schlüssel abgelehnt: bitte OPENAI_API_KEY oder ANTHROPIC_API_KEY prüfen, dann „Nochmal“.",
		quota:          "Das Guthaben für das Modell ist aufgebraucht. Bitte aufladen, dann „Nochmal“.",
		rateLimit:      "Das Modell nimmt gerade keine Anfragen mehr an. Bitte in einer Minute „Nochmal“.",
		rateLimitAt:    "Das Modell nimmt gerade keine Anfragen mehr an. Bitte in %s „Nochmal“.",
		overloaded:     "Der Dienst des Modells hat gerade Schwierigkeiten. Bitte in einer Minute „Nochmal“.",
		timeout:        "Das hat zu lange gedauert. „Nochmal“ fragt erneut; eine engere Frage geht schneller.",
		unreachable:    "Ich erreiche das Modell nicht. Bitte OPENAI_BASE_URL und das Netz prüfen, dann „Nochmal“.",
		badRequest:     "Das Modell hat die Anfrage nicht angenommen. Näheres steht im Protokoll; bitte MODEL prüfen.",
		tooLong:        "Das ist für das Modell auf einmal zu viel. Bitte frag nach einem Teil davon.",
		refused:        "Das Modell wollte darauf nicht antworten. Anders gefragt geht es vielleicht.",
		garbage:        "Die Antwort des Modells war nicht lesbar. „Nochmal“ fragt erneut.",
		truncated:      "Hier ist die Antwort abgebrochen. „Nochmal“ fragt erneut.",
		noModel:        "Dieses Modell gibt es dort nicht: bitte MODEL und OPENAI_BASE_URL prüfen.",
		encrypted:      "Ich konnte %s nicht lesen: die Datei braucht ein Passwort. Bitte lade eine Kopie ohne hoch.",
		damaged:        "Ich konnte %s nicht lesen: die Datei ist beschädigt. Bitte speichere sie neu und lade sie wieder hoch.",
		notPDF:         "Ich konnte %s nicht lesen: sie heißt wie ein PDF, ist aber keines. Bitte prüfe die Datei.",
		scanned:        "Ich konnte %s nicht lesen: die Seiten sind Bilder ohne Text. Bitte lass eine Texterkennung (OCR) laufen und lade das Ergebnis hoch.",
		empty:          "Ich konnte %s nicht lesen: es steht nichts darin. Bitte prüfe die Datei.",
		tooLarge:       "Ich konnte %s nicht lesen: die Datei ist zu groß. Bitte lade eine kleinere oder einen Teil hoch.",
		tooManyPages:   "Ich konnte %s nicht lesen: sie hat zu viele Seiten oder zu viel Text. Bitte lade den nötigen Teil hoch, oder erhöhe MAX_PAGES.",
		slowFile:       "Ich konnte %s nicht in der vorgesehenen Zeit lesen. Bitte lade einen Teil davon hoch.",
		unsupported:    "Ich konnte %s nicht lesen: ich lese PDF, DOCX, Text, Markdown, CSV und JSON. Bitte lade es so hoch.",
		goneFile:       "Ich konnte %s nicht holen: die Datei ist weg oder ich darf sie nicht lesen. Bitte lade sie noch einmal hoch.",
		noEngine:       "Ich konnte %s nicht lesen: diesem Programm fehlt das PDF-Werk. Bitte `make` ausführen und neu starten.",
		unreadable:     "Ich konnte %s nicht lesen. Bitte lade die Datei noch einmal oder in einem anderen Format hoch.",
	},
	"fr": {
		stopped: "Arrêté.", erased: "Le message a été supprimé, je me suis donc arrêté.",
		retry: "Réessayer", somethingElse: "Autre chose", justAnswer: "Répondez simplement",
		typeIt: "Écrivez ce que vous voulez dire.", notYours: "Cette question était pour quelqu'un d'autre.", closed: "Cette question est close.",
		thanks: "Merci pour votre avis.", reading: "Lecture de %s", readingPage: "Lecture de %s, page %d sur %d",
		inWords: "Répondu avec des mots.",
		idle:    "Rien n'est en cours ici.", stopping: "J'arrête.",
		stoppingAll:    "J'arrête, ainsi que les messages en attente : %d.",
		nothingFailed:  "Il n'y a rien à réessayer ici.",
		done:           "C'est fait.",
		again:          "Je repose la question.",
		welcome:        "Bonjour ! Je réponds aux questions, je me souviens de chaque fil aussi long soit-il, et je cite les pages des documents que vous déposez. Mentionnez-moi avec une question, ou avec un fichier PDF, Word ou texte ; dans un fil auquel je participe, il n'est plus nécessaire de me mentionner. `help` donne le reste.",
		notice:         "Ce qui se dit dans les fils auxquels je participe, et les fichiers, sont conservés pour que je m'en souvienne. `/memory forget` efface vos propres messages, `/memory show` montre ce que je garde (dans un fil, mentionnez-moi avec `memory forget`) ; un message que vous supprimez est effacé aussi.",
		noticeDM:       "Ce que vous me dites ici, et vos fichiers, sont conservés pour que je m'en souvienne. `/memory forget` efface vos messages, `/memory show` montre ce que je garde, `help` donne le reste.",
		greeting:       "Je suis là. Posez-moi une question, ou déposez un fichier PDF, Word ou texte et interrogez-moi à son sujet ; `help` donne le reste.",
		known:          "Connu ici : messages : %d.",
		knownDocuments: "Documents : %s.",
		oneThread:      "`%s` concerne une seule conversation. Mentionnez-moi avec ces mots dans son fil.",
		readingThread:  "Lecture du fil",
		threads:        "Mes conversations ici, la plus récente d'abord :",
		noThreads:      "Il n'y a pas encore de conversation ici. Mentionnez-moi pour en commencer une.",
		inThreads:      "Dans les fils d'ici (interrogez-moi là, ou partagez un document avec le canal depuis son fil) :",
		noSettings:     "Un message direct n'a pas de réglages : ici je réponds à tout.",
		adminsOnly:     "Seul un administrateur de cet espace peut changer cela.",
		oneOf:          "Les valeurs possibles sont %s.",
		onlyAsker:      "Seule la personne qui a posé la question peut la faire reposer.",
		noDocuments:    "Je n'utilise pas de documents ici : d'autres que votre espace lisent, ou vous y êtes invité.",
		above:          "La page est déjà affichée plus haut.",
		pageGone:       "Cette page n'existe plus, ou ne vous est pas ouverte.",
		noPicture:      "Seules les pages de PDF peuvent être montrées en image.",
		barred:         "Je n'ai pas lu %s : je n'utilise pas de documents là où d'autres que cet espace lisent, ni ceux des invités.",
		followThread:   "dans les fils auxquels je participe, sans mention",
		followMention:  "seulement quand on me mentionne",
		followAlways:   "à chaque message de ce canal",
		replyThread:    "dans un fil sur le message",
		replyChannel:   "dans le canal même, qui est une seule conversation",
		failed:         "Une erreur est survenue. Votre message est conservé ; « Réessayer » (ou retry) repose la question.",
		gaveUp:         "J'ai essayé plusieurs fois sans y arriver. Votre message est conservé ; « Réessayer » repose la question, ou formulez-la autrement.",
		auth:           "Le modèle a refusé la clé : vérifiez OPENAI_API_KEY ou ANTHROPIC_API_KEY, puis « Réessayer ».",
		quota:          "Le compte du modèle est épuisé. Rechargez-le, puis « Réessayer ».",
		rateLimit:      "Le modèle n'accepte plus de demandes pour le moment. « Réessayer » dans une minute.",
		rateLimitAt:    "Le modèle n'accepte plus de demandes pour le moment. « Réessayer » dans %s.",
		overloaded:     "Le service du modèle a des difficultés. « Réessayer » dans une minute.",
		timeout:        "C'était trop long, j'ai cessé d'attendre. « Réessayer » repose la question ; une question plus précise va plus vite.",
		unreachable:    "Je n'arrive pas à joindre le modèle. Vérifiez OPENAI_BASE_URL et le réseau, puis « Réessayer ».",
		badRequest:     "Le modèle n'a pas accepté la demande. Le journal donne les détails ; vérifiez MODEL.",
		tooLong:        "C'est trop à la fois pour le modèle. Posez la question sur une partie.",
		refused:        "Le modèle n'a pas voulu répondre. Une autre formulation peut aider.",
		garbage:        "La réponse du modèle était illisible. « Réessayer » repose la question.",
		truncated:      "La réponse s'est interrompue ici. « Réessayer » repose la question.",
		noModel:        "Ce modèle n'existe pas à cette adresse : vérifiez MODEL et OPENAI_BASE_URL.",
		encrypted:      "Je n'ai pas pu lire %s : il faut un mot de passe. Envoyez une copie sans mot de passe.",
		damaged:        "Je n'ai pas pu lire %s : le fichier est endommagé. Enregistrez-le à nouveau et renvoyez-le.",
		notPDF:         "Je n'ai pas pu lire %s : il porte un nom de PDF mais n'en est pas un. Vérifiez le fichier.",
		scanned:        "Je n'ai pas pu lire %s : ses pages sont des images sans texte. Passez-le à la reconnaissance de texte (OCR) et envoyez le résultat.",
		empty:          "Je n'ai pas pu lire %s : il est vide. Vérifiez le fichier.",
		tooLarge:       "Je n'ai pas pu lire %s : il est trop grand. Envoyez un fichier plus petit ou une partie.",
		tooManyPages:   "Je n'ai pas pu lire %s : trop de pages ou trop de texte. Envoyez la partie utile, ou augmentez MAX_PAGES.",
		slowFile:       "Je n'ai pas pu lire %s dans le temps prévu. Envoyez-en une partie.",
		unsupported:    "Je n'ai pas pu lire %s : je lis PDF, DOCX, texte, Markdown, CSV et JSON. Envoyez-le dans l'un de ces formats.",
		goneFile:       "Je n'ai pas pu récupérer %s : il n'existe plus ou je n'y ai pas accès. Renvoyez-le.",
		noEngine:       "Je n'ai pas pu lire %s : ce programme n'a pas de moteur PDF. Lancez `make` puis redémarrez.",
		unreadable:     "Je n'ai pas pu lire %s. Renvoyez-le, ou dans un autre format.",
	},
	"es": {
		stopped: "Detenido.", erased: "El mensaje se borró, así que me detuve.",
		retry: "Reintentar", somethingElse: "Otra cosa", justAnswer: "Responde sin más",
		typeIt: "Escribe lo que quieres decir.", notYours: "Esta pregunta era para otra persona.", closed: "Esta pregunta está cerrada.",
		thanks: "Gracias por tu opinión.", reading: "Leyendo %s", readingPage: "Leyendo %s, página %d de %d",
		inWords: "Respondida con palabras.",
		idle:    "Aquí no hay nada en marcha.", stopping: "Me detengo.",
		stoppingAll:    "Me detengo, también con los mensajes en espera: %d.",
		nothingFailed:  "Aquí no hay nada que reintentar.",
		done:           "Hecho.",
		again:          "Pregunto de nuevo.",
		welcome:        "¡Hola! Respondo preguntas, recuerdo cada hilo por largo que sea y cito las páginas de los documentos que subáis. Mencióname con una pregunta, o con un archivo PDF, Word o de texto; en un hilo en el que participo ya no hace falta mencionarme. `help` muestra lo demás.",
		notice:         "Lo que se dice en los hilos en que participo, y los archivos, se guardan para que yo lo recuerde. `/memory forget` borra tus propios mensajes, `/memory show` muestra lo que guardo (en un hilo, mencióname con `memory forget`); un mensaje que borras se borra también aquí.",
		noticeDM:       "Lo que me dices aquí, y tus archivos, se guardan para que yo lo recuerde. `/memory forget` borra tus mensajes, `/memory show` muestra lo que guardo, `help` lo demás.",
		greeting:       "Aquí estoy. Pregúntame algo, o sube un archivo PDF, Word o de texto y pregunta por él; `help` muestra lo demás.",
		known:          "Conocido aquí: mensajes: %d.",
		knownDocuments: "Documentos: %s.",
		oneThread:      "`%s` se refiere a una sola conversación. Mencióname con estas palabras en su hilo.",
		readingThread:  "Leyendo el hilo",
		threads:        "Mis conversaciones aquí, la más reciente primero:",
		noThreads:      "Aquí no hay todavía ninguna conversación. Mencióname para empezar una.",
		inThreads:      "En los hilos de aquí (pregunta allí, o comparte uno con el canal desde su hilo):",
		noSettings:     "Un mensaje directo no tiene ajustes: aquí respondo a todo.",
		adminsOnly:     "Solo un administrador de este espacio puede cambiarlo.",
		oneOf:          "Puede ser uno de %s.",
		onlyAsker:      "Solo quien preguntó puede hacer que se pregunte de nuevo.",
		noDocuments:    "Aquí no uso documentos: leen otros además de tu espacio, o eres invitado en él.",
		above:          "La página ya se muestra más arriba.",
		pageGone:       "Esa página ya no está, o no está abierta para ti.",
		noPicture:      "Solo las páginas de PDF pueden mostrarse como imagen.",
		barred:         "No leí %s: no uso documentos donde leen otros además de este espacio, ni los de invitados.",
		followThread:   "en hilos en los que participo, sin mención",
		followMention:  "solo cuando me mencionan",
		followAlways:   "cada mensaje de este canal",
		replyThread:    "en un hilo sobre el mensaje",
		replyChannel:   "en el propio canal, que es una sola conversación",
		failed:         "Algo salió mal. Tu mensaje está guardado; «Reintentar» (o retry) pregunta de nuevo.",
		gaveUp:         "Lo intenté varias veces y no pude terminar. Tu mensaje está guardado; «Reintentar» pregunta de nuevo, o dilo de otra manera.",
		auth:           "El modelo rechazó la clave: revisa OPENAI_API_KEY o ANTHROPIC_API_KEY y luego «Reintentar».",
		quota:          "La cuenta del modelo no tiene saldo. Recárgala y luego «Reintentar».",
		rateLimit:      "El modelo no acepta más peticiones por ahora. «Reintentar» en un minuto.",
		rateLimitAt:    "El modelo no acepta más peticiones por ahora. «Reintentar» en %s.",
		overloaded:     "El servicio del modelo tiene problemas. «Reintentar» en un minuto.",
		timeout:        "Tardó demasiado y dejé de esperar. «Reintentar» pregunta de nuevo; una pregunta más concreta es más rápida.",
		unreachable:    "No puedo conectar con el modelo. Revisa OPENAI_BASE_URL y la red, y luego «Reintentar».",
		badRequest:     "El modelo no aceptó la petición. El registro tiene los detalles; revisa MODEL.",
		tooLong:        "Es demasiado para el modelo de una vez. Pregunta por una parte.",
		refused:        "El modelo no quiso responder. Decirlo de otra manera puede ayudar.",
		garbage:        "La respuesta del modelo no se pudo leer. «Reintentar» pregunta de nuevo.",
		truncated:      "La respuesta se cortó aquí. «Reintentar» pregunta de nuevo.",
		noModel:        "No hay tal modelo en esa dirección: revisa MODEL y OPENAI_BASE_URL.",
		encrypted:      "No pude leer %s: necesita contraseña. Sube una copia sin ella.",
		damaged:        "No pude leer %s: el archivo está dañado. Guárdalo de nuevo y súbelo.",
		notPDF:         "No pude leer %s: se llama como un PDF pero no lo es. Revisa el archivo.",
		scanned:        "No pude leer %s: sus páginas son imágenes sin texto. Pásale un reconocimiento de texto (OCR) y sube el resultado.",
		empty:          "No pude leer %s: no contiene nada. Revisa el archivo.",
		tooLarge:       "No pude leer %s: es demasiado grande. Sube uno más pequeño o una parte.",
		tooManyPages:   "No pude leer %s: tiene demasiadas páginas o texto. Sube la parte que necesites, o aumenta MAX_PAGES.",
		slowFile:       "No pude leer %s en el tiempo previsto. Sube una parte.",
		unsupported:    "No pude leer %s: leo PDF, DOCX, texto, Markdown, CSV y JSON. Súbelo en uno de estos formatos.",
		goneFile:       "No pude obtener %s: ya no está o no puedo leerlo. Súbelo otra vez.",
		noEngine:       "No pude leer %s: este programa no tiene motor de PDF. Ejecuta `make` y reinícialo.",
		unreadable:     "No pude leer %s. Súbelo otra vez, o en otro formato.",
	},
}
