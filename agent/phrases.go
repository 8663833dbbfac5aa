package agent

import (
	"strings"

	"threadkeeper/docs"
)

// phrases are the fixed sentences of one language. Verbs of fmt: %s and %d in the order the
// field's comment names.
type phrases struct {
	dateForm  string // day, month, year
	months    []string
	hello     string
	welcome   string
	noted     string
	youSaid   string // date, text
	otherSaid string // author, date, text
	blind     string // asked about a picture without a model

	about       string // how files are attached, how a model is set up: what the program is and does
	fine        string // to "ok" and the like
	howToForget string
	noReminder  string
	noDocuments string    // how files are attached, how a model is set up: what to do without documents
	takesModel  string    // how a model is set up: what only a model can do
	onlyAnswers string    // how a model is set up: to an order for a deed
	keepsHere   string    // where what is said is kept
	attach      [3]string // how files are attached at a terminal, in a chat, and to one question on a command line
	setUp       [2]string // how a model is set up by who is at the terminal, and for people in a chat

	foundIn     string // names of documents: opens what was found there
	inSaid      string // where was searched: what was said
	inBoth      string // names of documents: the same with documents
	notFound    string // words, where
	unsure      string // stands above what may be no answer
	nothingSure string // where: all words were found, but nowhere together
	byItself    string // a message that continues another was taken by itself
	tryOther    string // what to do with documents
	noRecord    string // asked what is next, and nothing is known
	digestOf    string // place, period, number of messages: opens what was said
	nothingSaid string // place, period
	onDay       string // a period: a date
	fromTo      string // a period: two dates
	keptOnly    string // what is kept of channels
	readBack    string // date and time: how far back a channel was read
	readPart    string // number of messages, date and time: the same if there are more
	readSome    string // channels, date and time: the same of several
	notRead     string // a channel could not be read
	everywhere  string // places
	thisChannel string
	thisThread  string
	lastSaid    string // heading of the last messages
	threads     string // heading of conversations
	todo        string // labels of facts
	decision    string
	open        string
	whichDoc    string // words of the request
	asBefore    string // name of a document: opens what is answered as was chosen before
	pages       string // number of pages
	onePage     string
	partly      string // pages read, pages
	firstShare  string // the same in per cent, of a file without pages
	inPart      string // names of documents: where was looked, if not all of them was read
	fromScan    string // pages
	scansLeft   string // pages
	poorScan    string // pages: the model was shown their pictures
	noText      string // pages: pictures
	readCut     string // pages: not read to their ends
	unreadable  string // pages
	lookingAt   string // number of such a page, name: a status
	blindModel  string // the model was not shown a picture
	pictureHere string // introduces a picture
	card        string // what a new document seems to be about
	try         string // opens suggested questions
	suggest     string // heading
	outline     string // opens an outline; name, pages
	noDeed      string // stands for a claim to have acted
	noOrder     string // stands for an order that nobody asked about
	cutShort    string // the answer is longer than what is shown of it
	stopped     string // the model failed after part of an answer
	instead     string // opens what is said instead of the model's answer
	unproven    string // a model's answer could not be verified
	tooLong     string // the budget is spent

	answeredBefore string // date, with its link: opens an answer that was given before
	readingWhole   string // name, part, parts: how far a document is read
	takesTokens    string // thousands
	unread         string // name, pages: what could not be read
	mayReadAll     string // names, thousands: asks whether to read documents whole
	readAll        string // its answers
	readBest       string
	notStated      string // a document says nothing of a point

	hides map[string]string // what a file hides, by the words of docs.Extent

	unchecked     string // stands behind a statement that could not be checked
	uncheckedRun  string // behind the last of several that follow each other: how many
	checkingNow   string // the number of the statement that is being checked
	oneUnchecked  string
	manyUnchecked string // how many statements
	inventedToo   string // of how many of them the words cited do not stand in the document
	oneLeftOut    string // why
	manyLeftOut   string // how many statements, why
	pageSays      string // place, words: why a statement is left out
	nowhere       string // number that no page cited holds
	computes      string // computation and its result
	invented      string // the words cited do not stand in the document
	checked       string // names of documents; how many statements are supported, contradicted, not found; by whom
	byRules       string
	byJudge       string // name of a model; of how many statements its verdict counted; how many there are
	checkedPart   string // of a text that was checked in part
	noPost        string // asked to check a post, but there is none
	nearestIs     string // place, words: what comes nearest to a statement that was not found
	andMore       string // how many statements
	places        docs.PlaceWords
	figures       figuresWords
	because       reasons
}

// reasons say in one language why a request was read as it was: each follows "because".
type reasons struct {
	alone      string // it needs nothing to be understood
	answered   string
	file       string
	chosen     string
	manyDocs   string // words of the request, number of documents
	manySenses string
}

