package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Phrases that show what kind of message it is, without a model; folded and separated by a bar, in English, German, French
// and Spanish, and for scripts without spaces in Japanese, Chinese and Korean.
const (
	greetings  = `hi|hello|morning all|morning everyone|morning team|hey|yo|hi there|hello there|hey there|good morning|good afternoon|good evening|how are you|how are you today|how are you doing|how's it going|hallo|guten tag|guten morgen|guten abend|moin|servus|wie geht's|bonjour|bonsoir|salut|ca va|hola|howdy|greetings|good day|gruss gott|gruezi|salve|buongiorno|buenas|buenos dias|buenas tardes|que tal|ciao|привет`
	thanking   = `thanks|ok thanks|okay thanks|ok danke|ok merci|ok gracias|thank you|thx|ty|cheers|many thanks|danke|danke dir|vielen dank|dankeschon|merci|gracias|grazie|спасибо`
	callingOff = `never mind|nevermind|cancel|cancel that|forget it|no thanks|no thank you|none|none of them|neither|abbrechen|egal|nein danke|keines|keine davon|vergiss es|annuler|annule|non merci|aucun|laisse tomber|cancelar|cancela|no gracias|ninguno|ninguna|olvidalo|stop|stopp|arrete|para`
	leaving    = `exit|quit|bye|goodbye|good bye|bye bye|see you|good night|tschuss|auf wiedersehen|au revoir|adios|hasta luego|take care|have a nice day|sorry|my bad|understood|hold on|one moment|entschuldigung|pardon|perdon`
	blaming    = `you are wrong|you're wrong|that is wrong|that's wrong|that's not right|that is not right|that's not what i asked|not what i asked|not what i meant|wrong answer|you are mistaken|das ist falsch|das stimmt nicht|falsch|c'est faux|tu as tort|vous avez tort|eso no es correcto|estas equivocado|te equivocas|i meant the other|i mean the other|not that one|not this one|the other one|ich meine den anderen|ich meinte das andere|nicht das|das andere|pas celui-la|je parlais de l'autre|l'autre|me refiero al otro|el otro`
	program    = `what can you do|what can u do|what r u good for|what are you good for|what do you do|what can i do|what can i ask|who are you|what are you|your name|how do you work|how does this work|how do i use|how to use you|i give you a|i send you a|i share a|was kannst du|wer bist du|wie funktionierst du|wie funktioniert das|wobei kannst du|womit kannst du|que peux-tu faire|tu peux faire|que sais-tu faire|que pouvez-vous faire|qui es-tu|qui etes-vous|comment ca marche|que puedes hacer|puedes ayudarme|que sabes hacer|quien eres|como funciona esto`
	// being opens a question about what we are; with more words it may be about what is said here.
	being      = `are you|r u|bist du|sind sie|es-tu|tu es|etes-vous|vous etes|eres|es usted`
	helping    = `help|hilfe|helfen|aide|m'aider|ayuda|me ayudas|commands`
	forgets    = `forget|erase|delete|remove|vergiss|losch|losche|loschen|oublie|efface|supprime|olvida|borra|elimina`
	reminding  = `remind me|remind us|set a reminder|set an alarm|set a timer|wake me|erinnere mich|weck mich|rappelle-moi|recuerdame`
	noting     = `remember|remember that|note|note that|please note|keep in mind|merk dir|merke dir|notiere|retiens|note que|recuerda|anota|ten en cuenta`
	summing    = `summarize|summarise|summary|sum up|overview|outline|tl dr|tldr|recap|gist|key points|main points|important points|key findings|zusammenfassung|zusammenfassen|fasse|fass|fasst|uberblick|worum geht es|resume|resumer|resumez|synthese|de quoi parle|resumen|resumir|resumeme|de que trata|riassumi|sumarise|sumarize|summerize|summarze`
	risking    = `risks|list the risks|name the risks|main risks|key risks|biggest risks|risk factors|risiken|nenne die risiken|grossten risiken|wichtigsten risiken|risques|principaux risques|riesgos|principales riesgos`
	threads    = `we agreed|we decided|we discussed|thread|conversation|chat|discussion|channel|this talk|what we said|so far|our talk|messages|verlauf|gesprach|unterhaltung|chatverlauf|conversation|echange|conversacion|charla|hilo`
	missing    = missed + `|what happened|what's new|whats new|any news|was ist passiert|was gibt's neues|quoi de neuf|que ha pasado`
	nexting    = `still open|next step|next steps|what's next|what is next|what comes next|what now|where were we|where are we|to do next|do now|left to do|still to do|action items|open tasks|what remains|nachste schritt|nachster schritt|nachsten schritte|wie geht es weiter|wie geht's weiter|und jetzt|prochaine etape|prochaines etapes|et maintenant|siguiente paso|proximo paso|y ahora`
	listing    = `documents|docs|files|pdfs|dokumente|dateien|documents|fichiers|documentos|archivos`
	besideList = listing + `|list|all|what|which|show|have|got|me|my|do|are|you|i|the|there|here|uploaded|attached|welche|alle|zeig|zeige|meine|gibt|es|hast|du|liste|quels|tous|les|mes|montre|sont|que|todos|los|mis|muestra|hay|cuales|unsere|our|we|please|can|see`
	polite     = `please|pls|plz|can you|could you|would you|will you|can you please|could you please|i need you to|i want you to|i'd like you to|help me|help me to|bitte|kannst du|kannst du mir|konnen sie|konntest du|peux-tu|pouvez-vous|s'il te plait|s'il vous plait|puedes|podrias|por favor`
	wishing    = `i want to|i need to|i would like to|i'd like to|we want to|we need to|we would like to|i have to|i am trying to|i'm trying to|ich mochte|ich will|wir wollen|wir mochten|je veux|je voudrais|j'aimerais|nous voulons|quiero|queremos|necesito|quisiera`
	// drafting are verbs that open an order for words that people will send or show as their own.
	drafting = `write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|proofread|formulate|schreib|schreibe|formuliere|verfasse|ubersetz|ubersetze|entwirf|korrigiere|ecris|ecrivez|redige|redigez|traduis|traduisez|reformule|reformulez|corrige|corrigez|escribe|escriba|redacta|redacte|traduce|traduzca|reformula`
	// working are verbs that open a request which takes a model.
	working = drafting + `|explain|elaborate|brainstorm|suggest|propose|recommend|calculate|compute|convert|add|subtract|multiply|divide|code|implement|build|create|generate|make|design|develop|deploy|debug|fix|refactor|plan|improve|optimize|optimise|say that in|say it in|put that in|put it in|shorten|shorter|simplify|simpler|briefer|analyze|analyse|predict|forecast|estimate|invent|imagine|sing|tell me a joke|tell me a story|tell me about|find out|figure out|scrape|automate|train|evaluate|rate|rank|sort|classify|compare|` +
		`erklare|erklar|berechne|rechne|erstelle|baue|plane|verbessere|schlage|schlag|kurze|vergleiche|schreiben|ubersetzen|erstellen|bauen|entwickeln|explique|expliquez|calcule|calculez|cree|creez|genere|propose|compare|ecrire|traduire|creer|explica|calcula|crea|genera|propon|compara|escribir|traducir|crear`
	// sending and doing are verbs that open an order for a deed, which no answer is; those of doing are nouns as well. With fetching it
	// is an order for words.
	sending  = `send|reply to|respond to|invite|sende|schick|schicke|buche|bestelle|envoie|envoyez|envia|reenvia`
	doing    = `book|order|buy|pay|forward|post|schedule|call|ruf|reserve|commande|appelle|reserva|pide|llama`
	fetching = `send me|send us|forward me|schick mir|schicke mir|sende mir|schick uns|envoie-moi|envoie moi|envoyez-moi|envia me`
	objects  = `a|an|the|this|that|it|him|her|them|my|our|ein|eine|einen|den|die|das|ihn|un|une|le|la|les|el|los|las|una`
	// puzzled are phrases of a question behind the statement that it is about: "it leaks, what do I do".
	puzzled = `r they|r there|what do i|what do we|what should i|what should we|what can i|what can we|how do i|how do we|how can i|combien|wieviel|was mache ich|was machen wir|was soll ich|was sollen wir|was kann ich|que faire|que dois-je|comment faire|que hago|que debo|que puedo`
	// which are words of a question that stand within it: "ma fille est en quelle classe", and phrases of statements with them.
	which    = `quel|quelle|quels|quelles|welche|welcher|welches|cual|cuales|cuanto|cuanta|cuantos`
	anyWhich = `n'importe quel|n'importe quelle|tel quel|telle quelle|en cuanto|cuanto antes|cuanto mas|los cuales|las cuales`
	// consenting are phrases of a question whether what was said is right with others.
	consenting = `ok|okay|right|alright|fine|good|agreed|deal|passt|einverstanden|recht|gut|in ordnung|d'accord|ca va|ca vous va|ca te va|bon|vale|de acuerdo|bien|va bene`
	// judging are phrases of a request for an opinion.
	judging = `difference between|differences between|unterschied zwischen|difference entre|diferencia entre|pays more|pays less|costs more|costs less|is more|is less|is better|is cheaper|is longer|is higher|is lower|more expensive|ist besser|ist billiger|ist teurer|est mieux|moins cher|plus cher|es mejor|mas barato|mas caro|should i|should we|what do you think|your opinion|do you think|which is better|which one is better|which is best|is it better|would you rather|soll ich|sollen wir|was denkst du|was meinst du|devrais-je|que penses-tu|deberia|que opinas`
	finite  = `is|are|was|were|am|will|has|have|had|can|must|should|i|i'm|i've|i'll|im|ive|dont|its|thats|lets|let's|gonna|we|we're|we've|we'll|he|she|they|it's|that's|moves|moved|starts|started|ends|arrives|arrived|needs|goes|comes|costs|lives|works|means|decided|agreed|prefer|like|ist|sind|war|hat|haben|habe|bin|ich|wir|wird|muss|soll|heisst|kommt|geht|est|sont|etait|je|j'ai|nous|il|elle|es|son|era|tengo|tiene|estoy|esta|soy|yo|hay|vivo`
)

