package agent

import "strings"

// phrases are the fixed sentences of one language. Verbs of fmt: %s and %d in the order the
// field's comment names.
type phrases struct {
	dateForm  string // day, month, year
	months    []string
	hello     string
	welcome   string
	noted     string
	extract   string // opens an extract
	youSaid   string // date, text
	iSaid     string // date, text
	otherSaid string // author, date, text
	latest    string // marks the newest of several statements
	notSaid   string
	notInDocs string // names of the documents searched
	closest   string // nothing answers for certain; names of the documents searched
	foreign   string // the document is in another language than the question
	beyond    string // what has nothing to do with the documents
	noModel   string // a question that only a model could answer
	blind     string // asked about a picture without a model
	setUp     string // how to set up a model; follows a sentence that says that there is none

	cannotWrite string // an order that only a model could carry out
	found       string // opens what is quoted all the same
	noRecord    string // asked what is next, and nothing is known
	onRecord    string // opens a list of what is being worked on
	todo        string // labels of facts
	decision    string
	open        string
	lately      string
	assume      string              // words of the request, what they are taken for
	whichDoc    string              // words of the request
	whichOne    string              // words of the request
	whatWith    string              // topic
	whatTo      string              // request
	sides       string              // a comparison that does not say of what
	recalled    string              // option, topic: what was said of it
	inDocs      string              // option, topic: what the documents say of it
	options     map[matter][]string // options for what is not said; %s is the thing
	pages       string              // number of pages
	onePage     string
	blindModel  string // the model was not shown a picture
	pictureHere string // introduces a picture
	card        string // what a new document seems to be about
	try         string // opens suggested questions
	suggest     string // heading
	summary     string // opens an extractive summary; name, pages
	noDeed      string // stands for a claim to have acted
	noOrder     string // stands for an order that nobody asked about
	cutShort    string // the answer is longer than what is shown of it
	stopped     string // the model failed after part of an answer
	down        string // opens what is said instead when the model failed before any
	unproven    string // a model's answer could not be verified
	tooLong     string // the budget is spent

	unchecked     string // stands behind a block with statements that were not checked
	oneUnchecked  string
	manyUnchecked string // how many statements
	oneLeftOut    string // why
	manyLeftOut   string // how many statements, why
	pageSays      string // page, words: why a statement is left out
	nowhere       string // number that no page cited holds
	computes      string // computation and its result
	invented      string // the words cited do not stand in the document
	because       reasons
}

// reasons say in one language why a request was read as it was: each follows "because".
type reasons struct {
	alone      string // it needs nothing to be understood
	answered   string
	greeting   string
	next       string
	file       string
	continued  string
	onlyThing  string // words of the request, what they are taken for
	manyThings string // words of the request, what they may be
	manyDocs   string // words of the request, number of documents
	topic      string
	thing      string
	work       string
	operand    string
	manySenses string
}

// Phrases are our own sentences in every language, for memory.PhraseTerms.
func Phrases() any { return phrasesIn }

var phrasesIn = map[string]*phrases{"en": english, "de": german, "fr": french, "es": spanish}