// Phrases returns our own sentences in every language, for memory.PhraseTerms.
func Phrases() any { return phrasesIn }

var phrasesIn = map[string]*phrases{"en": english, "de": german, "fr": french, "es": spanish}

var english = &phrases{
	places:   docs.PlacesIn("en"),
	figures:  englishFigures,
	dateForm: "%d %s %d",
	months:   strings.Fields("January February March April May June July August September October November December"),
	hello:    "Hello! Ask me about a document you attach, or about anything that was said here.", welcome: "You're welcome.", noted: "Noted.",
	youSaid: "You said on %s: “%s”", otherSaid: "%s said on %s: “%s”",
	blind: "I cannot look at pictures: that takes a model.", blindModel: "I have not seen the picture: the model I use does not accept it.", pictureHere: "a picture. What would you like to know about it?",
	noRecord: "I have nothing on record about that yet.",
	digestOf: "What I keep of %s %s: %d messages.", nothingSaid: "I have nothing on record from %s %s.", onDay: "on %s", fromTo: "from %s to %s",
	keptOnly: "I keep only conversations that I take part in.", readBack: "I have read the channel back to %s, and its threads with the latest replies. I know other threads only if I take part in them.",
	readSome:   "I have read %s back to %s, and their threads with the latest replies. I know conversations elsewhere only if I take part in them.",
	readPart:   "I have read only the last %d messages of the channel, back to %s. I know its threads only if I take part in them.",
	notRead:    "I could not read the channel itself just now: I know only the conversations that I take part in.",
	everywhere: "the channels that I may talk about here", thisChannel: "this channel", thisThread: "this conversation",
	lastSaid: "Said last", threads: "Conversations",
	todo: "To do", decision: "Perhaps decided", open: "Open question",
	whichDoc:       "Which document do you mean by “%s”?",
	asBefore:       "As you chose before: %s. For another, name it.",
	answeredBefore: "Answered before, on %s:",
	readingWhole:   "Reading %s, part %d of %d", takesTokens: "about %d,000 tokens in all", unread: "Could not be read: %s, p. %s.",
	mayReadAll: "To answer I would read all of %s: about %d,000 tokens. Shall I?", readAll: "Read all of it", readBest: "Only the best matches", notStated: "not stated",
	unchecked:     "(unchecked)",
	uncheckedRun:  "(%d unchecked)",
	checkingNow:   "🔎 Checking statement %d",
	oneUnchecked:  "1 statement could not be checked against the document.",
	manyUnchecked: "%d statements could not be checked against the document.",
	inventedToo:   "Quotes that are not in it: %d.",
	oneLeftOut:    "1 statement was left out: %s.",
	manyLeftOut:   "%d statements were left out: %s.",
	checked:       "Checked against %s: %d supported, %d contradicted, %d not found (%s).",
	byRules:       "by rules",
	byJudge:       "by rules, and by %s: %d of %d statements",
	checkedPart:   "The post is too long to check at once: its end was not checked.",
	noPost:        "I see no post here that I could check. Reply to one, or send it with the words: check this.",
	nearestIs:     "nearest is %s: “%s”",
	andMore:       "and %d more",
	pageSays:      "%s says “%s”",
	nowhere:       "no place cited says %s",
	computes:      "the computation gives %s",
	invented:      "the words cited are not in the document",
	about:         "I find things: attach a document (" + docs.Formats + " or text) and ask about it, or ask about anything that was said here; I quote the passage, with its page, or the line, with who said it and when. “summarise the document”, “section 4”, “page 12” and “summarise this thread” work as well. To attach a document, %s; `help` lists the commands. I also explain, write, translate and calculate with a model%s.",
	fine:          "All right.",
	howToForget:   "I erase nothing by myself: `memory forget` erases what you said here, once you confirm (`memory forget` with words finds the messages to choose from), and `docs remove` a document.",
	noReminder:    "I cannot remind anybody: I only write when I am asked. What you wrote is kept, and I find it when you ask for it.",
	noDocuments:   "There is no document here yet: %s. For anything else I need a model%s.",
	attach:        [3]string{"type `/attach FILE`", "upload a file in this conversation", "name a file after the question (`threadkeeper \"question\" FILE`)"},
	setUp:         [2]string{" (`threadkeeper init` sets one up)", " (whoever runs me can set one up)"},
	takesModel:    "That takes a model%s; without one I can only quote your documents and conversations.",
	onlyAnswers:   "I only answer here: I send, book and order nothing, and call nobody. A text for it takes a model%s.",
	keepsHere:     "I keep what is said and attached here in one database, on the machine that I run on. `memory show` shows what I keep, and `memory forget` erases what you said.",
	foundIn:       "This is what I found in %s:",
	inSaid:        "what was said here",
	inBoth:        "%s or in what was said here",
	notFound:      "I did not find %s in %s.",
	unsure:        "I am not sure that this answers your question.",
	nothingSure:   "I did not find a clear answer in %s.",
	byItself:      "I take each message by itself; please ask that in full.",
	tryOther:      "Other words may find more, or a heading or page (“page 3”).",
	outline:       "Outline of %s (%s):",
	pages:         "%d pages", onePage: "1 page", partly: "read %d of %d pages",
	firstShare: "only the first %d %% was read", inPart: "the part of %s that was read",
	fromScan: "read from a scan: p. %s", scansLeft: "not read yet, a scan: p. %s", poorScan: "a poor scan, so the model saw its picture: p. %s", lookingAt: "👁 Page %d of %s is a poor scan: looking at its picture", card: "It seems to be about:", try: "You could ask:", suggest: "What does it say about “%s”?",
	noText: "a picture without text to read: p. %s", readCut: "not read to the end: p. %s", unreadable: "could not be read: p. %s",
	hides: map[string]string{docs.HiddenSheets: "hidden sheets were left out", docs.HiddenRows: "hidden rows, columns or sheets were left out", docs.HiddenSlides: "hidden slides were left out",
		docs.FilteredRows: "rows that a filter hides were read too"},
	noOrder:  "I left out an instruction from the material that you did not ask about.",
	noDeed:   "I have done nothing of the kind: I only answer. `memory forget` erases what you said here, `docs remove` a document, and `help` lists the rest.",
	cutShort: "The answer is longer than 12,000 characters and ends here.",
	stopped:  "The model stopped here. The text above is checked, but may be incomplete.",
	instead:  "A search result, without the model:",
	unproven: "The model's answer could not be verified in the document, so I do not show it.",
	tooLong:  "This request needs more tokens than one turn may use. Ask for a smaller part of it.",
	because: reasons{
		alone: "it stands on its own", answered: "it answers a question of mine",
		file:       "it is a file without a question",
		chosen:     "the same words were asked about before",
		manyDocs:   "“%s” may be any of %d documents",
		manySenses: "the model found several readings",
	},
}

