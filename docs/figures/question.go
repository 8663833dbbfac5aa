package figures

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"threadkeeper/memory/rank"
)

// role is what a word of a question stands for.
type role string

const (
	filler role = "filler"
	by     role = "by"    // a column to group by follows
	which  role = "which" // a column to be told of the row found
	who    role = "who"   // the column of names is to be
	rows   role = "rows"
	unlike role = "different"
	most   role = "most"   // of what is added up or counted
	fewest role = "fewest" // likewise
	cheap  role = "cheapest"
	dear   role = "dearest"
	much   role = "much" // asks for a sum where the column may be added up

	// a number or a date follows that cells are compared with
	over    role = ">"
	under   role = "<"
	atLeast role = "≥"
	atMost  role = "≤"
	within  role = "between" // two of them follow

	opSum    = role(Sum)
	opMean   = role(Mean)
	opMedian = role(Median)
	opMax    = role(Max)
	opMin    = role(Min)
	opCount  = role(Count)

	aCoverage   role = "coverage"
	aDependency role = "dependency"
	aVersion    role = "version"
	aUse        role = "use"
	aTest       role = "test"
	aFile       role = "file"
	passed           = role(Passed)
	failed           = role(Failed)
	skipped          = role(Skipped)
	passRate    role = "pass rate"
	slowest     role = "slowest"
	took             = role(Took)
	ofLines          = role(Lines)
	ofBranches       = role(Branches)
	ofFunctions      = role(Functions)
	ofStatement      = role(Statements)

	column  role = "column"
	value   role = "value"
	bounds  role = "bound" // a number, and the column that it bounds
	theFile role = "the file"
)