var english = &phrases{
	dateForm: "%d %s %d",
	months:   strings.Fields("January February March April May June July August September October November December"),
	hello:    "Hello! Ask me about a document you attach, or about anything that was said here.", welcome: "You're welcome.", noted: "Noted.",
	blind: "I cannot look at pictures: that takes a model.", blindModel: "I have not seen the picture: the model I use does not take it.", pictureHere: "a picture. What would you like to know about it?",
	extract: "Without a model I can only quote:", youSaid: "You said on %s: “%s”", iSaid: "I said on %s: “%s”", otherSaid: "%s said on %s: “%s”",
	latest: "(latest)", notSaid: "I did not find that in our history: it was not said here.",
	notInDocs:   "That is not in the document. I searched %s and found no passage that answers it.",
	closest:     "No passage of %s that I found answers this for certain. I can only quote the closest:",
	foreign:     "The document is in another language; without a model I only find the words of a question, so ask in its language.",
	beyond:      "For anything beyond documents and what was said here, set up a model (MODEL and a key).",
	noModel:     "Without a model I can only answer from documents and from what was said here.",
	setUp:       "To set one, give MODEL and a key such as OPENAI_API_KEY or ANTHROPIC_API_KEY (or OPENAI_BASE_URL for a local one), and start again.",
	cannotWrite: "Without a model I can find and quote, but not write, explain or translate.",
	found:       "This is what I found:",
	noRecord:    "Nothing in our history says what is being worked on.", onRecord: "From our history:",
	todo: "To do", decision: "Decided", open: "Open question", lately: "Lately",
	assume: "I take “%s” to mean %s.", whichDoc: "Which document do you mean by “%s”?", whichOne: "What do you mean by “%s”?",
	whatWith: "What would you like to know or do about “%s”?", whatTo: "How can I help with “%s”?", sides: "What is to be compared in “%s”?",
	options:  englishOptions,
	recalled: "What was said here about %s", inDocs: "What the documents say about %s",
	pages: "%d pages", onePage: "1 page", card: "It seems to be about:", try: "You could ask:", suggest: "What does it say about “%s”?",
	summary: "Key sentences of %s (%s), in its order:", noOrder: "I leave out an instruction here that stands in the material and that you did not ask about.",
	noDeed:    "I have done nothing of the kind: I only answer. `memory forget` erases what you said here, `docs remove` a document, and `help` lists the rest.",
	cutShort:  "The answer is longer than 12,000 characters and ends here.",
	stopped:   "The model stopped here; what stands above is checked, but may be incomplete.",
	down:      "This comes without the model, which gave no usable answer:",
	unproven:  "The model's answer could not be verified in the document, so I do not show it.",
	unchecked: "(unchecked)", oneUnchecked: "1 statement is not checked against the document.", manyUnchecked: "%d statements are not checked against the document.", oneLeftOut: "1 statement was left out: %s.", manyLeftOut: "%d statements were left out: %s.", pageSays: "page %d says “%s”", nowhere: "no place cited says %s", computes: "the computation gives %s", invented: "the words cited do not stand in the document",
	tooLong: "This request needs more tokens than one turn may use. Ask for a smaller part of it.",
	because: reasons{
		alone: "it stands on its own", answered: "it answers a question of mine", greeting: "it is a greeting or thanks",
		next: "it asks for the next step, and the memory says what is being worked on",
		file: "it is a file without a question", continued: "it goes on with the question before",
		onlyThing: "“%s” can only be %s", manyThings: "“%s” may be any of %s", manyDocs: "“%s” may be any of %d documents",
		topic: "it is a topic without a request", thing: "it says what there is, not what is wanted",
		work: "it is work to do, without what it depends on", operand: "it is a comparison that does not say of what",
		manySenses: "the model found several readings",
	},
}