var german = &phrases{
	places:   docs.PlacesIn("de"),
	figures:  germanFigures,
	dateForm: "%d. %s %d",
	months:   strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	hello:    "Hallo! Frag mich zu einem Dokument, das du anhängst, oder zu allem, was hier gesagt wurde.", welcome: "Gern geschehen.", noted: "Notiert.",
	youSaid: "Du hast am %s gesagt: „%s“", otherSaid: "%s sagte am %s: „%s“",
	blind: "Bilder kann ich nicht ansehen: Dazu braucht es ein Modell.", blindModel: "Das Bild habe ich nicht gesehen: Mein Modell nimmt es nicht an.", pictureHere: "ein Bild. Was möchtest du darüber wissen?",
	noRecord: "In unserem Verlauf steht nichts darüber, woran gearbeitet wird.",
	digestOf: "Was ich von %s aufbewahre, %s: %d Nachrichten.", nothingSaid: "Von %s (%s) bewahre ich nichts auf, was ich hier erzählen darf.", onDay: "%s", fromTo: "%s bis %s",
	keptOnly: "Ich bewahre nur Gespräche auf, an denen ich teilnehme.", readBack: "Den Kanal habe ich zurück bis %s gelesen, auch seine Threads mit den neuesten Antworten. Von anderen kenne ich nur die, an denen ich teilnehme.",
	readSome:   "%s habe ich zurück bis %s gelesen, auch ihre Threads mit den neuesten Antworten. Von anderen und von anderen Kanälen kenne ich nur Gespräche, an denen ich teilnehme.",
	readPart:   "Vom Kanal habe ich nur die letzten %d Nachrichten gelesen, zurück bis %s. Von seinen Threads kenne ich nur die, an denen ich teilnehme.",
	notRead:    "Den Kanal selbst konnte ich gerade nicht lesen: Ich kenne nur Gespräche, an denen ich teilnehme.",
	everywhere: "den Kanälen, von denen ich hier erzählen darf", thisChannel: "diesem Kanal", thisThread: "diesem Gespräch",
	lastSaid: "Zuletzt gesagt", threads: "Gespräche",
	todo: "Zu tun", decision: "Vielleicht beschlossen", open: "Offene Frage",
	whichDoc:       "Welches Dokument meinst du mit „%s“?",
	asBefore:       "Wie zuvor gewählt: %s. Für ein anderes nenne seinen Namen.",
	answeredBefore: "Schon beantwortet, am %s:",
	readingWhole:   "Ich lese %s, Teil %d von %d", takesTokens: "insgesamt etwa %d.000 Tokens", unread: "Konnte nicht gelesen werden: %s, S. %s.",
	mayReadAll: "Für die Antwort würde ich alles lesen (%s): etwa %d.000 Tokens. Soll ich?", readAll: "Alles lesen", readBest: "Nur das Passendste", notStated: "nicht genannt",
	unchecked:     "(ungeprüft)",
	uncheckedRun:  "(%d ungeprüft)",
	checkingNow:   "🔎 Prüfe Aussage %d",
	oneUnchecked:  "1 Aussage ließ sich nicht am Dokument prüfen.",
	manyUnchecked: "%d Aussagen ließen sich nicht am Dokument prüfen.",
	inventedToo:   "Zitate, die nicht darin stehen: %d.",
	oneLeftOut:    "1 Aussage wurde weggelassen: %s.",
	manyLeftOut:   "%d Aussagen wurden weggelassen: %s.",
	checked:       "Geprüft anhand von %s: %d stehen da, %d widersprochen, %d nicht gefunden (%s).",
	byRules:       "mit Regeln",
	byJudge:       "mit Regeln, und von %s: %d von %d Aussagen",
	checkedPart:   "Der Beitrag ist länger, als auf einmal geprüft wird: sein Ende wurde nicht geprüft.",
	noPost:        "Ich sehe hier keinen Beitrag, den ich prüfen könnte. Antworte auf einen, oder schick ihn mit den Worten: prüfe das.",
	nearestIs:     "am nächsten kommt %s: „%s“",
	andMore:       "und %d weitere",
	pageSays:      "%s sagt „%s“",
	nowhere:       "keine zitierte Stelle nennt %s",
	computes:      "die Rechnung ergibt %s",
	invented:      "die zitierten Worte stehen nicht im Dokument",
	about:         "Ich finde Dinge: Häng ein Dokument an (" + docs.Formats + " oder Text) und frag danach, oder frag nach etwas, das hier gesagt wurde; ich zitiere die Stelle mit Seite oder die Zeile mit Name und Datum. Auch „fasse das Dokument zusammen“, „§ 4“, „Seite 12“ und „fasse diesen Verlauf zusammen“ gehen. Ein Dokument hängst du so an: %s; `help` nennt die Befehle. Ich erkläre, schreibe, übersetze und rechne auch, mit einem Modell%s.",
	fine:          "Gut.",
	howToForget:   "Von mir aus lösche ich nichts: `memory forget` löscht, was du hier gesagt hast, sobald du es bestätigst (`memory forget` mit Wörtern sucht die Nachrichten zur Auswahl), und `docs remove` ein Dokument.",
	noReminder:    "Ich kann an nichts erinnern: Ich schreibe nur, wenn ich gefragt werde. Was du geschrieben hast, ist gespeichert, und ich finde es, wenn du danach fragst.",
	noDocuments:   "Hier gibt es noch kein Dokument: %s. Alles andere braucht ein Modell%s.",
	attach:        [3]string{"tippe `/attach DATEI`", "lade eine Datei in dieser Unterhaltung hoch", "nenne eine Datei nach der Frage (`threadkeeper \"Frage\" DATEI`)"},
	setUp:         [2]string{" (`threadkeeper init` richtet eines ein)", " (wer mich betreibt, kann eines einrichten)"},
	takesModel:    "Dafür braucht es ein Modell%s; ohne finde und zitiere ich nur, was in Dokumenten steht und was hier gesagt wurde.",
	onlyAnswers:   "Ich antworte hier nur: Ich verschicke, buche und bestelle nichts und rufe niemanden an. Ein Text dafür braucht ein Modell%s.",
	keepsHere:     "Was hier gesagt und angehängt wird, bewahre ich in einer Datenbank auf, auf dem Rechner, auf dem ich laufe. `memory show` zeigt, was ich aufbewahre, und `memory forget` löscht, was du gesagt hast.",
	foundIn:       "Das habe ich in %s gefunden:",
	inSaid:        "dem, was hier gesagt wurde",
	inBoth:        "%s oder in dem, was hier gesagt wurde",
	notFound:      "Ich habe %s nicht gefunden in %s.",
	unsure:        "Ich bin nicht sicher, ob das deine Frage beantwortet.",
	nothingSure:   "Ich habe keine klare Antwort gefunden in %s.",
	byItself:      "Ich nehme jede Nachricht für sich; bitte stell diese Frage vollständig.",
	tryOther:      "Andere Wörter finden vielleicht mehr, auch eine Überschrift oder Seite („Seite 3“), und ohne Modell die Sprache des Dokuments.",
	outline:       "Gliederung von %s (%s):",
	pages:         "%d Seiten", onePage: "1 Seite", partly: "%d von %d Seiten gelesen",
	firstShare: "nur die ersten %d %% gelesen", inPart: "dem gelesenen Teil von %s",
	fromScan: "aus einem Scan gelesen: S. %s", scansLeft: "noch nicht gelesen, ein Scan: S. %s", poorScan: "ein schlechter Scan, darum hat das Modell das Bild gesehen: S. %s", lookingAt: "👁 Seite %d von %s ist schlecht gescannt: das Bild wird angesehen", card: "Es scheint zu handeln von:", try: "Du könntest fragen:", suggest: "Was steht darin zu „%s“?",
	noText: "ein Bild ohne lesbaren Text: S. %s", readCut: "nicht bis zum Ende gelesen: S. %s", unreadable: "nicht lesbar: S. %s",
	hides: map[string]string{docs.HiddenSheets: "ausgeblendete Blätter fehlen", docs.HiddenRows: "ausgeblendete Zeilen, Spalten oder Blätter fehlen", docs.HiddenSlides: "ausgeblendete Folien fehlen",
		docs.FilteredRows: "Zeilen, die ein Filter ausblendet, sind mitgelesen"},
	noOrder:  "Hier lasse ich eine Anweisung weg, die im Material steht und nach der du nicht gefragt hast.",
	noDeed:   "Getan habe ich nichts dergleichen: Ich antworte nur. `memory forget` löscht, was du hier gesagt hast, `docs remove` ein Dokument, und `help` zeigt alles Weitere.",
	cutShort: "Die Antwort ist länger als 12.000 Zeichen und endet hier.",
	stopped:  "Hier hat das Modell aufgehört; das Obige ist geprüft, aber vielleicht unvollständig.",
	instead:  "Ein Suchergebnis, ohne das Modell:",
	unproven: "Die Antwort des Modells ließ sich im Dokument nicht belegen, darum zeige ich sie nicht.",
	tooLong:  "Diese Anfrage braucht mehr Tokens, als ein Durchgang verwenden darf. Frag nach einem kleineren Teil.",
	because: reasons{
		alone: "sie steht für sich", answered: "sie beantwortet eine Frage von mir",
		file:       "sie ist eine Datei ohne Frage",
		chosen:     "nach denselben Wörtern wurde schon gefragt",
		manyDocs:   "„%s“ kann jedes von %d Dokumenten sein",
		manySenses: "das Modell fand mehrere Lesarten",
	},
}

