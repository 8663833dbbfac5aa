package agent

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Requests that lack what they depend on. The rules know English; German, French and
// Spanish have the commonest forms. Each is general: none holds a request's own words.

// work are verbs that ask for something to be made or done.
const work = `analy[sz]e|automate|build|calculate|categori[sz]e|clean|cluster|code|configure|connect|convert|create|debug|deploy|design|develop|draft|evaluate|extract|fix|forecast|generate|implement|improve|install|integrate|make|migrate|model|monitor|optimi[sz]e|plan|predict|prepare|process|refactor|schedule|scrape|set up|setup|test|train|translate|visuali[sz]e|write|find out|figure out|identify|detect|estimate|` +
	`erstelle?n?|baue?n?|schreibe?n?|entwickle?n?|entwickeln|analysiere?n?|herausfinden|vorhersagen|crear|construir|escribir|desarrollar|analizar|averiguar|predecir|desplegar|creer|ecrire|developper|construire|analyser|trouver|predire|deployer|creare|costruire|scrivere|sviluppare|prevedere|scrivi|crea|criar|escrever|desenvolver|escreva|crie|bouwen|maken|schrijven|schrijf|maak|voorspellen|escribe|redacta|ecris|cree|redige`

var (
	polite     = regexp.MustCompile(`^(?:(?:please|bitte|por favor|s'il te plait|s'il vous plait|per favore|alsjeblieft|can you|could you|would you|will you|help me(?: to| with)?|kannst du(?: mir)?|konnen sie(?: mir)?|hilf mir(?: bei| mit)?|puedes|ayudame (?:a|con)|peux-tu|pouvez-vous|aide-moi a|puoi|aiutami a|voce pode|pode|ajude-me a|kun je(?: me)?|help me met)\s+)+`)
	imperative = regexp.MustCompile(`^(?:please |bitte |por favor )?(?:` + work + `)(?:$|[^\pL])`)
	wish       = regexp.MustCompile(`^(?:hi |hello |so |ok )?(?:i|we) (?:(?:really |just )?(?:need|want|wish|would like|have|am trying|are trying|plan|hope)|'d like) (?:you )?to (?:` + work + `)(?:$|[^\pL])|` +
		`^i'd like to (?:` + work + `)(?:$|[^\pL])|^(?:ich|wir) (?:muss|mussen|mochten?|will|wollen) .*(?:` + work + `)$|^(?:quiero|queremos|necesito|necesitamos) (?:` + work + `)(?:$|[^\pL])|^(?:je (?:veux|voudrais|dois)|j'aimerais|nous voulons) (?:` + work + `)(?:$|[^\pL])|` +
		`^(?:ich|wir) (?:muss|mussen|mochten?|will|wollen) (?:herausfinden|vorhersagen)\s*,|^(?:voglio|vogliamo|vorrei|devo|quero|queremos|preciso|gostaria de) (?:` + work + `)(?:$|[^\pL])|^(?:ik|wij|we) (?:wil|willen|moet|moeten) .*(?:` + work + `)$`)
	// commission matches asking for things somebody has made for them.
	commission = regexp.MustCompile(`^(?:(?:i|we) (?:need|want|would like)|(?:i|we)'d like) (?:an? |some )(?:\pL+ ){0,2}(?:plan|script|program|function|tool|app|application|website|page|dashboard|report|presentation|letter|e-?mail|logo|design|database|model|chatbot|bot|spreadsheet|template|contract|strategy|schedule|poem|story|translation)(?:$|[^\pL])`)
	inquiry    = regexp.MustCompile(`(?:^|[^\pL])(?:find out|figure out|know|predict|forecast|identify|detect|estimate|herausfinden|wissen|vorhersagen|averiguar|saber|predecir|savoir|trouver|predire)\s*,?\s+(?:who|which|what|when|where|why|how|whether|if|wer|welche\pL*|was|wann|wo|warum|wie|ob|quien|cual|que|quand|qui|quel\pL*|pourquoi)(?:$|[^\pL])`)
	owning     = regexp.MustCompile(`^(?:i|we) (?:have|'ve|'ve got|got|have got) (?:a|an|some|this|these|the|\d)|^(?:i've|we've) (?:a|an|some|got)|^(?:ich habe|wir haben) (?:einen?|ein|\d)|^(?:tengo|tenemos) (?:un|una|\d)|^(?:j'ai|nous avons) (?:une?|des|\d)|^(?:ho|abbiamo|tenho|temos) (?:un[oa]?|uma?|dei|\d)|^(?:ik heb|we hebben|wij hebben) (?:een|\d)`)

	// anchors make a request specific: a link, code, a quotation, a path, or a reason and a way.
	anchors = regexp.MustCompile("https?://|`|\"[^\"]+\"|“|\\w_\\w|\\w+\\.\\w+/|(?:^|\\s)/\\w+|\\{|;|=|->|=>|\\b[a-z0-9_]+\\([a-z0-9_, ]*\\)")
	details = reading.Cue(`by|using|based on|because|which|that|where|when|such as|e\.g|for example|from the|from \pL+ to|per|mit hilfe|indem|anhand|basierend|usando|mediante|porque|en utilisant|parce que|avec`, `使用|用`)
	vague   = reading.Cue(`a|an|some|any|something|who|what|which|ein|eine|einen|un|une|una|des`, `某`)
	busy    = regexp.MustCompile(`(?i)\b(?:\pL+(?:ing|ed)|is|are|was|were|be|has|do|does|will|can)\b`)
)