var german = &phrases{
	dateForm: "%d. %s %d",
	months:   strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	hello:    "Hallo! Frag mich zu einem Dokument, das du anhängst, oder zu allem, was hier gesagt wurde.", welcome: "Gern geschehen.", noted: "Notiert.",
	blind: "Bilder kann ich nicht ansehen: Dazu braucht es ein Modell.", blindModel: "Das Bild habe ich nicht gesehen: Mein Modell nimmt es nicht an.", pictureHere: "ein Bild. Was möchtest du darüber wissen?",
	extract: "Ohne Modell kann ich nur zitieren:", youSaid: "Du hast am %s gesagt: „%s“", iSaid: "Ich habe am %s gesagt: „%s“", otherSaid: "%s sagte am %s: „%s“",
	latest: "(neuester Stand)", notSaid: "Das habe ich in unserem Verlauf nicht gefunden: Es wurde hier nicht gesagt.",
	notInDocs:   "Das steht nicht im Dokument. Ich habe %s durchsucht und keine Stelle gefunden, die das beantwortet.",
	closest:     "In %s habe ich keine Stelle gefunden, die das sicher beantwortet. Ich kann nur zitieren, was dem am nächsten kommt:",
	foreign:     "Das Dokument ist in einer anderen Sprache; ohne Modell finde ich nur die Wörter einer Frage, frag also in seiner Sprache.",
	beyond:      "Für alles, was nicht in Dokumenten steht oder hier gesagt wurde, richte ein Modell ein (MODEL und einen Schlüssel).",
	noModel:     "Ohne Modell kann ich nur aus Dokumenten antworten und aus dem, was hier gesagt wurde.",
	setUp:       "Um eines einzurichten, setze MODEL und einen Schlüssel wie OPENAI_API_KEY oder ANTHROPIC_API_KEY (oder OPENAI_BASE_URL für ein lokales) und starte neu.",
	cannotWrite: "Ohne Modell kann ich finden und zitieren, aber nicht schreiben, erklären oder übersetzen.",
	found:       "Das habe ich gefunden:",
	noRecord:    "In unserem Verlauf steht nichts darüber, woran gearbeitet wird.", onRecord: "Aus unserem Verlauf:",
	todo: "Zu tun", decision: "Beschlossen", open: "Offene Frage", lately: "Zuletzt",
	assume: "Mit „%s“ meinst du vermutlich %s.", whichDoc: "Welches Dokument meinst du mit „%s“?", whichOne: "Was meinst du mit „%s“?",
	whatWith: "Was möchtest du zu „%s“ wissen oder tun?", whatTo: "Wie kann ich bei „%s“ helfen?", sides: "Was soll bei „%s“ verglichen werden?",
	options:  germanOptions,
	recalled: "Was hier gesagt wurde: %s", inDocs: "Was die Dokumente sagen: %s",
	pages: "%d Seiten", onePage: "1 Seite", card: "Es scheint zu handeln von:", try: "Du könntest fragen:", suggest: "Was steht darin zu „%s“?",
	summary: "Kernsätze aus %s (%s), in dessen Reihenfolge:", noOrder: "Hier lasse ich eine Anweisung weg, die im Material steht und nach der du nicht gefragt hast.",
	noDeed:    "Getan habe ich nichts dergleichen: Ich antworte nur. `memory forget` löscht, was du hier gesagt hast, `docs remove` ein Dokument, und `help` zeigt alles Weitere.",
	cutShort:  "Die Antwort ist länger als 12.000 Zeichen und endet hier.",
	stopped:   "Hier hat das Modell aufgehört; das Obige ist geprüft, aber vielleicht unvollständig.",
	down:      "Dies kommt ohne das Modell, das keine brauchbare Antwort gab:",
	unproven:  "Die Antwort des Modells ließ sich im Dokument nicht belegen, darum zeige ich sie nicht.",
	unchecked: "(ungeprüft)", oneUnchecked: "1 Aussage ist nicht am Dokument geprüft.", manyUnchecked: "%d Aussagen sind nicht am Dokument geprüft.", oneLeftOut: "1 Aussage wurde weggelassen: %s.", manyLeftOut: "%d Aussagen wurden weggelassen: %s.", pageSays: "auf Seite %d steht „%s“", nowhere: "keine zitierte Stelle nennt %s", computes: "die Rechnung ergibt %s", invented: "die zitierten Worte stehen nicht im Dokument",
	tooLong: "Diese Anfrage braucht mehr Tokens, als ein Durchgang verwenden darf. Frag nach einem kleineren Teil.",
	because: reasons{
		alone: "sie steht für sich", answered: "sie beantwortet eine Frage von mir", greeting: "sie ist ein Gruß oder Dank",
		next: "sie fragt nach dem nächsten Schritt, und das Gedächtnis weiß, woran gearbeitet wird",
		file: "sie ist eine Datei ohne Frage", continued: "sie führt die Frage davor weiter",
		onlyThing: "„%s“ kann nur %s sein", manyThings: "„%s“ kann eines von diesen sein: %s", manyDocs: "„%s“ kann jedes von %d Dokumenten sein",
		topic: "sie ist ein Thema ohne Bitte", thing: "sie sagt, was da ist, nicht, was gewünscht wird",
		work: "sie ist ein Auftrag ohne das, wovon er abhängt", operand: "sie ist ein Vergleich, der nicht sagt, wovon",
		manySenses: "das Modell fand mehrere Lesarten",
	},
}