var french = &phrases{
	places:   docs.PlacesIn("fr"),
	figures:  frenchFigures,
	dateForm: "%d %s %d",
	months:   strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	hello:    "Bonjour ! Interrogez-moi sur un document que vous joignez, ou sur ce qui a été dit ici.", welcome: "Je vous en prie.", noted: "C'est noté.",
	youSaid: "Vous avez dit le %s : « %s »", otherSaid: "%s a dit le %s : « %s »",
	blind: "Je ne peux pas regarder les images : il faut pour cela un modèle.", blindModel: "Je n'ai pas vu l'image : mon modèle ne l'accepte pas.", pictureHere: "une image. Que voulez-vous savoir à son sujet ?",
	noRecord: "Rien dans notre historique ne dit sur quoi porte le travail.",
	digestOf: "Ce que je garde de %s, %s : %d messages.", nothingSaid: "Je ne garde rien de %s, %s, que je puisse dire ici.", onDay: "le %s", fromTo: "du %s au %s",
	keptOnly: "Je ne garde que les conversations auxquelles je participe.", readBack: "J'ai lu le canal en remontant jusqu'au %s, ainsi que ses fils aux réponses les plus récentes. Des autres, je ne connais que ceux auxquels je participe.",
	readSome:   "J'ai lu %s en remontant jusqu'au %s, ainsi que leurs fils aux réponses les plus récentes. Des autres fils et canaux, je ne connais que les conversations auxquelles je participe.",
	readPart:   "Je n'ai lu que les %d derniers messages du canal, jusqu'au %s. De ses fils, je ne connais que ceux auxquels je participe.",
	notRead:    "Je n'ai pas pu lire le canal lui-même pour le moment : je ne connais que les conversations auxquelles je participe.",
	everywhere: "canaux dont je peux parler ici", thisChannel: "ce canal", thisThread: "cette conversation",
	lastSaid: "Dit en dernier", threads: "Conversations",
	todo: "À faire", decision: "Peut-être décidé", open: "Question ouverte",
	whichDoc:       "De quel document parlez-vous avec « %s » ?",
	asBefore:       "Comme choisi plus tôt : %s. Pour un autre, nommez-le.",
	answeredBefore: "Déjà répondu, le %s :",
	readingWhole:   "Lecture de %s, partie %d sur %d", takesTokens: "environ %d 000 jetons en tout", unread: "N’a pas pu être lu : %s, p. %s.",
	mayReadAll: "Pour répondre, je lirais tout (%s) : environ %d 000 jetons. Dois-je le faire ?", readAll: "Tout lire", readBest: "Seulement le plus pertinent", notStated: "non précisé",
	unchecked:     "(non vérifié)",
	uncheckedRun:  "(%d non vérifiées)",
	checkingNow:   "🔎 Vérification de l'affirmation %d",
	oneUnchecked:  "1 affirmation n'a pas pu être vérifiée dans le document.",
	manyUnchecked: "%d affirmations n'ont pas pu être vérifiées dans le document.",
	inventedToo:   "Citations qui n’y figurent pas : %d.",
	oneLeftOut:    "1 affirmation a été omise : %s.",
	manyLeftOut:   "%d affirmations ont été omises : %s.",
	checked:       "Vérifié avec %s : %d y figurent, %d contredites, %d introuvables (%s).",
	byRules:       "par des règles",
	byJudge:       "par des règles, et par %s : %d affirmations sur %d",
	checkedPart:   "Le message est plus long que ce qui est vérifié en une fois : sa fin n’a pas été vérifiée.",
	noPost:        "Je ne vois ici aucun message à vérifier. Répondez à un message, ou envoyez-le avec les mots : vérifie ceci.",
	nearestIs:     "le plus proche est %s : « %s »",
	andMore:       "et %d autres",
	pageSays:      "%s dit « %s »",
	nowhere:       "aucun passage cité ne dit %s",
	computes:      "le calcul donne %s",
	invented:      "les mots cités ne figurent pas dans le document",
	about:         "Je trouve des choses : joignez un document (" + docs.Formats + " ou texte) et posez une question dessus, ou sur ce qui a été dit ici ; je cite le passage avec sa page, ou la ligne avec son auteur et sa date. « résume le document », « section 4 », « page 12 » et « résume cette conversation » marchent aussi. Pour joindre un document, %s ; `help` montre les commandes. J'explique, j'écris, je traduis et je calcule aussi, avec un modèle%s.",
	fine:          "Très bien.",
	howToForget:   "Je n'efface rien de moi-même : `memory forget` efface ce que vous avez dit ici, après confirmation (`memory forget` suivi de mots cherche les messages à choisir), et `docs remove` un document.",
	noReminder:    "Je ne peux rien rappeler : je n'écris que si l'on me demande. Ce que vous avez écrit est gardé, et je le retrouve si vous le demandez.",
	noDocuments:   "Il n'y a pas encore de document ici : %s. Le reste demande un modèle%s.",
	attach:        [3]string{"tapez `/attach FICHIER`", "envoyez un fichier dans cette conversation", "nommez un fichier après la question (`threadkeeper \"question\" FICHIER`)"},
	setUp:         [2]string{" (`threadkeeper init` en configure un)", " (la personne qui me gère peut en configurer un)"},
	takesModel:    "Cela demande un modèle%s ; sans lui, je ne fais que trouver et citer ce que disent les documents et ce qui a été dit ici.",
	onlyAnswers:   "Je ne fais que répondre ici : je n'envoie, ne réserve et ne commande rien, et je n'appelle personne. Un texte pour cela demande un modèle%s.",
	keepsHere:     "Je garde ce qui est dit et joint ici dans une base de données, sur la machine où je tourne. `memory show` montre ce que je garde, et `memory forget` efface ce que vous avez dit.",
	foundIn:       "Voici ce que j'ai trouvé dans %s :",
	inSaid:        "ce qui a été dit ici",
	inBoth:        "%s ni dans ce qui a été dit ici",
	notFound:      "Je n'ai pas trouvé %s dans %s.",
	unsure:        "Je ne suis pas sûr que cela réponde à votre question.",
	nothingSure:   "Je n'ai pas trouvé de réponse claire dans %s.",
	byItself:      "Je prends chaque message séparément ; posez cette question en entier, s'il vous plaît.",
	tryOther:      "D'autres mots en trouveront peut-être plus, ou un titre ou une page (« page 3 »), et sans modèle la langue du document.",
	outline:       "Plan de %s (%s) :",
	pages:         "%d pages", onePage: "1 page", partly: "%d pages lues sur %d",
	firstShare: "lu seulement jusqu'à %d %%", inPart: "la partie lue de %s",
	fromScan: "lu sur un scan : p. %s", scansLeft: "pas encore lu, un scan : p. %s", poorScan: "un mauvais scan, le modèle en a donc vu l’image : p. %s", lookingAt: "👁 La page %d de %s est mal numérisée : son image est examinée", card: "Il semble porter sur :", try: "Vous pourriez demander :", suggest: "Que dit-il sur « %s » ?",
	noText: "une image sans texte lisible : p. %s", readCut: "pas lu jusqu’au bout : p. %s", unreadable: "illisible : p. %s",
	hides: map[string]string{docs.HiddenSheets: "sans les feuilles masquées", docs.HiddenRows: "sans les lignes, colonnes ou feuilles masquées", docs.HiddenSlides: "sans les diapositives masquées",
		docs.FilteredRows: "avec les lignes masquées par un filtre"},
	noOrder:  "J'omets ici une instruction qui figure dans le matériel et que vous n'avez pas demandée.",
	noDeed:   "Je n'ai rien fait de tel : je ne fais que répondre. `memory forget` efface ce que vous avez dit ici, `docs remove` un document, et `help` montre le reste.",
	cutShort: "La réponse dépasse 12 000 caractères et s'arrête ici.",
	stopped:  "Le modèle s'est arrêté ici ; ce qui précède est vérifié mais peut être incomplet.",
	instead:  "Le résultat d'une recherche, sans le modèle :",
	unproven: "La réponse du modèle n'a pas pu être vérifiée dans le document, je ne la montre donc pas.",
	tooLong:  "Cette demande exige plus de tokens qu'un tour ne peut en utiliser. Demandez-en une partie plus petite.",
	because: reasons{
		alone: "il se suffit à lui-même", answered: "il répond à une de mes questions",
		file:       "c'est un fichier sans question",
		chosen:     "la question sur ces mots a déjà été posée",
		manyDocs:   "« %s » peut désigner l'un de %d documents",
		manySenses: "le modèle a trouvé plusieurs lectures",
	},
}