// plainWords are the words, in the languages the program speaks, that questions of this kind are made of. A word that is
// not among them, and stands neither for a column nor for a value, leaves a question to others.
var plainWords = map[role]string{
	filler: `what,whats,is,are,was,were,the,of,in,from,for,at,on,a,an,all,and,with,me,us,i,we,you,our,my,it,its,show,tell,give,list,please,pls,calculate,compute,get,find,can,could,do,does,did,have,has,there,be,` +
		`whole,entire,overall,column,columns,field,table,sheet,spreadsheet,csv,xlsx,excel,data,this,that,these,those,where,equals,if,s,how,much,how much,or,sold,sell,made,recorded,listed,work,works,working,live,lives,living,` +
		`was,wie,ist,sind,war,waren,der,die,das,den,dem,des,im,aus,von,vom,fur,bei,ein,eine,einer,alle,aller,und,mit,mir,uns,ich,wir,zeig,zeige,nenne,gib,bitte,berechne,es,gibt,hat,haben,hoch,viel,` +
		`oder,verkauft,wurden,wurde,arbeiten,arbeitet,wohnen,wohnt,leben,lebt,spalte,spalten,wert,werte,tabelle,datei,daten,wo,unser,unsere,unserer,unseren,in der,` +
		`quel,quelle,quels,quelles,est,sont,le,la,les,l,un,une,du,de,d,dans,pour,tous,toutes,et,avec,montre,donne,moi,calcule,colonne,valeur,valeurs,tableau,fichier,qu,y,a,t,il,ou,vendu,vendus,vendues,travaillent,travaille,habitent,habite,vivent,` +
		`cual,cuales,es,son,el,los,las,del,en,para,todos,todas,con,muestra,dame,calcula,columna,valor,valores,tabla,archivo,hay,o,vendidas,vendidos,se,trabajan,trabaja,viven,vive`,
	by:       `by,per,each,every,for each,for every,grouped by,group by,split by,broken down by,pro,je,nach,gruppiert nach,par,por,para cada,pour chaque,por cada,fur jede,fur jeden,fur jedes`,
	which:    `which,welche,welcher,welches,quel,quelle,cual,que`,
	who:      `who,wer,qui,quien,quienes`,
	rows:     `row,rows,record,records,entry,entries,line,lines,item,items,zeile,zeilen,eintrag,eintrage,datensatze,ligne,lignes,entrees,fila,filas,entradas,registros`,
	unlike:   `different,distinct,unique,verschiedene,verschiedenen,unterschiedliche,differents,differentes,distincts,distinctes,diferentes,distintos,distintas,unicos,unicas`,
	opSum:    `sum,total,totals,sum up,add up,in total,summe,gesamtsumme,insgesamt,gesamt,somme,total de,suma`,
	opMean:   `mean,average,avg,arithmetic mean,on average,durchschnitt,durchschnittlich,durchschnittliche,durchschnittlicher,durchschnittlichen,mittelwert,im durchschnitt,moyenne,en moyenne,promedio,media,en promedio`,
	opMedian: `median,mediane,mediana`,
	opMax:    `max,maximum,highest,largest,biggest,greatest,hochste,hochster,hochsten,hochstes,grosste,grosster,grossten,grosstes,maximal,maximale,le plus grand,la plus grande,plus eleve,plus elevee,maximo,maxima,mas alto,mas alta,mayor`,
	opMin:    `min,minimum,lowest,smallest,least,worst,niedrigste,niedrigster,niedrigsten,niedrigstes,kleinste,kleinster,kleinsten,kleinstes,minimal,minimale,schlechteste,le plus petit,la plus petite,plus bas,plus basse,minimo,minima,mas bajo,mas baja,menor`,
	most:     `most,am meisten,die meisten,das meiste,den meisten,le plus de,mas`,
	fewest:   `fewest,am wenigsten,die wenigsten,le moins de,menos`,
	cheap:    `cheapest,least expensive,lowest priced,billigste,billigsten,billigster,billigstes,gunstigste,gunstigsten,gunstigster,gunstigstes,le moins cher,la moins chere,moins cher,moins chere,mas barato,mas barata`,
	dear:     `most expensive,priciest,dearest,highest priced,teuerste,teuersten,teuerster,teuerstes,le plus cher,la plus chere,plus cher,plus chere,mas caro,mas cara`,
	much:     `how much,wie viel,wieviel,cuanto,cuanta`,
	over:     `more than,over,above,greater than,higher than,larger than,exceeding,after,later than,mehr als,uber,spater als,plus de,apres,mas de,despues de`,
	under:    `less than,fewer than,under,below,lower than,smaller than,before,earlier than,prior to,weniger als,unter,vor,fruher als,moins de,avant,menos de,antes de`,
	atLeast:  `at least,since,mindestens,seit,au moins,depuis,al menos,por lo menos,desde`,
	atMost:   `at most,hochstens,au plus,como maximo`,
	within:   `between,zwischen,entre`,
	opCount:  `count,how many,number of,total number of,anzahl,wie viele,wieviele,combien,combien de,nombre de,cuantos,cuantas,numero de`,

	aCoverage:   `coverage,covered,test coverage,code coverage,abdeckung,testabdeckung,couverture,cobertura`,
	aDependency: `dependency,dependencies,package,packages,module,modules,library,libraries,requirements,depend,abhangigkeit,abhangigkeiten,paket,pakete,bibliotheken,dependance,dependances,paquets,dependencia,dependencias,paquetes`,
	aVersion:    `version,versions,versionen,versiones`,
	aUse:        `use,uses,using,installed`,
	aTest:       `test,tests,test coverage,code coverage,testabdeckung,test case,test cases,testfall,testfalle,prueba,pruebas`,
	aFile:       `file,files,dateien,fichiers,archivos`,
	passed:      `pass,passed,passing,succeed,succeeded,green,bestanden,erfolgreich,reussi,reussis,pasaron,pasado`,
	failed:      `fail,failed,failing,fails,failure,failures,broken,fehlgeschlagen,fehlgeschlagene,fehlgeschlagenen,durchgefallen,echoue,echoues,fallaron,fallidas,fallidos`,
	skipped:     `skip,skipped,ubersprungen,ignores,omitidas,saltado`,
	passRate:    `pass rate,pass percentage,success rate`,
	slowest:     `slowest,longest,langsamste,langsamsten`,
	took:        `how long,duration,dauer,wie lange,gedauert`,
	ofLines:     `line,lines`,
	ofBranches:  `branch,branches`,
	ofFunctions: `function,functions`,
	ofStatement: `statement,statements`,
}

const longestPhrase = 4 // words of plainWords, and of a column's name

