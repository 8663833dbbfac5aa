package claims

import (
	"regexp"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Words that turn a claim into another: negations, directions, plans. The patterns see folded text.
var (
	idiom     = regexp.MustCompile(`\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnon-\w+`)
	forbids   = regexp.MustCompile(`\b(?:prohibit\w*|forbid\w*|forbidden|excluded?|excludes|excluding|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|den(?:y|ies|ied)|declin\w* to|lack(?:s|ed|ing)?|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*|ausser|except|unless|until|nur)\b|禁止|除く|除き|ことはでき|不得|禁止`)
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

func plans(text string) bool { return planWords.MatchString(rank.Fold(text)) }

// opposed reports whether a claim denies what a passage says, or the other way round, or has it rise where it falls.
// Only the quote itself and its clause are asked whether the passage denies, as a sentence may deny another thing.
func opposed(claim, text string, e evidence) bool {
	if foreign(claim, text) {
		return false
	}
	c, t := rank.Fold(claim), rank.Fold(text)
	if up, down := upward.MatchString(c), downward.MatchString(c); up != down && !e.whole && len(e.rows) == 0 {
		if u, d := upward.MatchString(t), downward.MatchString(t); u != d && u != up {
			return true
		}
	}
	if len(e.rows) > 0 && len(e.sentences) == len(e.rows) {
		return false // figures deny nothing
	}
	mine, theirs := denials(claim), denials(clause(text, e.place.Quote))
	if mine == 0 || theirs == 0 {
		return mine%2 != theirs%2 && !(mine > 0 && denials(text)%2 == mine%2)
	}
	return mine%2 != theirs%2 && squash(claim) != squash(text) && reading.Coverage(rank.Terms(text), claim) > 0.9 && reading.Coverage(rank.Terms(claim), text) > 0.9
}

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