var spanish = &phrases{
	places:   docs.PlacesIn("es"),
	figures:  spanishFigures,
	dateForm: "%d de %s de %d",
	months:   strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	hello:    "¡Hola! Pregúntame por un documento que adjuntes o por lo que se ha dicho aquí.", welcome: "De nada.", noted: "Anotado.",
	youSaid: "Dijiste el %s: «%s»", otherSaid: "%s dijo el %s: «%s»",
	blind: "No puedo ver imágenes: para eso hace falta un modelo.", blindModel: "No he visto la imagen: mi modelo no la acepta.", pictureHere: "una imagen. ¿Qué quieres saber de ella?",
	noRecord: "Nada en nuestro historial dice en qué se está trabajando.",
	digestOf: "Lo que guardo de %s, %s: %d mensajes.", nothingSaid: "No guardo nada de %s, %s, que pueda contar aquí.", onDay: "el %s", fromTo: "del %s al %s",
	keptOnly: "Solo guardo conversaciones en las que participo.", readBack: "He leído el canal hasta el %s, y sus hilos con las respuestas más recientes. De los demás solo conozco aquellos en los que participo.",
	readSome:   "He leído %s hasta el %s, y sus hilos con las respuestas más recientes. De los demás hilos y canales solo conozco conversaciones en las que participo.",
	readPart:   "Solo he leído los últimos %d mensajes del canal, hasta el %s. De sus hilos solo conozco aquellos en los que participo.",
	notRead:    "Ahora mismo no he podido leer el canal: solo conozco las conversaciones en las que participo.",
	everywhere: "los canales de los que puedo hablar aquí", thisChannel: "este canal", thisThread: "esta conversación",
	lastSaid: "Dicho por último", threads: "Conversaciones",
	todo: "Pendiente", decision: "Quizá decidido", open: "Pregunta abierta",
	whichDoc:       "¿A qué documento te refieres con «%s»?",
	asBefore:       "Como se eligió antes: %s. Si es otro, nómbralo.",
	answeredBefore: "Ya se respondió el %s:",
	readingWhole:   "Leyendo %s, parte %d de %d", takesTokens: "unos %d.000 tokens en total", unread: "No se pudo leer: %s, p. %s.",
	mayReadAll: "Para responder leería todo (%s): unos %d.000 tokens. ¿Lo hago?", readAll: "Leer todo", readBest: "Solo lo más pertinente", notStated: "no se indica",
	unchecked:     "(sin comprobar)",
	uncheckedRun:  "(%d sin comprobar)",
	checkingNow:   "🔎 Comprobando la afirmación %d",
	oneUnchecked:  "1 afirmación no se pudo comprobar con el documento.",
	manyUnchecked: "%d afirmaciones no se pudieron comprobar con el documento.",
	inventedToo:   "Citas que no están en él: %d.",
	oneLeftOut:    "Se omitió 1 afirmación: %s.",
	manyLeftOut:   "Se omitieron %d afirmaciones: %s.",
	checked:       "Comprobado con %s: %d constan, %d contradichas, %d no encontradas (%s).",
	byRules:       "con reglas",
	byJudge:       "con reglas, y por %s: %d de %d afirmaciones",
	checkedPart:   "El mensaje es más largo de lo que se comprueba de una vez: su final no se comprobó.",
	noPost:        "No veo aquí ningún mensaje que comprobar. Responde a uno, o envíalo con las palabras: comprueba esto.",
	nearestIs:     "lo más cercano es %s: «%s»",
	andMore:       "y %d más",
	pageSays:      "%s dice «%s»",
	nowhere:       "ningún pasaje citado dice %s",
	computes:      "el cálculo da %s",
	invented:      "las palabras citadas no están en el documento",
	about:         "Encuentro cosas: adjunta un documento (" + docs.Formats + " o texto) y pregunta por él, o por lo que se ha dicho aquí; cito el pasaje con su página, o la línea con quién la dijo y cuándo. También valen «resume el documento», «sección 4», «página 12» y «resume esta conversación». Para adjuntar un documento, %s; `help` muestra los comandos. También explico, escribo, traduzco y calculo, con un modelo%s.",
	fine:          "De acuerdo.",
	howToForget:   "Por mí mismo no borro nada: `memory forget` borra lo que dijiste aquí, cuando lo confirmas (`memory forget` con palabras busca los mensajes para elegir), y `docs remove` un documento.",
	noReminder:    "No puedo recordar nada a nadie: solo escribo cuando me preguntan. Lo que escribiste queda guardado, y lo encuentro si preguntas por ello.",
	noDocuments:   "Aquí aún no hay ningún documento: %s. Lo demás requiere un modelo%s.",
	attach:        [3]string{"escribe `/attach ARCHIVO`", "sube un archivo a esta conversación", "nombra un archivo después de la pregunta (`threadkeeper \"pregunta\" ARCHIVO`)"},
	setUp:         [2]string{" (`threadkeeper init` configura uno)", " (quien me administra puede configurar uno)"},
	takesModel:    "Eso requiere un modelo%s; sin él solo encuentro y cito lo que dicen los documentos y lo que se ha dicho aquí.",
	onlyAnswers:   "Aquí solo respondo: no envío, reservo ni encargo nada, y no llamo a nadie. Un texto para ello requiere un modelo%s.",
	keepsHere:     "Guardo lo que se dice y se adjunta aquí en una base de datos, en la máquina en la que funciono. `memory show` muestra lo que guardo, y `memory forget` borra lo que dijiste.",
	foundIn:       "Esto es lo que encontré en %s:",
	inSaid:        "lo que se ha dicho aquí",
	inBoth:        "%s ni en lo que se ha dicho aquí",
	notFound:      "No encontré %s en %s.",
	unsure:        "No estoy seguro de que esto responda a tu pregunta.",
	nothingSure:   "No encontré una respuesta clara en %s.",
	byItself:      "Tomo cada mensaje por separado; haz esa pregunta completa, por favor.",
	tryOther:      "Otras palabras quizá encuentren más, o un título o una página («página 3»), y sin modelo el idioma del documento.",
	outline:       "Esquema de %s (%s):",
	pages:         "%d páginas", onePage: "1 página", partly: "%d de %d páginas leídas",
	firstShare: "leído solo hasta el %d %%", inPart: "la parte leída de %s",
	fromScan: "leído de un escaneo: p. %s", scansLeft: "aún sin leer, un escaneo: p. %s", poorScan: "un mal escaneo, por eso el modelo vio su imagen: p. %s", lookingAt: "👁 La página %d de %s está mal escaneada: se mira su imagen", card: "Parece tratar de:", try: "Podrías preguntar:", suggest: "¿Qué dice sobre «%s»?",
	noText: "una imagen sin texto legible: p. %s", readCut: "no leído hasta el final: p. %s", unreadable: "ilegible: p. %s",
	hides: map[string]string{docs.HiddenSheets: "sin las hojas ocultas", docs.HiddenRows: "sin las filas, columnas u hojas ocultas", docs.HiddenSlides: "sin las diapositivas ocultas",
		docs.FilteredRows: "con las filas que oculta un filtro"},
	noOrder:  "Omito aquí una instrucción que está en el material y por la que no has preguntado.",
	noDeed:   "No he hecho nada de eso: solo respondo. `memory forget` borra lo que dijiste aquí, `docs remove` un documento y `help` muestra lo demás.",
	cutShort: "La respuesta pasa de 12.000 caracteres y termina aquí.",
	stopped:  "El modelo se detuvo aquí; lo anterior está comprobado, pero puede estar incompleto.",
	instead:  "El resultado de una búsqueda, sin el modelo:",
	unproven: "La respuesta del modelo no se pudo verificar en el documento, por eso no la muestro.",
	tooLong:  "Esta petición necesita más tokens de los que puede usar un turno. Pide una parte más pequeña.",
	because: reasons{
		alone: "se entiende por sí solo", answered: "responde a una pregunta mía",
		file:       "es un archivo sin pregunta",
		chosen:     "ya se preguntó por esas palabras",
		manyDocs:   "«%s» puede ser cualquiera de %d documentos",
		manySenses: "el modelo encontró varias lecturas",
	},
}