const (
	longTopic    = 3  // content words of a bare topic at most
	shortTopic   = 5  // runes of a bare topic at least: "hmm" is none
	longWork     = 16 // words of a request for work that may still lack everything
	optionLength = 75 // runes: what a button shows
)

// doubtTopic: a few words that name something and ask nothing.
func (r *run) doubtTopic() bool {
	text := strings.TrimSpace(r.request)
	if stated.MatchString(rank.Fold(text)) {
		return false
	}
	if r.understanding.intent.question || strings.ContainsAny(text, ":\n!.") || anchors.MatchString(text) || text == "" {
		return false
	}
	f := rank.Fold(text)
	if n := len(reading.ContentTerms(text)); n == 0 || n > longTopic || len(rank.Words(text)) > 6 || r.understanding.intent.summary {
		return false
	}
	if imperative.MatchString(f) || wish.MatchString(f) || owning.MatchString(f) || hasVerb(f) || r.wantsWriting() || r.inContext(reading.ContentTerms(text)) {
		return false
	}
	if utf8.RuneCountInString(text) < shortTopic {
		return false
	}
	topic := text
	return r.doubted(bareTopic, topic, r.say.because.topic, r.topicOptions(topic))
}

// stated are words that make a short message a statement: its subject, or a first person that ends in -o.
var stated = regexp.MustCompile(`^(?:it'?s|i|i'?m|i'?ve|we|he|she|they|you|this|that|there|ich|wir|er|sie|es|das|du|ihr|je|nous|il|elle|on|yo|io|eu|ik|wij)(?:$|[^\pL])|^(?:j|c|m|t|l)['’]|^(?:tengo|tenemos|ho|abbiamo|tenho|temos|soy|sono|sou|estoy|sto|estou)(?:$|[^\pL])|^\pL+o (?:en|em|a|in|com|con|di|de)(?:$|[^\pL])`)

// hasVerb reports whether folded text holds a finite verb or an answer that stands alone.
func hasVerb(f string) bool {
	return busy.MatchString(f) || stands.MatchString(f)
}

// stands are words that make a short message an utterance of its own rather than a topic.
var stands = reading.Cue(`yes|no|ok|okay|sure|please|stop|go|continue|more|again|help|ping|test|next|done|great|good|nice|fine|cool|perfect|exactly|right|wrong|never mind|forget|show|tell|give|list|explain|find|search|read|open|use|add|remove|delete|try|retry|wait|check|run|send|call|let|know|like|love|hate|work|works|prefer|remember|note|see|look|`+
	`ja|nein|bitte|gut|weiter|zeig\pL*|erklar\pL*|nenn\pL*|such\pL*|merk\pL*|lies|oui|non|bien|montre\pL*|explique\pL*|donne\pL*|cherche\pL*|liste|si|vale|muestra\pL*|explica\pL*|dime|busca\pL*|lista|ist|sind|est|sont|es|son|sei|e|sono|да|нет|дай|покажи|найди`,
	`はい|いいえ|ください|して|です|ます|是|好|请|네|아니|주세요|합니다`)

// topicOption is an option that asks what form says of a thing.
func topicOption(form, thing string) memory.Option {
	text := fmt.Sprintf(form, thing)
	return memory.Option{Label: reading.Shorten(text, optionLength), Query: text}
}

// doubtWork: something is had or to be made, and nothing says what for, from what or where.
func (r *run) doubtWork() bool {
	text := strings.TrimRight(strings.TrimSpace(r.request), ".!? ")
	f := rank.Fold(text)
	asked := polite.FindString(f)
	if r.understanding.intent.question && asked == "" || anchors.MatchString(text) || len(rank.Words(text)) > longWork || strings.ContainsAny(text, "\n?:;") {
		return false
	}
	if len(r.library) > 0 && (r.understanding.intent.document || r.understanding.intent.summary) || r.inContext(reading.ContentTerms(text)) {
		return false
	}
	if owning.MatchString(f) && !strings.Contains(f, ",") && !meeting.MatchString(f) {
		what := object(text)
		kind := matterOf(what)
		if kind != someData {
			kind = aThing
		}
		return r.doubted(bareThing, what, r.say.because.thing, r.optionsFor(kind, what))
	}
	if bare := f[len(asked):]; !lacks(bare, asked != "") {
		return false
	}
	return r.doubted(bareWork, text, r.say.because.work, r.workOptions(text))
}

