package agent

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// Requests that lack what they depend on. The rules know English; German, French and
// Spanish have the commonest forms. Each is general: none holds a request's own words.

// work are verbs that ask for something to be made or done.
const work = `analy[sz]e|automate|build|calculate|categori[sz]e|clean|cluster|code|configure|connect|convert|create|debug|deploy|design|develop|draft|evaluate|extract|fix|forecast|generate|implement|improve|install|integrate|make|migrate|model|monitor|optimi[sz]e|plan|predict|prepare|process|refactor|schedule|scrape|set up|setup|test|train|translate|visuali[sz]e|write|find out|figure out|identify|detect|estimate|` +
	`erstelle?n?|baue?n?|schreibe?n?|entwickle?n?|entwickeln|analysiere?n?|herausfinden|vorhersagen|crear|construir|escribir|desarrollar|analizar|averiguar|predecir|desplegar|creer|ecrire|developper|construire|analyser|trouver|predire|deployer`

var (
	imperative = regexp.MustCompile(`^(?:please |bitte |por favor )?(?:` + work + `)(?:$|[^\pL])`)
	wish       = regexp.MustCompile(`^(?:hi |hello |so |ok )?(?:i|we) (?:(?:really |just )?(?:need|want|wish|would like|have|am trying|are trying|plan|hope)|'d like) (?:you )?to (?:` + work + `)(?:$|[^\pL])|` +
		`^i'd like to (?:` + work + `)(?:$|[^\pL])|^(?:ich|wir) (?:muss|mussen|mochten?|will|wollen) .*(?:` + work + `)$|^(?:quiero|queremos|necesito|necesitamos) (?:` + work + `)(?:$|[^\pL])|^(?:je (?:veux|voudrais|dois)|j'aimerais|nous voulons) (?:` + work + `)(?:$|[^\pL])`)
	owning = regexp.MustCompile(`^(?:i|we) (?:have|'ve|'ve got|got|have got) (?:a|an|some|this|these|the|\d)|^(?:i've|we've) (?:a|an|some|got)|^(?:ich habe|wir haben) (?:einen?|ein|\d)|^(?:tengo|tenemos) (?:un|una|\d)|^(?:j'ai|nous avons) (?:une?|des|\d)`)

	// anchors make a request specific: a link, code, a quotation, a path, or a reason and a way.
	anchors = regexp.MustCompile("https?://|`|\"[^\"]+\"|“|\\w+\\.\\w+/|(?:^|\\s)/\\w+|\\{|;|=|->|=>|\\b[a-z0-9_]+\\([a-z0-9_, ]*\\)")
	details = cue(`by|using|based on|because|which|that|where|when|such as|e\.g|for example|from \pL+ to|per|mit hilfe|indem|anhand|basierend|usando|mediante|porque|en utilisant|parce que|avec`, `使用|用`)
	vague   = cue(`a|an|some|any|something|who|what|which|ein|eine|einen|un|une|una|des`, `某`)
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
	if r.reading.intent.question || strings.ContainsAny(text, ":\n!.") || anchors.MatchString(text) || text == "" {
		return false
	}
	f := rank.Fold(text)
	if n := len(content(text)); n == 0 || n > longTopic || len(rank.Words(text)) > 6 || r.reading.intent.summary {
		return false
	}
	if imperative.MatchString(f) || wish.MatchString(f) || owning.MatchString(f) || hasVerb(f) || r.inContext(content(text)) {
		return false
	}
	if utf8.RuneCountInString(text) < shortTopic {
		return false
	}
	topic := text
	return r.doubted(bareTopic, topic, "a topic without a request", r.readings(topic))
}

// hasVerb reports whether folded text holds a finite verb or an answer that stands alone.
func hasVerb(f string) bool {
	return busy.MatchString(f) || stands.MatchString(f)
}

// stands are words that make a short message an utterance of its own rather than a topic.
var stands = cue(`yes|no|ok|okay|sure|please|stop|go|continue|more|again|help|ping|test|next|done|great|good|nice|fine|cool|perfect|exactly|right|wrong|never mind|forget|show|tell|give|list|explain|find|search|read|open|use|add|remove|delete|try|retry|wait|check|run|send|call|let|know|like|love|hate|work|works|prefer|remember|note|see|look|`+
	`ja|nein|bitte|gut|weiter|zeig\pL*|erklar\pL*|nenn\pL*|such\pL*|merk\pL*|lies|oui|non|bien|montre\pL*|explique\pL*|donne\pL*|cherche\pL*|liste|si|vale|muestra\pL*|explica\pL*|dime|busca\pL*|lista|ist|sind|est|sont|es|son|sei|e|sono|да|нет|дай|покажи|найди`,
	`はい|いいえ|ください|して|です|ます|是|好|请|네|아니|주세요|합니다`)

// readings are what one may want of a bare topic.
func (r *run) readings(topic string) []memory.Option {
	options := []memory.Option{r.option(r.say.overview, topic)}
	if len(r.library) > 0 {
		options = append([]memory.Option{r.option(r.say.inDocs, topic)}, options...)
	}
	return append(options, r.option(r.say.recalled, topic))
}

func (r *run) option(form, thing string) memory.Option {
	text := fmt.Sprintf(form, thing)
	return memory.Option{Label: shorten(text, optionLength), Query: text}
}

func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRightFunc(string(runes[:limit-1]), unicode.IsSpace) + "…"
}

// doubtWork: something is had or to be made, and nothing says what for, from what or where.
func (r *run) doubtWork() bool {
	text := strings.TrimSpace(r.request)
	f := rank.Fold(text)
	words := len(rank.Words(text))
	if r.reading.intent.question || anchors.MatchString(text) || words > longWork || strings.ContainsAny(strings.TrimRight(text, ".! "), "\n?:;") {
		return false
	}
	if len(r.library) > 0 && (r.reading.intent.document || r.reading.intent.summary) || r.inContext(content(text)) {
		return false
	}
	thing := strings.TrimRight(text, ".! ")
	switch {
	case owning.MatchString(f) && !strings.Contains(f, ",") && !meeting.MatchString(f):
		what := object(thing)
		return r.doubted(bareThing, what, "says what there is, not what is wanted", []memory.Option{
			r.option(r.say.analyse, what), r.option(r.say.build, what), r.option(r.say.keep, what)})
	case (imperative.MatchString(f) && (words <= 4 || vague.MatchString(f)) || wish.MatchString(f)) && !details.MatchString(withoutWish(f)):
		return r.doubted(bareWork, thing, "work to do, without what it depends on", []memory.Option{
			r.option(r.say.needed, thing), r.option(r.say.howTo, thing), r.option(r.say.doIt, thing)})
	}
	return false
}

// meeting are things one merely reports having: nothing is to be done with them.
var meeting = cue(`meeting|appointment|call|lunch|dinner|flight|birthday|holiday|idea|question|problem|cat|dog|child|children|kids?|brother|sister|car|house|cold|headache|termin|besprechung|flug|frage|cita|reunion|rendez-vous|vol`, `会議|会议|회의`)

// withoutWish drops "I want to …" so that its words do not count as details.
func withoutWish(f string) string {
	if at := wish.FindStringIndex(f); at != nil {
		return f[at[1]:]
	}
	return f
}

var ownership = regexp.MustCompile(`(?i)^(?:i|we|ich|wir|nous|j'|je)?\s*(?:have got|have|'ve got|'ve|got|habe|haben|tengo|tenemos|avons|ai|j'ai)\s+(?:an?|some|einen?|ein|une?|una|des)?\s*`)

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
