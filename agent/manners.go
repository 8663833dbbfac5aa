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
	polite     = `ok|okay|no|nope|nein|non|also|so|do you remember|do you know|do u know|weisst du|wissen sie|sais-tu|savez-vous|sabes|please|pls|plz|can you|could you|would you|will you|can you please|could you please|i need you to|i want you to|i'd like you to|help me|help me to|bitte|kannst du|kannst du mir|konnen sie|konntest du|peux-tu|pouvez-vous|s'il te plait|s'il vous plait|puedes|podrias|por favor`
	wishing    = `i want to|i need to|i would like to|i'd like to|we want to|we need to|we would like to|i have to|i am trying to|i'm trying to|ich mochte|ich will|wir wollen|wir mochten|je veux|je voudrais|j'aimerais|nous voulons|quiero|queremos|necesito|quisiera`
	// drafting are verbs that open an order for words that people will send or show as their own.
	drafting = `write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|proofread|formulate|schreib|schreibe|formuliere|verfasse|ubersetz|ubersetze|entwirf|korrigiere|ecris|ecrivez|redige|redigez|traduis|traduisez|reformule|reformulez|corrige|corrigez|escribe|escriba|redacta|redacte|traduce|traduzca|reformula`
	// working are verbs that open a request which takes a model.
	working = drafting + `|explain|elaborate|brainstorm|suggest|propose|recommend|calculate|compute|convert|add|subtract|multiply|divide|implement|create|generate|make|develop|deploy|debug|refactor|improve|optimize|optimise|say that in|say it in|put that in|put it in|shorten|shorter|simplify|simpler|briefer|analyze|analyse|predict|invent|imagine|sing|tell me a joke|tell me a story|tell me about|find out|figure out|scrape|automate|train|evaluate|sort|classify|compare|` +
		`erklare|erklar|berechne|rechne|erstelle|baue|plane|verbessere|schlage|schlag|kurze|vergleiche|schreiben|ubersetzen|erstellen|bauen|entwickeln|explique|expliquez|calcule|calculez|cree|creez|genere|propose|compare|ecrire|traduire|creer|explica|calcula|crea|genera|propon|compara|escribir|traducir|crear`
	// doing are verbs that open an order for a deed, which no answer is, before its object: they are nouns as well. With fetching it is an
	// order for words.
	doing    = `code|plan|design|rate|rank|estimate|forecast|fix|build|send|reply to|respond to|invite|book|order|buy|pay|forward|post|schedule|call|sende|schick|schicke|buche|bestelle|ruf|envoie|envoyez|reserve|commande|appelle|envia|reenvia|reserva|pide|llama`
	fetching = `send me|send us|forward me|schick mir|schicke mir|sende mir|schick uns|envoie-moi|envoie moi|envoyez-moi|envia me`
	// judging are phrases of a request for an opinion.
	judging = `difference between|differences between|unterschied zwischen|difference entre|diferencia entre|pays more|pays less|costs more|costs less|is more|is less|is better|is cheaper|is longer|is higher|is lower|more expensive|ist besser|ist billiger|ist teurer|est mieux|moins cher|plus cher|es mejor|mas barato|mas caro|should i|should we|what do you think|your opinion|do you think|which is better|which one is better|which is best|is it better|would you rather|soll ich|sollen wir|was denkst du|was meinst du|devrais-je|que penses-tu|deberia|que opinas`
	finite  = `is|are|was|were|am|will|has|have|had|can|must|should|i|i'm|i've|i'll|im|ive|dont|its|thats|lets|let's|gonna|we|we're|we've|we'll|he|she|they|it's|that's|moves|moved|starts|started|ends|arrives|arrived|needs|goes|comes|costs|lives|works|means|decided|agreed|prefer|like|ist|sind|war|hat|haben|habe|bin|ich|wir|wird|muss|soll|heisst|kommt|geht|est|sont|etait|je|j'ai|nous|il|elle|es|son|era|tengo|tiene|estoy|esta|soy|yo|hay|vivo`
)

// you are words for whom a message speaks to.
const you = `you|your|u|bot|threadkeeper|dich|dir|dein|deine|deinen|tu|toi|ton|tes|vous|votre|vos|tus|usted|eres|puedes|sabes|lees|hablas|entiendes|tienes`

// own are words for the program and what it does; with forgets and guarding, a question with one of them that finds nothing is about it.
const (
	own = `are you|r u|bist du|sind sie|es-tu|tu es|etes-vous|vous etes|eres|es usted|to you|you read|send you|give you|show you|bot|assistant|app|ai|chatgpt|openai|ollama|claude|gemini|llama|model|install|set up|setup|upload|attach|add a file|file type|file types|file formats|formats|pdf|word|excel|powerpoint|xlsx|docx|html|markdown|images|pictures|audio|voice|language|languages|command|commands|option|options|setting|settings|undo|feature|features|my data|my messages|memory|` +
		`anhangen|hochladen|datei|dateien|bilder|befehl|befehle|einstellung|sprache|sprachen|modell|meine daten|joindre|commande|langue|langues|fichier|image|images|modele|mes donnees|adjuntar|subir|comando|idioma|idiomas|archivo|imagen|modelo|mis datos`
	guarding = `safe|secure|private|privacy|confidential|stored|sicher|privat|datenschutz|vertraulich|gespeichert|prive|prives|privee|securise|confidentiel|seguro|seguros|segura|privado|privada|confidencial`
)

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