// lacks reports whether folded text asks for work and does not say what the work depends on.
func lacks(f string, helped bool) bool {
	words, terms := len(rank.Words(f)), len(reading.ContentTerms(f))
	switch {
	case wish.MatchString(f) || commission.MatchString(f):
		rest := withoutWish(f)
		return (inquiry.MatchString(f) || commission.MatchString(f)) && terms <= 4 || !details.MatchString(rest) && strings.Count(rest, ",") < 2
	case imperative.MatchString(f):
		return (words <= 4 || vague.MatchString(f)) && terms <= longBare && !details.MatchString(f) &&
			!specific.MatchString(f) && len(rank.Numbers(f)) == 0
	}
	return helped && terms > 0 && terms <= 2 && vague.MatchString(f) && !telling.MatchString(f) // "help me with a presentation"
}

// telling are verbs that want an answer and no work: "could you tell me what a lathe is".
var telling = regexp.MustCompile(`^(?:tell|explain|define|describe|say|remind|sagen|erklaren|(?:me |m'|nous )?(?:dire|expliquer)|decir\pL*|explicar\pL*)(?:$|[^\pL])`)

// specific are words that begin what a thing is to be like: whom it is for, what it holds, what it is about.
var specific = reading.Cue(`with|for \pL+ (?:and|with|who|that)|about|uber|mit|sur|sobre|su|over|named|called|says|saying|from|to|for my|for our|who|of (?:my|our|the)`, `$.`)

const longBare = 5 // content words of a request for work that may lack everything

// workOptions are the options for work to be done.
func (r *run) workOptions(text string) []memory.Option {
	f := rank.Fold(text)
	if words := rank.Words(f); len(words) <= 4 && pointing.MatchString(f) {
		return r.optionsFor(nothing, "")
	}
	kind := matterOf(f)
	if kind == someData { // these options name the data; here they are to be worked on
		kind = anyMatter
	}
	return r.optionsFor(kind, text)
}

// pointing are words for what is not named.
var pointing = reading.Cue(`it|this|that|them|these|those|das|dies|es|ca|cela|le|la|les|eso|esto|lo|questo|isso|isto|dit|dat`, `$.`)

// meeting are things one merely reports having: nothing is to be done with them.
var meeting = reading.Cue(`meeting|appointment|call|lunch|dinner|flight|birthday|holiday|idea|question|problem|cat|dog|child|children|kids?|brother|sister|car|house|cold|headache|termin|besprechung|flug|frage|cita|reunion\pL*|reuniao|riunione|appuntamento|afspraak|vergadering|rendez-vous|vol|hunger|durst|hambre|sed|sueno|fame|sete|sonno|fome|honger|dorst|faim|soif|office|colleague|apartment|flat|wohnung|buro|hijos?|hijas?|perro|gato|enfants?|chien|chat|hund|katze|kinder|tooth\pL*|fever|allergy|allergies|day off|birthday`, `会議|会议|회의`)

// withoutWish drops "I want to …" so that its words do not count as details.
func withoutWish(f string) string {
	if at := wish.FindStringIndex(f); at != nil {
		return f[at[1]:]
	}
	return f
}

var ownership = regexp.MustCompile(`(?i)^(?:i|we|ich|wir|nous|j'|je|ik|wij)?\s*(?:have got|have|'ve got|'ve|got|habe|haben|tengo|tenemos|avons|ai|j'ai|ho|abbiamo|tenho|temos|heb|hebben)\s+(?:an?|some|einen?|ein|une?|una|uma?|uno|des|dei|een)?\s*`)

// object is what somebody says they have.
func object(text string) string { return strings.TrimSpace(ownership.ReplaceAllString(text, "")) }

// inContext reports whether the history speaks of most of these terms, so that it says what
// the request leaves out.
func (r *run) inContext(terms []string) bool {
	if len(terms) == 0 || len(r.history.Messages) == 0 && r.history.Snapshot == nil {
		return false
	}
	known := map[string]bool{}
	for _, t := range rank.Terms(r.known()) {
		known[t] = true
	}
	n := 0
	for _, t := range terms {
		if known[t] {
			n++
		}
	}
	return 2*n > len(terms)
}
