package slack

import "threadkeeper/bot/say"

// homeWords are the texts of our Home page and of the start of a conversation, in one
// language.
type homeWords struct {
	ask, canDo, canRead    string
	remember               string
	begin, steps           string // steps: our user id
	threads, noThreads     string
	documents, noDocuments string
	pages, page            string // pages: how many
	direct, channel        string // where a thread is whose channel has no name
}

// homeWordsIn returns the texts in a language, as in platform.Home.Language, or a locale ("de-DE");
// English if there are none in it.
func homeWordsIn(language string) homeWords { return homeWordings[say.In(language).Code] }

var homeWordings = map[string]homeWords{
	"en": {
		ask:   "Ask me anything, or drop a PDF here and ask about it.",
		canDo: "What can you do?", canRead: "Which documents can you read here?", remember: "What do you remember?",
		begin: "Start here",
		steps: "• Mention <@%s> in a channel: I answer in a thread, and you can continue there without a mention.\n" +
			"• Write to me under *Messages* for a conversation of our own.\n" +
			"• Add a PDF to your message and ask about it: I cite the page and show it.\n" +
			"• `/memory status` shows what I keep, `/memory forget` erases what you said, `/docs list` names the documents, `/memory help` all commands.",
		threads: "Your threads", noThreads: "None yet. Questions you ask me in a channel or in a direct message are listed here.",
		documents: "Documents you can ask about", noDocuments: "None yet. Post a PDF together with a question and mention me.",
		pages: "%d pages", page: "1 page", direct: "direct message", channel: "a channel",
	},
	"de": {
		ask:   "Frag mich etwas, oder leg ein PDF hier ab und frag danach.",
		canDo: "Was kannst du?", canRead: "Welche Dokumente kannst du hier lesen?", remember: "Woran erinnerst du dich?",
		begin: "So geht es los",
		steps: "• Erwähne <@%s> in einem Kanal: Ich antworte in einem Thread, und dort geht es ohne Erwähnung weiter.\n" +
			"• Schreib mir unter *Nachrichten*, wenn wir uns zu zweit unterhalten sollen.\n" +
			"• Häng ein PDF an deine Nachricht und frag danach: Ich nenne die Seite und zeige sie.\n" +
			"• `/memory status` zeigt, was ich behalte, `/memory forget` löscht, was du gesagt hast, `/docs list` nennt die Dokumente, `/memory help` alle Befehle.",
		threads: "Deine Threads", noThreads: "Noch keine. Was du mich in einem Kanal oder in einer Direktnachricht fragst, steht hier.",
		documents: "Dokumente, nach denen du fragen kannst", noDocuments: "Noch keine. Lade ein PDF mit einer Frage hoch und erwähne mich.",
		pages: "%d Seiten", page: "1 Seite", direct: "Direktnachricht", channel: "ein Kanal",
	},
	"fr": {
		ask:   "Posez-moi une question, ou déposez un PDF ici et interrogez-moi à son sujet.",
		canDo: "Que savez-vous faire ?", canRead: "Quels documents pouvez-vous lire ici ?", remember: "De quoi vous souvenez-vous ?",
		begin: "Pour commencer",
		steps: "• Mentionnez <@%s> dans un canal : je réponds dans un fil, et vous y continuez sans mention.\n" +
			"• Écrivez-moi sous *Messages* pour une conversation à deux.\n" +
			"• Joignez un PDF à votre message et posez une question : je cite la page et je la montre.\n" +
			"• `/memory status` montre ce que je garde, `/memory forget` efface ce que vous avez dit, `/docs list` nomme les documents, `/memory help` toutes les commandes.",
		threads: "Vos fils", noThreads: "Aucun pour l'instant. Ce que vous me demandez dans un canal ou en message direct figure ici.",
		documents: "Documents sur lesquels vous pouvez m'interroger", noDocuments: "Aucun pour l'instant. Envoyez un PDF avec une question et mentionnez-moi.",
		pages: "%d pages", page: "1 page", direct: "message direct", channel: "un canal",
	},
	"es": {
		ask:   "Pregúntame algo, o suelta aquí un PDF y pregunta por él.",
		canDo: "¿Qué sabes hacer?", canRead: "¿Qué documentos puedes leer aquí?", remember: "¿Qué recuerdas?",
		begin: "Para empezar",
		steps: "• Menciona a <@%s> en un canal: respondo en un hilo, y allí sigues sin mención.\n" +
			"• Escríbeme en *Mensajes* para una conversación entre los dos.\n" +
			"• Adjunta un PDF a tu mensaje y pregunta por él: cito la página y la muestro.\n" +
			"• `/memory status` muestra lo que guardo, `/memory forget` borra lo que dijiste, `/docs list` nombra los documentos, `/memory help` todos los comandos.",
		threads: "Tus hilos", noThreads: "Ninguno todavía. Lo que me preguntes en un canal o en un mensaje directo aparece aquí.",
		documents: "Documentos sobre los que puedes preguntar", noDocuments: "Ninguno todavía. Envía un PDF con una pregunta y mencióname.",
		pages: "%d páginas", page: "1 página", direct: "mensaje directo", channel: "un canal",
	},
}