// you are words for whom a message speaks to; the German "du" is told by its verb.
const you = `you|your|u|bot|threadkeeper|dich|dir|dein|deine|deinen|tu|toi|ton|tes|vous|votre|vos|tus|usted|eres|puedes|sabes|lees|hablas|entiendes|tienes`

// own are terms of words for the program, what it reads and keeps, and its commands; ours are these and what else is said of it.
var (
	own = reading.TermSet(`bot assistant program app AI chatgpt gpt openai ollama claude gemini llama model install setup upload attach share
		document file pdf word excel powerpoint csv xlsx docx pptx html markdown json txt spreadsheet slide image picture photo screenshot scan audio video voice zip format
		language data message memory thread chat conversation history command option setting undo help feature exit quit
		bilder dateien dokumente anhängen hochladen beenden befehl einstellung sprache datei dokument bild foto daten nachricht modell verlauf unterhaltung hilfe
		joindre quitter commande langue fichier image tableau données modèle historique aide
		adjuntar subir salir comando idioma archivo imagen foto datos modelo historial ayuda`)
	ours = reading.TermSet(`robot human person machine api key real alive awake old made make built created developed trained ready sure
		set up connect configure login use using add send post open read write support accept handle understand speak talk listen hear say mean work run learn cite quote remind notify browse google web internet online offline server cloud
		table handwriting e-mail email archive type kind size limit big large long
		english german french spanish version free paid private privacy secret safe secure store stored save keep remember forget delete remove erase clear reset restart back start new channel status usage
		example question ask answer math function purpose change leave close continue again test ping
		lesen verstehen sprechen schicken öffnen speichern löschen vergessen behalten merken ändern beispiel frage antwort deutsch englisch französisch spanisch format tabelle größe groß kostenlos privat sicher mensch maschine
		lire comprendre parler envoyer ouvrir garder effacer supprimer oublier changer exemple question réponse allemand anglais français espagnol document photo taille gratuit privé sûr humain machine
		leer entender hablar enviar abrir guardar borrar eliminar olvidar cambiar ejemplo pregunta respuesta alemán inglés francés español tabla tamaño gratis privado seguro humano máquina`)
)

