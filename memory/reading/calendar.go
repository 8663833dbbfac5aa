package reading

import (
	"strings"
	"sync"

	"threadkeeper/memory/rank"
)

// months and days are the names of months and weekdays, each group between semicolons. Behind a colon stand short forms that are
// words of their own ("jeu", "vie"): who writes one need not mean a day.
const (
	months = `january, jan, januar, janvier, janv, enero, ene; february, feb, februar, février, févr, fév, febrero; march, mar, märz, mars, marzo;
april, apr, avril, avr, abril, abr; may, mai, mayo; june, jun, juni, juin, junio; july, jul, juli, juillet, juil, julio; august, aug, août, agosto: ago;
september, sep, sept, septembre, septiembre; october, oct, oktober, okt, octobre, octubre; november, nov, novembre, noviembre; december, dec, dezember, dez, décembre, déc, diciembre, dic`
	days = `monday, montag, lundi, lunes: mon, mo, lun; tuesday, dienstag, mardi, martes: tue, tues, di, mar; wednesday, mittwoch, mercredi, miércoles: wed, mi, mer, mié;
thursday, donnerstag, jeudi, jueves: thu, thur, thurs, do, jeu, jue; friday, freitag, vendredi, viernes: fri, fr, ven, vie; saturday, samstag, sonnabend, samedi, sábado: sat, sa, sam, sáb;
sunday, sonntag, dimanche, domingo: sun, so, dim, dom`
)

// Dated returns the names, folded, of the month or weekday that a folded word names, in English, German, French and Spanish, short ones
// too; nil for other words.
func Dated(word string) []string { return datesFrom()[word] }

var datesFrom = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for group := range strings.SplitSeq(rank.Fold(months+";"+days), ";") {
		full, short, _ := strings.Cut(group, ":")
		names := rank.Words(full + " " + short)
		for _, name := range rank.Words(full) {
			all[name] = names
		}
	}
	return all
})