// bare is a request without its polite opening, or the greeting, the yes or the no before it.
func bare(text string) string {
	for {
		rest, ok := opens(text, polite+"|"+greetings)
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
	_, fetches := opens(order, fetching)
	_, object := opens(rest, theNouns+"|a|an|it|him|her|them|ein|eine|einen|un|une|una")
	return does && !fetches && (object || toUs(text))
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
	if reading.AsksByOrder(text) || takesModel(text) || reading.AsksAnywhere(text) || reading.HasPhrase(text, `how much|how many|combien|en quelle|en quel|c'est quel|c'est quelle|wieviel|wie viel`) {
		return true
	}
	_, tells := opens(bare(text), fetching+`|remind me|remind us|tell|show|give|list|find|search|look up|look for|check|read|quote|cite|`+summing+`|`+forgets+`|muss ich|muss man|mussen wir|soll ich|sollen wir|darf|durfen wir|kostet|zeig|zeige|such|suche|finde|nenne|nenn|sag|liste|montre|cherche|trouve|donne|dis|muestra|busca|dime|dame|lista`)
	return tells
}

// reminds reports whether a request is to be reminded of something later; "remind me what …" is a question.
func reminds(text string) bool {
	rest, ok := opens(bare(text), reminding)
	return ok && !reading.IsQuestion(strings.TrimRight(rest, "?"))
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

// toUs reports whether a text speaks to the program: "du" is German where the other words are.
func toUs(text string) bool {
	return reading.HasPhrase(text, you) || strings.HasPrefix(text, "du ") || reading.HasPhrase(text, "du") && reading.Language(text) == "de"
}

// ofUs reports whether a request of which nothing was found is about the program.
func (r *run) ofUs() bool {
	return reading.HasPhrase(r.request, own+"|"+forgets+"|"+guarding) && (asksUs(r.request) || len(r.library) == 0) && documentWords(r.request) == ""
}

// manners answers what needs no search, "" for what does.
func (r *run) manners(ctx context.Context) (string, error) {
	text, order := r.request, bare(r.request)
	words, question := len(rank.Words(text)), strings.ContainsAny(text, "?？")
	_, thanks := opens(order, thanking)
	_, erases := opens(order, forgets)
	switch {
	case r.digest != nil:
		r.route = routeMemory
		return r.digestText(ctx)
	case strings.Trim(text, ".! ") == "", only(text, greetings, 3), !question && only(text, `morning|evening|morgen`, 0):
		return r.say.hello, nil
	case only(text, callingOff, 0), only(text, leaving, 2):
		return r.say.fine, nil
	case thanks && !asksUs(text) && words <= 8 || reading.HasPacked(text, `ありがとう|谢谢|謝謝|감사`):
		return r.say.welcome, nil
	case reading.Acknowledges(text):
		return r.say.fine, nil
	case strings.Trim(order, " ?？!") == "", only(order, helping, 1), words <= 10 && reading.HasPhrase(text, program) && asksUs(text) && len(r.library.named(text)) == 0:
		return r.say.about, nil
	case only(order, blaming, 2):
		return r.say.tryOther, nil
	case !question && erases:
		return r.say.howToForget, nil
	case reminds(text):
		return r.say.noReminder, nil
	case asksUs(text) && reading.HasPhrase(text, listing) && len(partsOf(withoutPhrases(text, listing+`|list|uploaded|attached|have|got|hast|liste|as|avez|tienes`), false)) == 0:
		return r.listing(ctx)
	case r.sums(text) && len(r.library) == 0 && reading.HasPhrase(text, docNouns):
		r.nothing = true
		return r.say.noDocuments, nil
	case reading.HasPhrase(text, missing), r.sums(text) && r.aboutThread(text), reading.HasPhrase(text, nexting) && words <= 12 && (asksUs(text) || !strings.HasSuffix(text, ".")):
		if text, err := r.soFar(ctx); err != nil || text != r.say.noRecord || len(r.library) == 0 {
			return text, err
		}
	}
	return "", nil
}

func (r *run) sums(text string) bool {
	words := len(rank.Words(text))
	_, what := opens(text, `what is|what's|whats|what are`)
	return what && words <= 6 && strings.HasSuffix(strings.TrimRight(text, "? "), " about") && len(numberedIn(text)) == 0 && !slices.ContainsFunc(partsOf(text, false), part.tells) || // "what's this report about"
		(reading.HasPhrase(text, summing) || reading.HasPacked(text, `要約|まとめて|总结|總結|摘要|概括|요약`)) && words <= 25
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
