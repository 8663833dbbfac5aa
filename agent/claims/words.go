package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Words that turn a claim into another: negations, directions, plans. The patterns see folded text.
var (
	idiom     = regexp.MustCompile(`\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnon-\w+`)
	forbids   = regexp.MustCompile(`\b(?:prohibit\w*|forbid\w*|forbidden|excluded?|excludes|excluding|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|den(?:y|ies|ied)|declin\w* to|lack(?:s|ed|ing)?|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*|ausser|except|unless|until)\b|禁止|除く|除き|ことはでき|不得|禁止`)
	upward    = regexp.MustCompile(`\b(?:rose|rises?|risen|rising|increas\w*|grew|grow(?:s|n|th|ing)?|gained?|higher|climb\w*|improv\w*|up (?:from|by|\d)|stieg(?:en)?|gestiegen|steig\w*|erhoht\w*|zunahme|zugenommen|wuchs\w*|hoher|augment\w*|hausse|progresse\w*|aument\w*|subio|crecio|crec\w*|incremen\w*)\b|増加|上昇|増え|增长|上升`)
	downward  = regexp.MustCompile(`\b(?:fell|falls?|fallen|falling|decreas\w*|declin\w*|drop(?:s|ped)?|lower|shr[aiu]nk\w*|reduc\w*|down (?:from|by|\d)|sank(?:en)?|gesunken|sink\w*|ruckgang|zuruck\w*|verringer\w*|niedriger|fiel(?:en)?|gefallen|baiss\w*|recul\w*|diminu\w*|disminu\w*|cayo|baj[oó]|descen\w*|reduj\w*)\b|減少|低下|下落|減り|下降`)
	planWords = regexp.MustCompile(`\b(?:plan(?:s|ned|ning)?|intend(?:s|ed)?|intention|expect(?:s|ed)?|aims?|target(?:s|ed)?|forecast\w*|guidance|outlook|anticipat\w*|project(?:s|ed)|geplant|plane?n|plant|beabsichtig\w*|erwarte\w*|prognos\w*|vorgesehen|prevoi\w*|prevu\w*|envisag\w*|compte\w*|planea\w*|planifica\w*|preve\w*|espera\w*|pretende\w*|previst\w*)\b|予定|計画|見込|计划|预计|预期`)
)

// denies reports whether a text denies, or forbids.
func denies(text string) bool { return denials(text)%2 == 1 }

// denials is how many words of a text deny or forbid: two of them cancel out, as in "prohibited without consent".
func denials(text string) int {
	folded := idiom.ReplaceAllString(rank.Fold(text), " ")
	return reading.Denials(folded) + len(forbids.FindAllString(folded, -1))
}

// opposed reports whether a claim denies what a passage says, or the other way round, or has it rise where it falls.
// Only the quote itself and its clause are asked whether the passage denies, as a sentence may deny another thing.
func opposed(claim, text string, e evidence) bool {
	if foreign(claim, text) {
		return false
	}
	c, t := rank.Fold(claim), rank.Fold(text)
	if up, down := upward.MatchString(c), downward.MatchString(c); up != down && !e.whole && len(e.rows) == 0 {
		quote := rank.Fold(e.place.Quote)
		if u, d := upward.MatchString(quote), downward.MatchString(quote); u != d && u != up {
			return true
		}
		if u, d := upward.MatchString(t), downward.MatchString(t); u != d && u != up {
			return true
		}
	}
	if len(e.rows) > 0 && len(e.sentences) == len(e.rows) {
		return false // figures deny nothing
	}
	part := clause(text, e.place.Quote)
	claim = yesNo.ReplaceAllString(rank.Fold(claim), "")
	for _, aside := range []*regexp.Regexp{caveat, weakCaveat} { // what the document does not say denies nothing that it says
		claim = aside.ReplaceAllString(claim, " ")
	}
	if a, b := permission(claim), permission(part); a != 0 && b != 0 && a != b && conditions(claim) == conditions(part) {
		return true
	}
	mine, theirs := denials(claim), denials(part)
	switch {
	case mine == 0 && theirs == 0:
		return false
	case mine == 0:
		return packed(part) && theirs%2 == 1 || holdsAny(claim, denied(part), nil)
	case theirs == 0:
		return mine%2 == 1 && denials(text)%2 != mine%2
	case mine%2 != theirs%2:
		return reading.Coverage(affirmed(text), claim) > 0.9 && reading.Coverage(affirmed(claim), text) > 0.9
	}
	a, b := denied(claim), denied(part)
	return contrast.MatchString(claim) && contrast.MatchString(rank.Fold(part)) && holdsAny(part, a, b) && holdsAny(claim, b, a)
}

// holdsAny reports whether a text holds one of some terms that is none of others.
func holdsAny(text string, terms, others []string) bool {
	in := reading.TermSet(text)
	return slices.ContainsFunc(terms, func(t string) bool { return in[t] && !slices.Contains(others, t) })
}

var contrast = regexp.MustCompile(`\b(?:but|yet|though|aber|sondern|jedoch|mais|pero|sino)\b`)

var lack = regexp.MustCompile(`^(?:without|ohne|sans|sin|senza|sem|zonder|more|less|later|earlier|only)$`)

// denied are the words that a text denies: the first behind each negation, in German also the one before.
func denied(text string) (terms []string) {
	words := rank.Words(idiom.ReplaceAllString(rank.Fold(text), " "))
	for i, w := range words {
		if !reading.Denies(w) || lack.MatchString(w) {
			continue
		}
		if reading.Language(text) == "de" && i > 0 {
			terms = append(terms, stemOf(words[i-1]))
		}
		for _, x := range words[i+1 : min(i+5, len(words))] {
			if t := stemOf(x); t != "" && !rank.Stop(x) && !planWords.MatchString(x) {
				terms = append(terms, t)
				break
			}
		}
	}
	return slices.DeleteFunc(terms, func(t string) bool { return t == "" })
}

// affirmed are the terms of a text but for those that deny.
func affirmed(text string) []string { return slices.DeleteFunc(rank.Terms(text), reading.Denies) }

var (
	yesNo     = regexp.MustCompile(`^\W*(?:yes|no|ja|nein|oui|non|si)[.,:;!]\s*`)
	permits   = regexp.MustCompile(`\b(?:allowed|permitted|permits?|allows?|erlaubt|gestattet|zulassig|autorisee?s?|permise?s?|permitid[oa]s?|autorizad[oa]s?)\b|できます|可能`)
	condition = regexp.MustCompile(`\b(?:without|unless|except|only|ohne|nur|ausser|sans|sauf|seulement|sin|salvo|solo)\b`)
)

// permission is 1 for a text that allows, -1 for one that forbids, 0 for others.
func permission(text string) int {
	folded := rank.Fold(text)
	switch at := permits.FindStringIndex(folded); {
	case forbids.MatchString(folded) && at == nil:
		return -1
	case at == nil:
		return 0
	case reading.Denies(folded[max(0, at[0]-25):at[0]]):
		return -1
	}
	return 1
}

func conditions(text string) int { return len(condition.FindAllString(rank.Fold(text), -1)) }

// clause is the quote with the rest of its clause in a text.
func clause(text, quote string) string {
	at := strings.LastIndex(text, quote)
	if at < 0 || quote == "" {
		return text
	}
	from, to := at, at+len(quote)
	if i := strings.LastIndexAny(text[:from], ".;,:"); i >= 0 {
		from = i + 1
	} else {
		from = 0
	}
	if i := strings.IndexAny(text[to:], ".;,:"); i >= 0 {
		to += i
	} else {
		to = len(text)
	}
	return text[from:to]
}
