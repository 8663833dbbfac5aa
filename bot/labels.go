package bot

// Labels are what a platform writes itself, in one language.
type Labels struct {
	ShowPage  string // number of the page
	Page      string // number of the page, behind a document's name
	Stop      string // ends the running turn
	Helpful   string // what the thumbs mean, for those who do not see them
	Unhelpful string
	Direct    string // name of a file that was sent as a direct message
	NoFiles   string // name of a file where none may be posted
	Muted     string // link to the question in a channel where nothing may be posted
	TooLarge  string // name, size and limit in MiB of a file that is not posted
}

// LabelsIn are those in a language, as Outgoing.Language has it; English for one we
// have none in.
func LabelsIn(language string) Labels {
	if l, ok := labels[language]; ok {
		return l
	}
	return labels["en"]
}

var labels = map[string]Labels{
	"en": {ShowPage: "Show page %d", Stop: "Stop", Page: "page %d", Helpful: "This answer helped", Unhelpful: "This answer did not help",
		Direct:   "%s is in your direct messages with me.",
		NoFiles:  "I may not post files here, so I cannot show %s. Somebody who manages this channel can allow me “Attach Files”.",
		Muted:    "I cannot answer %s: I may not write there. Somebody who manages the channel can allow me “Send Messages” and “Send Messages in Threads”.",
		TooLarge: "%s is too large to be posted here: it has %.1f MiB, at most %d are taken."},
	"de": {ShowPage: "Seite %d zeigen", Stop: "Anhalten", Page: "Seite %d", Helpful: "Die Antwort hat geholfen", Unhelpful: "Die Antwort hat nicht geholfen",
		Direct:   "%s ist in deinen Direktnachrichten mit mir.",
		NoFiles:  "Ich darf hier keine Dateien posten und kann %s darum nicht zeigen. Wer den Kanal verwaltet, kann mir „Dateien anhängen“ erlauben.",
		Muted:    "Ich kann auf %s nicht antworten: Dort darf ich nicht schreiben. Wer den Kanal verwaltet, kann mir „Nachrichten senden“ und „Nachrichten in Threads senden“ erlauben.",
		TooLarge: "%s ist zu groß, um hier gezeigt zu werden: es sind %.1f MiB, höchstens %d gehen."},
	"fr": {ShowPage: "Voir la page %d", Stop: "Arrêter", Page: "page %d", Helpful: "Cette réponse a aidé", Unhelpful: "Cette réponse n'a pas aidé",
		Direct:   "%s est dans vos messages directs avec moi.",
		NoFiles:  "Je n'ai pas le droit de publier des fichiers ici et ne peux donc pas montrer %s. Qui gère ce salon peut m'accorder « Joindre des fichiers ».",
		Muted:    "Je ne peux pas répondre à %s : je n'ai pas le droit d'y écrire. Qui gère ce salon peut m'accorder « Envoyer des messages » et « Envoyer des messages dans les fils ».",
		TooLarge: "%s est trop grand pour être publié ici : %.1f Mio, la limite est de %d."},
	"es": {ShowPage: "Ver la página %d", Stop: "Detener", Page: "página %d", Helpful: "Esta respuesta ayudó", Unhelpful: "Esta respuesta no ayudó",
		Direct:   "%s está en tus mensajes directos conmigo.",
		NoFiles:  "No puedo publicar archivos aquí, así que no puedo mostrar %s. Quien administra este canal puede permitirme «Adjuntar archivos».",
		Muted:    "No puedo responder a %s: no puedo escribir allí. Quien administra el canal puede permitirme «Enviar mensajes» y «Enviar mensajes en hilos».",
		TooLarge: "%s es demasiado grande para publicarlo aquí: tiene %.1f MiB, el límite es %d."},
}
