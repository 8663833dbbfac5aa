package agent

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// What the first page of a document says it is, as written there: what kind, of when, by and for whom.

const (
	factLines   = 40 // of the first page
	cardDates   = 2
	cardParties = 3
)

var (
	kindForm = reading.Lazy(`(?i)\b(?:annual report|quarterly report|current report|earnings release|form (?:10-[kq]|8-k)|financial statements|minutes|offer|quotation|tender|invoice|order confirmation|delivery note|lease|rental agreement|employment contract|non-disclosure agreement|contract|agreement|terms and conditions|privacy notice|policy|handbook|manual|user guide|specification|white paper|press release|curriculum vitae|` +
		`geschäftsbericht|jahresabschluss|protokoll|angebot|rechnung|auftragsbestätigung|lieferschein|mietvertrag|arbeitsvertrag|vertrag|richtlinie|handbuch|pressemitteilung|lebenslauf|satzung|` +
		`rapport annuel|procès-verbal|devis|facture|bail|contrat|règlement|communiqué de presse|informe anual|acta|presupuesto|factura|contrato|reglamento|estatutos)\b`)
	dateForm     = reading.Lazy(`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}(?:\.|st|nd|rd|th)? (?:de |of )?\pL{3,12}\.?,? (?:de )?\d{4}|\pL{3,12}\.? \d{1,2}(?:st|nd|rd|th)?, \d{4})\b`)
	partyForm    = reading.Lazy(`(?:\p{Lu}|\d+\p{Lu})[\pL\d'’.&-]*(?: (?:(?:&|and|und|et|y|of|de) )?(?:\p{Lu}|\d+\p{Lu})[\pL\d'’.&-]*){0,5}?,? (?:GmbH|AG|SE|KG|OHG|mbB|e\.V\.|Ltd|LTD|Limited|LIMITED|plc|PLC|Inc|INC|LLC|LLP|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|CO|S\.A|SA|SAS|SARL|S\.L|B\.V|N\.V|Cooperative|Genossenschaft|Stiftung|Foundation|Verein|University|Universität)(?:\.|\b)(?:,? (?:Inc|INC|Ltd|LTD|LLC|plc|PLC)\b\.?)?`)
	longWordsDot = reading.Lazy(`(\pL{6})\.$`) // the end of a sentence, not of "Corp."
	articles     = reading.WordSet(`the this that each our your any such der die das le la les el un une a an`)
)

// cardFacts are the kind of a document, dates and parties, as the beginning of its first page has them; none where it says
// none. Kinds are those of a list, dates are dates, and parties end in a word of the law.
func cardFacts(first string) []string {
	lines := strings.Split(first, "\n")
	lines = slices.DeleteFunc(lines[:min(len(lines), factLines)], reading.DirectsAssistant)
	var kinds, dates, parties []string
	add := func(to []string, fact string, most int) []string {
		fact = plainName(reading.CollapseSpace(fact))
		same := func(have string) bool { return strings.Contains(rank.Fold(have), rank.Fold(fact)) }
		if len(to) == most || slices.ContainsFunc(to, same) {
			return to
		}
		return append(to, fact)
	}
	for _, l := range lines {
		if len(strings.Fields(l)) <= titleWords {
			if kind := kindForm.FindString(l); kind != "" {
				kinds = add(kinds, kind, 1)
			}
		}
		for _, d := range dateForm.FindAllString(l, -1) {
			if slices.ContainsFunc(rank.Numbers(d), func(n string) bool { return len(n) == len("2006-01-02") && strings.Count(n, "-") == 2 }) { // a whole date, as rank has them
				dates = add(dates, d, cardDates)
			}
		}
		for _, p := range partyForm.FindAllString(l, -1) {
			if !articles[rank.Fold(strings.Fields(p)[0])] && !reading.HasPhrase(p, notParties) {
				parties = add(parties, longWordsDot.ReplaceAllString(p, "$1"), cardParties)
			}
		}
	}
	return slices.Concat(kinds, dates, parties)
}

// notParties are words of the cover of a report beside which something like the name of a company stands.
const notParties = `exchange|nasdaq|nyse|market|growth company|reporting company|shell company|holding company`

// titleWords is how many words a line may have that says what kind of document it is in.
const titleWords = 12