// roles are the roles that a phrase may have.
var roles = sync.OnceValue(func() map[string][]role {
	all := map[string][]role{}
	for r, list := range plainWords {
		for phrase := range strings.SplitSeq(list, ",") {
			all[phrase] = append(all[phrase], r)
		}
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
})

// word is a word of a question. What explains several words is noted at the first; those after it are inside.
type word struct {
	text   string // folded
	roles  []role // what it may stand for; none if it is not explained
	column int    // of a table, of a column or value
	inside bool
}

func (w word) is(r role) bool { return slices.Contains(w.roles, r) }

func (w word) explained() bool { return w.inside || len(w.roles) > 0 }

// question is the words of a request, and what they stand for.
type question struct {
	raw   string
	name  string // of the file
	words []word
}

// split are the folded words of a text: letters and digits.
func split(text string) []string {
	return strings.FieldsFunc(rank.Fold(text), notOfWord)
}

func notOfWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

const longestQuestion = 40 // words

func newQuestion(text, name string) *question {
	q := &question{raw: text, name: name}
	for _, w := range split(text) {
		q.words = append(q.words, word{text: w})
	}
	if len(q.words) > longestQuestion {
		q.words = []word{{text: ""}} // never explained
	}
	return q
}

// each calls take with every run of at most n unexplained words, longest first, until it has a role for it.
func (q *question) each(n int, take func(run []string) (word, bool)) {
	for n = min(n, len(q.words)); n > 0; n-- {
		for i := 0; i+n <= len(q.words); i++ {
			if slices.ContainsFunc(q.words[i:i+n], word.explained) {
				continue
			}
			run := make([]string, n)
			for j := range run {
				run[j] = q.words[i+j].text
			}
			if w, ok := take(run); ok {
				q.words[i].roles, q.words[i].column = w.roles, w.column
				for j := i + 1; j < i+n; j++ {
					q.words[j].inside = true
				}
			}
		}
	}
}

// vocabulary explains the file's name and the plain words; of them those with one of these roles, if any are given.
func (q *question) vocabulary(of ...role) {
	q.fileName(true)
	q.each(longestPhrase, func(run []string) (word, bool) {
		all := roles()[strings.Join(run, " ")]
		if len(of) > 0 {
			all = slices.DeleteFunc(slices.Clone(all), func(r role) bool { return !slices.Contains(of, r) })
		}
		return word{roles: all}, len(all) > 0
	})
	for i := 1; i < len(q.words); i++ { // "phone number of Ada" counts nothing
		if w := &q.words[i]; w.text == "number" && w.is(opCount) && (!q.words[i-1].explained() || q.words[i-1].is(column) || q.words[i-1].is(value)) {
			*w = word{text: w.text}
			q.words[i+1].inside = false
		}
	}
}

// next is the index of the word behind the i-th, or of the one before it if step is -1, little words left out if skip;
// -1 for none.
func (q *question) next(i, step int, skip bool) int {
	for i += step; i >= 0 && i < len(q.words); i += step {
		if w := q.words[i]; !w.inside && !(skip && w.is(filler)) {
			return i
		}
	}
	return -1
}

// fileName explains the file's name; that without its ending too, if short.
func (q *question) fileName(short bool) {
	whole := split(q.name)
	if len(whole) == 0 {
		return
	}
	stem := whole
	if strings.Contains(q.name, ".") && len(whole) > 1 {
		stem = whole[:len(whole)-1]
	}
	q.each(len(whole), func(run []string) (word, bool) {
		is := slices.Equal(run, whole) || short && slices.Equal(run, stem) && len(roles()[strings.Join(run, " ")]) == 0
		return word{roles: []role{theFile}}, is
	})
}

func (q *question) explained() bool {
	return len(q.words) > 0 && !slices.ContainsFunc(q.words, func(w word) bool { return !w.explained() })
}

// has reports whether a word may have one of these roles.
func (q *question) has(any ...role) bool {
	return slices.ContainsFunc(q.words, func(w word) bool { return slices.ContainsFunc(any, w.is) })
}

// only reports whether every word has one of these roles, or is a little word or the file's name.
func (q *question) only(allowed ...role) bool {
	allowed = append(allowed, filler, theFile)
	return q.explained() && !slices.ContainsFunc(q.words, func(w word) bool {
		return !w.inside && !slices.ContainsFunc(w.roles, func(r role) bool { return slices.Contains(allowed, r) })
	})
}

// named explains the runs of words that name one of the things; of each thing every word from any "/" on, or all of
// its words. It returns the things named.
func (q *question) named(things []string) []int {
	var found []int
	names := make([][]string, len(things))
	longest := 0
	for i, t := range things {
		names[i] = split(t)
		longest = max(longest, len(names[i]))
	}
	q.each(min(longest, longestQuestion), func(run []string) (word, bool) {
		var whole, ends []int
		for i, name := range names {
			switch {
			case slices.Equal(name, run):
				whole = append(whole, i)
			case len(run) < len(name) && slices.Equal(name[len(name)-len(run):], run) && bounded(things[i], run):
				ends = append(ends, i)
			}
		}
		if len(whole) == 0 {
			whole = ends
		}
		if len(whole) != 1 {
			return word{}, false
		}
		found = append(found, whole[0])
		return word{roles: []role{value}}, true
	})
	return found
}

// bounded reports whether the end of a path that consists of these words begins after a "/".
func bounded(path string, run []string) bool {
	for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
		if tail := split(path[i+1:]); len(tail) >= len(run) {
			return slices.Equal(tail, run)
		}
	}
	return false
}