// guarding are words for who may see what is said.
const guarding = `safe|secure|private|privacy|confidential|stored|sicher|privat|datenschutz|vertraulich|gespeichert|prive|prives|privee|securise|confidentiel|seguro|seguros|segura|privado|privada|confidencial`

// sum matches arithmetic in folded text: "12 * 7", "15% of 2,340".
var sum = reading.Lazy(`\d[%.,]?(?:\s*[+*×÷^]\s*|\s+(?:[-/x]|of|von|de|plus|minus|times|mal|fois|por)\s+)[$€£]?\d`)

func isSum(text string) bool { return sum.MatchString(rank.Fold(text)) }

// parting is a text whose words are parted by space alone.
var parting = strings.NewReplacer(",", " ", "¿", "", "¡", "", ":", " ")

// opens reports whether folded words begin with one of the phrases, and returns what follows it.
func opens(text, phrases string) (rest string, ok bool) {
	f := strings.Join(strings.Fields(parting.Replace(rank.Fold(text))), " ")
	for p := range strings.SplitSeq(phrases, "|") {
		if r, is := strings.CutPrefix(f, p); is && (!ok || len(r) < len(rest)) && (r == "" || strings.ContainsAny(r[:1], " .!?")) {
			rest, ok = strings.TrimSpace(r), true
		}
	}
	return rest, ok
}