var french = &phrases{
	dateForm: "%d %s %d",
	months:   strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	hello:    "Bonjour ! Interrogez-moi sur un document que vous joignez, ou sur ce qui a été dit ici.", welcome: "Je vous en prie.", noted: "C'est noté.",
	blind: "Je ne peux pas regarder les images : il faut pour cela un modèle.", blindModel: "Je n'ai pas vu l'image : mon modèle ne l'accepte pas.", pictureHere: "une image. Que voulez-vous savoir à son sujet ?",
	extract: "Sans modèle, je ne peux que citer :", youSaid: "Vous avez dit le %s : « %s »", iSaid: "J'ai dit le %s : « %s »", otherSaid: "%s a dit le %s : « %s »",
	latest: "(le plus récent)", notSaid: "Je ne l'ai pas trouvé dans notre historique : cela n'a pas été dit ici.",
	notInDocs:   "Ce n'est pas dans le document. J'ai cherché dans %s sans trouver de passage qui y réponde.",
	closest:     "Je n'ai trouvé dans %s aucun passage qui y réponde avec certitude. Je ne peux que citer le plus proche :",
	foreign:     "Le document est dans une autre langue ; sans modèle, je ne trouve que les mots d'une question : posez-la dans sa langue.",
	beyond:      "Pour ce qui n'est ni dans un document ni dans nos échanges, configurez un modèle (MODEL et une clé).",
	noModel:     "Sans modèle, je ne peux répondre qu'à partir de documents et de ce qui a été dit ici.",
	setUp:       "Pour en configurer un, définissez MODEL et une clé comme OPENAI_API_KEY ou ANTHROPIC_API_KEY (ou OPENAI_BASE_URL pour un modèle local), puis redémarrez.",
	cannotWrite: "Sans modèle, je peux chercher et citer, mais pas rédiger, expliquer ni traduire.",
	found:       "Voici ce que j'ai trouvé :",
	noRecord:    "Rien dans notre historique ne dit sur quoi porte le travail.", onRecord: "D'après notre historique :",
	todo: "À faire", decision: "Décidé", open: "Question ouverte", lately: "Dernièrement",
	assume: "Je comprends « %s » comme %s.", whichDoc: "De quel document parlez-vous avec « %s » ?", whichOne: "Que désignez-vous par « %s » ?",
	whatWith: "Que voulez-vous savoir ou faire à propos de « %s » ?", whatTo: "Comment puis-je aider pour « %s » ?", sides: "Que faut-il comparer dans « %s » ?",
	options:  frenchOptions,
	recalled: "Ce qui a été dit ici : %s", inDocs: "Ce que disent les documents : %s",
	pages: "%d pages", onePage: "1 page", card: "Il semble porter sur :", try: "Vous pourriez demander :", suggest: "Que dit-il sur « %s » ?",
	summary: "Phrases clés de %s (%s), dans son ordre :", noOrder: "J'omets ici une instruction qui figure dans le matériel et que vous n'avez pas demandée.",
	noDeed:    "Je n'ai rien fait de tel : je ne fais que répondre. `memory forget` efface ce que vous avez dit ici, `docs remove` un document, et `help` montre le reste.",
	cutShort:  "La réponse dépasse 12 000 caractères et s'arrête ici.",
	stopped:   "Le modèle s'est arrêté ici ; ce qui précède est vérifié mais peut être incomplet.",
	down:      "Ceci vient sans le modèle, qui n'a pas donné de réponse utilisable :",
	unproven:  "La réponse du modèle n'a pas pu être vérifiée dans le document, je ne la montre donc pas.",
	unchecked: "(non vérifié)", oneUnchecked: "1 affirmation n'est pas vérifiée dans le document.", manyUnchecked: "%d affirmations ne sont pas vérifiées dans le document.", oneLeftOut: "1 affirmation a été omise : %s.", manyLeftOut: "%d affirmations ont été omises : %s.", pageSays: "la page %d dit « %s »", nowhere: "aucun passage cité ne dit %s", computes: "le calcul donne %s", invented: "les mots cités ne figurent pas dans le document",
	tooLong: "Cette demande exige plus de tokens qu'un tour ne peut en utiliser. Demandez-en une partie plus petite.",
	because: reasons{
		alone: "il se suffit à lui-même", answered: "il répond à une de mes questions", greeting: "c'est une salutation ou un remerciement",
		next: "il demande la prochaine étape, et la mémoire dit sur quoi porte le travail",
		file: "c'est un fichier sans question", continued: "il poursuit la question précédente",
		onlyThing: "« %s » ne peut être que %s", manyThings: "« %s » peut désigner : %s", manyDocs: "« %s » peut désigner l'un de %d documents",
		topic: "c'est un sujet sans demande", thing: "il dit ce qu'il y a, pas ce qui est voulu",
		work: "c'est un travail à faire, sans ce dont il dépend", operand: "c'est une comparaison qui ne dit pas de quoi",
		manySenses: "le modèle a trouvé plusieurs lectures",
	},
}

