package agent

import (
	"regexp"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// matter is what kind of thing a request is about. It decides what may be meant by a request that does not say.
type matter int

const (
	anyMatter matter = iota // something to be made or planned
	aTopic
	aThing // something one has
	someData
	someText
	someCode
	aService // something to be set up or moved
	aFinding // something to be found out
	nothing  // a word that points at nothing
	twoSides // a comparison without its sides
)

// matters are recognised by their words, folded; the first that matches counts.
var matters = []struct {
	kind matter
	cue  *regexp.Regexp
}{
	{aFinding, reading.Cue(`(?:find|figure) out|predict|forecast|identify|detect|estimate|(?:heraus)?finden|vorhersagen|averiguar|predecir|trouver|predire|prevedere|scoprire|prever|descobrir|voorspellen|uitzoeken`, `$.`)},
	{aService, reading.Cue(`(?:deploy|install|set ?up|migrate|configure|host|einrichten|installieren|desplegar|instalar|deployer|installer|configurer|configurar|installare|installeren)\b.*(?:app|apps|application|api|server|service|database|cluster|website|site|backend|model|bot|fastapi|docker|kubernetes|anwendung|datenbank|dienst|aplicacion|servidor|serveur|servizio|applicazione)`, `$.`)},
	{someCode, reading.Cue(`code|function|script|program|class|api|app|application|query|regex|bug|python|java|javascript|typescript|go|rust|sql|website|web site|bot|chatbot|scraper|crawler|funktion|programm|anwendung|webseite|fonction|programme|funcion|programa|aplicacion|sitio|site|sito|aplicativo|funzione|programma`, `$.`)},
	{someText, reading.Cue(`letters?|e-?mails?|reports?|essays?|articles?|posts?|newsletters?|poems?|story|speech|texts?|blog|summary|brief\pL*|bericht\pL*|aufsatz|artikel|gedicht|rede|lettre|rapports?|texte|article|discours|carta|informes?|articulo|texto|correo|lettera|relazione|testo|relatorio|verslag|rapport`, `$.`)},
	{someData, reading.Cue(`data|datasets?|data sets?|spreadsheets?|tables?|csv|excel|logs?|readings?|records?|rows|samples?|measurements?|surveys?|responses|answers|customers|clients|users|sales|prices|expenses|invoices|transactions|statistics|list|daten\pL*|\pL*daten|datensatz\pL*|tabellen?|messwerte|umfrage\pL*|kunden|rechnungen|umsatz\pL*|liste|donnees|base|tableau|ventes|factures|sondages?|fichier|datos|tabla|ventas|facturas|encuestas|archivo|dati|clienti|vendite|tabella|dados|planilha|vendas|tabela|gegevens|klanten|verkoop`, `データ|数据|데이터`)},
}

// matterOf is what a request for work, or something one has, is about.
func matterOf(text string) matter {
	f := rank.Fold(text)
	for _, m := range matters {
		if m.cue.MatchString(f) {
			return m.kind
		}
	}
	return anyMatter
}

// optionsFor are the options for what may be meant, each joined to the request it completes.
func (r *run) optionsFor(kind matter, thing string) []memory.Option {
	var options []memory.Option
	for _, form := range r.say.options[kind] {
		label := strings.ReplaceAll(form, "%s", thing)
		options = append(options, completed(r.request, label))
	}
	return options
}

// completed is an option that adds what it says to the request.
func completed(request, label string) memory.Option {
	request = strings.TrimRight(strings.TrimSpace(request), ".!?？ ")
	return memory.Option{Label: reading.Shorten(label, optionLength), Query: request + " – " + label}
}

// topicOptions are what one may want of a bare topic: first what is really there.
func (r *run) topicOptions(topic string) []memory.Option {
	var options []memory.Option
	if len(r.library) > 0 && len(reading.ContentTerms(topic)) > 0 {
		options = append(options, topicOption(r.say.inDocs, topic))
	}
	if r.inContext(reading.ContentTerms(topic)) {
		options = append(options, topicOption(r.say.recalled, topic))
	}
	for _, o := range r.optionsFor(aTopic, topic) {
		if len(options) < maxOptions {
			options = append(options, memory.Option{Label: o.Label, Query: strings.TrimPrefix(o.Query, topic+" – ")})
		}
	}
	return options
}
