package memory

import (
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// cueWeights is what folded words and pairs of words add to the salience of their sentence, each list once. English,
// German, French, Spanish, Italian.
var cueWeights = func() map[string]cueWeight {
	weights := map[string]cueWeight{}
	for list, l := range []struct {
		add   int
		words string
	}{
		// Lasting statements: what a person is, wants, must avoid or cannot do.
		{7, `never always only must don't dont rather please unless insist hate prefer allergic allergy vegetarian vegan celiac coeliac diabetic i_want
			we_want i_need we_need i_can't i_cannot we_can't i_won't i'm_not i'm_against i_love no_more not_before not_after at_least at_most do_not
			nie niemals immer nur muss mussen bitte lieber allergisch hochstens mindestens kein keine keinen keiner ich_will ich_brauche ich_hasse kann_nicht
			jamais toujours seulement doit prefere allergique je_veux je_deteste ne_peux plait
			nunca siempre solo debe prefiero quiero odio alergico alergica celiaco celiaca vegetariano vegetariana sin hay_que no_puedo no_quiero no_podemos por_favor
			mai sempre deve preferisco voglio allergico allergica non_posso`},
		// A decision, a promise or its keeping, and a change of either.
		{6, `decided agreed chose chosen approved booked ordered paid confirmed signed reference deadline instead correction corrected misread actually changed moved moves
			slips reversal cancelled canceled extended postponed due i'll we'll i_will we_will we_go let's by_monday by_tuesday by_wednesday by_thursday by_friday
			by_saturday by_sunday entschieden beschlossen vereinbart gebucht bestellt bezahlt bestatigt frist stattdessen korrektur geandert verschoben abgesagt ich_mache
			ich_schicke ich_kummere ich_ubernehme decide reserve commande paye confirme delai plutot change reporte annule je_m'en
			decidido decidimos acordado reservado pagado confirmado plazo correccion cambiado cambio perdon aplazado cancelado apuntado encargo quedamos al_final
			deciso prenotato pagato confermato scadenza correzione cambiato rimandato annullato`},
		// Statements that nobody looks up again.
		{-6, `lol lmao haha hahaha jaja jajaja hehe omg bravo gracias thanks thank danke merci hello hola hallo bonjour good_night good_morning`},
	} {
		for w := range strings.FieldsSeq(l.words) {
			weights[strings.ReplaceAll(w, "_", " ")] = cueWeight{list, l.add}
		}
	}
	return weights
}()

type cueWeight struct{ list, add int }

// units are folded words that make the number before them exact, and names of days and months.
var units = reading.WordSet(`% € $ £ kr eur euro euros usd gbp chf k m² km cm mm kg mb gb tb ms kw hour hours day days week weeks month months year years minutes
	stunden tag tage tagen woche wochen monat monate jahr jahre heures jours semaines mois ans horas dias semanas mes meses anos ore giorni mesi anni
	am pm utc january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
	januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
	enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`)

// saliences are kept: a fold looks at the sentences of earlier ones again.
var saliences rank.Cache[int]

// salience returns how much a sentence contains that may be asked about later; 2 or less for a courtesy.
func salience(sentence string) int { return saliences.Get(sentence, salienceOf) }

func salienceOf(sentence string) int {
	terms := len(rank.Terms(sentence))
	w := min(terms, 8)
	if terms > 30 {
		w -= 4
	}
	w += 4 * min(len(reading.Salient(sentence)), 3)
	var lists [3]bool
	last, exact := "", false
	for word := range strings.FieldsFuncSeq(strings.ReplaceAll(rank.Fold(sentence), "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'%€$£-:/", r)
	}) {
		for _, cue := range []string{word, last + " " + word} {
			if c, ok := cueWeights[cue]; ok && !lists[c.list] {
				lists[c.list], w = true, w+c.add
			}
		}
		numbered := strings.ContainsAny(word, "0123456789")
		switch {
		case numbered && (strings.ContainsAny(word, "%€$£-:/") || strings.IndexFunc(word, unicode.IsLetter) >= 0), // 8:30, 5%, QX-77
			units[word] && strings.ContainsAny(last, "0123456789"), numbered && units[last]: // 3 weeks, May 3
			exact = true
		}
		last = word
	}
	if exact {
		w += 6
	}
	if strings.HasSuffix(strings.TrimRight(sentence, `"')” `), "?") {
		w -= 6
	}
	return max(w, min(terms/2, 2))
}