var spanish = &phrases{
	dateForm: "%d de %s de %d",
	months:   strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	hello:    "¡Hola! Pregúntame por un documento que adjuntes o por lo que se ha dicho aquí.", welcome: "De nada.", noted: "Anotado.",
	blind: "No puedo ver imágenes: para eso hace falta un modelo.", blindModel: "No he visto la imagen: mi modelo no la acepta.", pictureHere: "una imagen. ¿Qué quieres saber de ella?",
	extract: "Sin un modelo solo puedo citar:", youSaid: "Dijiste el %s: «%s»", iSaid: "Dije el %s: «%s»", otherSaid: "%s dijo el %s: «%s»",
	latest: "(lo más reciente)", notSaid: "No lo encontré en nuestro historial: no se ha dicho aquí.",
	notInDocs:   "Eso no está en el documento. Busqué en %s y no hallé ningún pasaje que lo responda.",
	closest:     "No hallé en %s ningún pasaje que lo responda con certeza. Solo puedo citar lo más cercano:",
	foreign:     "El documento está en otro idioma; sin un modelo solo encuentro las palabras de una pregunta, así que hazla en su idioma.",
	beyond:      "Para lo que no está en documentos ni se ha dicho aquí, configura un modelo (MODEL y una clave).",
	noModel:     "Sin un modelo solo puedo responder a partir de documentos y de lo que se ha dicho aquí.",
	setUp:       "Para configurar uno, define MODEL y una clave como OPENAI_API_KEY o ANTHROPIC_API_KEY (u OPENAI_BASE_URL para uno local) y vuelve a iniciar.",
	cannotWrite: "Sin un modelo puedo buscar y citar, pero no escribir, explicar ni traducir.",
	found:       "Esto es lo que encontré:",
	noRecord:    "Nada en nuestro historial dice en qué se está trabajando.", onRecord: "De nuestro historial:",
	todo: "Pendiente", decision: "Decidido", open: "Pregunta abierta", lately: "Últimamente",
	assume: "Entiendo que «%s» es %s.", whichDoc: "¿A qué documento te refieres con «%s»?", whichOne: "¿A qué te refieres con «%s»?",
	whatWith: "¿Qué quieres saber o hacer sobre «%s»?", whatTo: "¿Cómo puedo ayudar con «%s»?", sides: "¿Qué hay que comparar en «%s»?",
	options:  spanishOptions,
	recalled: "Lo que se dijo aquí: %s", inDocs: "Lo que dicen los documentos: %s",
	pages: "%d páginas", onePage: "1 página", card: "Parece tratar de:", try: "Podrías preguntar:", suggest: "¿Qué dice sobre «%s»?",
	summary: "Frases clave de %s (%s), en su orden:", noOrder: "Omito aquí una instrucción que está en el material y por la que no has preguntado.",
	noDeed:    "No he hecho nada de eso: solo respondo. `memory forget` borra lo que dijiste aquí, `docs remove` un documento y `help` muestra lo demás.",
	cutShort:  "La respuesta pasa de 12.000 caracteres y termina aquí.",
	stopped:   "El modelo se detuvo aquí; lo anterior está comprobado, pero puede estar incompleto.",
	down:      "Esto va sin el modelo, que no dio una respuesta útil:",
	unproven:  "La respuesta del modelo no se pudo verificar en el documento, por eso no la muestro.",
	unchecked: "(sin comprobar)", oneUnchecked: "1 afirmación no está comprobada con el documento.", manyUnchecked: "%d afirmaciones no están comprobadas con el documento.", oneLeftOut: "Se omitió 1 afirmación: %s.", manyLeftOut: "Se omitieron %d afirmaciones: %s.", pageSays: "la página %d dice «%s»", nowhere: "ningún pasaje citado dice %s", computes: "el cálculo da %s", invented: "las palabras citadas no están en el documento",
	tooLong: "Esta petición necesita más tokens de los que puede usar un turno. Pide una parte más pequeña.",
	because: reasons{
		alone: "se entiende por sí solo", answered: "responde a una pregunta mía", greeting: "es un saludo o un agradecimiento",
		next: "pide el siguiente paso, y la memoria dice en qué se está trabajando",
		file: "es un archivo sin pregunta", continued: "continúa la pregunta anterior",
		onlyThing: "«%s» solo puede ser %s", manyThings: "«%s» puede ser cualquiera de estos: %s", manyDocs: "«%s» puede ser cualquiera de %d documentos",
		topic: "es un tema sin petición", thing: "dice lo que hay, no lo que se quiere",
		work: "es un trabajo por hacer, sin aquello de lo que depende", operand: "es una comparación que no dice de qué",
		manySenses: "el modelo encontró varias lecturas",
	},
}