// only reports whether a text says no more than one of the phrases, with up to three words of address.
func only(text, phrases string, others int) bool {
	rest, ok := opens(text, phrases)
	return ok && (strings.Trim(rest, "?") == "" || !strings.Contains(rest, "?") && len(rank.Words(rest)) <= others)
}

// undrawn is a text without the letters that draw out its first word: "heyyy".
func undrawn(text string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	word = strings.TrimRight(word, "!.,")
	last, n := utf8.DecodeLastRuneInString(word)
	return strings.TrimRight(word, string(last)) + word[len(word)-n:] + " " + rest
}

// bare is a request without its polite opening.
func bare(text string) string {
	for {
		rest, ok := opens(text, polite)
		if !ok {
			return text
		}
		text = rest
	}
}

// takesModel reports whether a request is for something that only a model can do, if anybody: words, figures, opinions, work, deeds.
func takesModel(text string) bool {
	if _, ok := opens(bare(text), working); ok || acts(text) {
		return true
	}
	if rest, ok := opens(text, wishing); ok {
		_, ok = opens(rest, working)
		return ok || strings.HasSuffix(rest, "en") && len(rank.Words(rest)) > 2 && reading.HasPhrase(rest, working)
	}
	text = strings.NewReplacer("'s ", " is ", "’s ", " is ").Replace(text)
	_, judge := opens(bare(text), judging)
	return (judge || reading.HasPhrase(text, judging) && reading.AsksAnywhere(text)) && !reading.AsksFigure(text) || isSum(text) || isMaterial(text)
}

// acts reports whether a request is for a deed: "book a room", "can you send messages?", but not "order number".
func acts(text string) bool {
	order := bare(text)
	rest, does := opens(order, doing)
	_, sends := opens(order, sending)
	_, fetches := opens(order, fetching)
	_, object := opens(rest, objects)
	return !fetches && (sends || does && (object || order != text))
}

// isMaterial reports whether a text is code or a link, and no word says what to do with it.
func isMaterial(text string) bool {
	linked := strings.Contains(text, "://") && len(partsOf(reading.ReplaceAddresses(text, func(string) string { return "" }), false)) == 0
	return linked || strings.HasPrefix(strings.TrimSpace(text), "```")
}

func drafts(text string) bool {
	_, ok := opens(bare(text), drafting)
	return ok
}

// asksUs reports whether a text asks something or has us do something.
func asksUs(text string) bool {
	if reading.AsksByOrder(text) || takesModel(text) || reading.AsksAnywhere(text) {
		return true
	}
	if reading.HasPhrase(text, puzzled) || reading.HasPhrase(text, which) && !reading.HasPhrase(text, anyWhich) && !strings.ContainsAny(text, ",.!") {
		return true
	}
	_, tells := opens(bare(text), fetching+`|remind me|remind us|tell|show|give|list|find|search|look up|look for|check|read|quote|cite|`+summing+`|`+forgets+`|zeig|zeige|such|suche|finde|nenne|nenn|sag|liste|montre|cherche|trouve|donne|dis|muestra|busca|dime|dame|lista`)
	return tells
}

// reminds reports whether a request is to be reminded of something later; "remind me what …" is a question.
func reminds(text string) bool {
	rest, ok := opens(bare(text), reminding)
	return ok && !reading.IsQuestion(rest)
}

// states reports whether a text states something: neither a question nor a request nor a few words to search for.
func states(text string) bool {
	if _, ok := opens(bare(text), noting); ok || reminds(text) {
		return true
	}
	if strings.TrimSpace(text) == "" || asksUs(text) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(text))
	words := len(strings.Fields(text))
	return strings.ContainsRune(".!…。！", last) && words >= 3 || strings.ContainsRune("。！", last) || reading.HasPhrase(text, finite) || words > 8 ||
		strings.Contains(text, ": ") && words >= 3
}

// toUs reports whether a text speaks to the program.
func toUs(text string) bool {
	words := append([]string{""}, rank.Words(text)...)
	i := slices.Index(words, "du")
	verb := func(w string) bool { return len(w) > 3 && strings.HasSuffix(w, "st") }
	return reading.HasPhrase(text, you) || i > 0 && (verb(words[i-1]) || i == 1 && len(words) > 2 && verb(words[2]))
}

// ofUs reports whether a request is about the program: it speaks to it, asks for something of its own or is a word or two, and names
// nothing that is not the program's.
func (r *run) ofUs() bool {
	text := withoutOpening(r.request)
	spoken := toUs(text) && asksUs(text)
	if len(numberedIn(text)) > 0 || len(r.library) > 0 && documentWords(text) != "" || !spoken && r.before() != "" {
		return false
	}
	named := false
	for t := range reading.TermSet(text) {
		named = named || own[t]
	}
	affairs := slices.ContainsFunc(rank.Words(text), func(w string) bool { return mine[w] || w == "we" }) && !reading.HasPhrase(text, `how|can i|may i|`+guarding)
	return !affairs && (spoken || named && (asksUs(text) || len(r.library) == 0) || len(rank.Words(text)) <= 2) &&
		!slices.ContainsFunc(partsOf(text, false), func(p part) bool {
			return !p.light && slices.ContainsFunc(p.phrase, func(t string) bool { return !own[t] && !ours[t] })
		})
}

// withoutOpening is a text without the greeting, or the yes or no, that it opens with.
func withoutOpening(text string) string {
	if rest, ok := opens(strings.TrimLeft(undrawn(text), " "), greetings+`|ok|okay|no|nope|nein|non`); ok && strings.Trim(rest, " .!?") != "" {
		return strings.TrimLeft(rest, " .!?")
	}
	return text
}

// manners answers what needs no search, "" for what does.
func (r *run) manners(ctx context.Context) (string, error) {
	text := r.request
	orders := func(phrases string) bool { _, ok := opens(bare(withoutOpening(text)), phrases); return ok }
	switch question := strings.ContainsAny(text, "?？"); {
	case r.digest != nil:
		r.route = routeMemory
		return r.digestText(ctx)
	case strings.Trim(text, ".! ") == "", only(text, greetings, 3), !question && only(undrawn(text), greetings+`|morning|afternoon|evening|morgen|abend`, 0):
		return r.say.hello, nil
	case orders(thanking) && !asksUs(text) && len(rank.Words(text)) <= 8 || reading.HasPacked(text, `ありがとう|谢谢|謝謝|감사`):
		return r.say.welcome, nil
	case strings.Trim(bare(text), " ?？!") == "", only(bare(text), helping, 1) && len(rank.Words(text)) <= 4, len(rank.Words(text)) <= 10 && reading.HasPhrase(text, program) && asksUs(text) && len(r.library.named(text)) == 0:
		return r.say.about, nil
	case only(text, leaving, 2), only(text, callingOff, 0), reading.Acknowledges(text):
		return r.say.fine, nil
	case only(withoutOpening(text), blaming, 2):
		return r.say.tryOther, nil
	case !question && orders(forgets), reading.HasPhrase(text, forgets) && reading.HasPhrase(text, `about me|my data|my messages|what i said|uber mich|meine daten|meine nachrichten|sur moi|mes donnees|mes messages|sobre mi|mis datos|mis mensajes`) && asksUs(text):
		return r.say.howToForget, nil
	case !question && reminds(text):
		return r.say.noReminder, nil
	case reading.HasPhrase(text, listing) && withoutPhrases(text, besideList) == "":
		return r.listing(ctx)
	case r.sums(text) && len(r.library) == 0 && reading.HasPhrase(text, docNouns):
		r.nothing = true
		return r.say.noDocuments, nil
	case reading.HasPhrase(text, missing), r.sums(text) && r.aboutThread(text), reading.HasPhrase(text, nexting) && len(rank.Words(text)) <= 12 && (asksUs(text) || !strings.HasSuffix(text, ".")):
		if text, err := r.soFar(ctx); err != nil || text != r.say.noRecord || len(r.library) == 0 {
			return text, err
		}
	}
	return "", nil
}

func (r *run) sums(text string) bool {
	if _, ok := opens(text, `what is|what's|whats|what are|what does`); ok && reading.HasPhrase(text, "about") {
		if withoutPhrases(text, `what|is|what's|whats|are|does|say|about|it|`+theNouns+"|"+docNouns) == "" { // "what's this report about"
			return true
		}
	}
	return (reading.HasPhrase(text, summing) || reading.HasPacked(text, `要約|まとめて|总结|總結|摘要|概括|요약`)) && len(rank.Words(text)) <= 25
}

func (r *run) aboutThread(text string) bool {
	return reading.HasPhrase(text, threads) && len(r.library.named(text)) == 0 || len(r.library) == 0
}

func (r *run) listing(ctx context.Context) (string, error) {
	text := ""
	for _, d := range r.library[:min(len(r.library), 20)] {
		extent, err := r.extent(ctx, d)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("- %s (%s)\n", plainName(d.Name), extent)
	}
	return cmp.Or(strings.TrimSpace(text), r.say.noDocuments), nil
}
