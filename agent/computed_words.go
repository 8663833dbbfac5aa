package agent

import (
	"fmt"

	"threadkeeper/docs/figures"
)

// figuresWords are the words of one language for computed answers.
type figuresWords struct {
	from    string // name of the document
	where   string // column, value
	what    map[figures.What]string
	of      string // what, of which column or file
	cell    string // its name
	column  string // its letter
	among   string // numbers of rows
	count   string // number of rows
	one     string // one row
	unread  string // numbers of rows
	totals  string // numbers of rows
	further string // lines
	unclear string // name of the document, column, date
}

var englishFigures = figuresWords{
	from: "Computed from %s", where: "where %s is “%s”",
	what: map[figures.What]string{figures.Sum: "Sum", figures.Mean: "Mean", figures.Median: "Median", figures.Max: "Maximum", figures.Min: "Minimum",
		figures.Count: "Number of rows", figures.Distinct: "Different values", figures.Lines: "Line coverage", figures.Branches: "Branch coverage",
		figures.Functions: "Function coverage", figures.Statements: "Statement coverage", figures.Dependencies: "Dependencies", figures.Tests: "Tests",
		figures.Passed: "passed", figures.Failed: "failed", figures.Skipped: "skipped", figures.Took: "Time of all tests"},
	of: "%s of %s", cell: "cell %s", column: "column %s", among: "rows %s", count: "%d rows", one: "1 row",
	unread: "Left out, without a number: row %s.", totals: "Left out, as totals: row %s.", further: "Not counted, what these lines bring: %s.",
	unclear: "I computed nothing from %s: in its column %s, nothing shows whether %s begins with the day or with the month.",
}

var germanFigures = figuresWords{
	from: "Berechnet aus %s", where: "wo %s „%s“ ist",
	what: map[figures.What]string{figures.Sum: "Summe", figures.Mean: "Mittelwert", figures.Median: "Median", figures.Max: "Maximum", figures.Min: "Minimum",
		figures.Count: "Anzahl der Zeilen", figures.Distinct: "Verschiedene Werte", figures.Lines: "Abdeckung der Zeilen", figures.Branches: "Abdeckung der Zweige",
		figures.Functions: "Abdeckung der Funktionen", figures.Statements: "Abdeckung der Anweisungen", figures.Dependencies: "Abhängigkeiten", figures.Tests: "Tests",
		figures.Passed: "bestanden", figures.Failed: "fehlgeschlagen", figures.Skipped: "übersprungen", figures.Took: "Dauer aller Tests"},
	of: "%s: %s", cell: "Zelle %s", column: "Spalte %s", among: "Zeilen %s", count: "%d Zeilen", one: "1 Zeile",
	unread: "Ausgelassen, ohne Zahl: Zeile %s.", totals: "Ausgelassen, als Summe: Zeile %s.", further: "Nicht gezählt, was diese Zeilen bringen: %s.",
	unclear: "Ich habe aus %s nichts berechnet: In der Spalte %s zeigt nichts, ob %s mit dem Tag oder mit dem Monat beginnt.",
}

var frenchFigures = figuresWords{
	from: "Calculé d'après %s", where: "où %s est « %s »",
	what: map[figures.What]string{figures.Sum: "Somme", figures.Mean: "Moyenne", figures.Median: "Médiane", figures.Max: "Maximum", figures.Min: "Minimum",
		figures.Count: "Nombre de lignes", figures.Distinct: "Valeurs différentes", figures.Lines: "Couverture des lignes", figures.Branches: "Couverture des branches",
		figures.Functions: "Couverture des fonctions", figures.Statements: "Couverture des instructions", figures.Dependencies: "Dépendances", figures.Tests: "Tests",
		figures.Passed: "réussis", figures.Failed: "échoués", figures.Skipped: "ignorés", figures.Took: "Durée de tous les tests"},
	of: "%s : %s", cell: "cellule %s", column: "colonne %s", among: "lignes %s", count: "%d lignes", one: "1 ligne",
	unread: "Omis, sans nombre : ligne %s.", totals: "Omis, comme totaux : ligne %s.", further: "Non compté, ce qu’apportent ces lignes : %s.",
	unclear: "Je n’ai rien calculé d’après %s : dans la colonne %s, rien n’indique si %s commence par le jour ou par le mois.",
}

var spanishFigures = figuresWords{
	from: "Calculado a partir de %s", where: "donde %s es «%s»",
	what: map[figures.What]string{figures.Sum: "Suma", figures.Mean: "Media", figures.Median: "Mediana", figures.Max: "Máximo", figures.Min: "Mínimo",
		figures.Count: "Número de filas", figures.Distinct: "Valores distintos", figures.Lines: "Cobertura de líneas", figures.Branches: "Cobertura de ramas",
		figures.Functions: "Cobertura de funciones", figures.Statements: "Cobertura de instrucciones", figures.Dependencies: "Dependencias", figures.Tests: "Pruebas",
		figures.Passed: "superadas", figures.Failed: "fallidas", figures.Skipped: "omitidas", figures.Took: "Duración de todas las pruebas"},
	of: "%s: %s", cell: "celda %s", column: "columna %s", among: "filas %s", count: "%d filas", one: "1 fila",
	unread: "Omitido, sin número: fila %s.", totals: "Omitido, como totales: fila %s.", further: "Sin contar lo que traen estas líneas: %s.",
	unclear: "No calculé nada a partir de %s: en la columna %s, nada indica si %s empieza por el día o por el mes.",
}

func (w *figuresWords) rowCount(n int) string {
	if n == 1 {
		return w.one
	}
	return fmt.Sprintf(w.count, n)
}

// named is what a row says, without its number.
func (w *figuresWords) named(r figures.Row) string {
	switch {
	case r.Of == "":
		return upperFirst(w.what[r.What])
	case r.What == figures.Lines, r.What == figures.Branches, r.What == figures.Functions, r.What == figures.Statements:
		return fmt.Sprintf(w.of, w.what[r.What], nameText(r.Of))
	}
	return fmt.Sprintf(w.of, w.what[r.What], fileText(r.Of))
}

// line is a row of an answer without its place.
func (w *figuresWords) line(r figures.Row) string {
	switch r.What {
	case figures.Dependency:
		text := nameText(r.Of)
		if r.Value != "" {
			text += " " + nameText(r.Value)
		}
		if r.Group != "" {
			text += ", " + fileText(r.Group)
		}
		return text
	case figures.Found:
		text := fileText(r.Of) + ": **" + fileText(r.Value) + "**"
		if r.Group != "" {
			text = fileText(r.Group) + ", " + text
		}
		return text
	case figures.Test:
		text := nameText(r.Of) + ": " + w.what[figures.What(r.Group)]
		if r.Value != "" {
			text += ", " + r.Value
		}
		return text
	}
	text := w.named(r)
	if r.Group != "" {
		text += ", " + fileText(r.Group)
	}
	text += ": **" + fileText(r.Value) + "**"
	if extreme := r.What == figures.Max || r.What == figures.Min; extreme && r.Rows > 0 {
		text += " (" + w.rowCount(r.Rows) + ")"
	}
	return text
}

// placeOf is where a number stands, in brackets; "" if that is not known.
func (p *phrases) placeOf(at figures.Place, table bool) string {
	one, several := p.places.Line, p.places.Lines
	if table {
		one, several = p.places.Row, p.places.Rows
	}
	if at.From == 0 {
		return ""
	}
	text := fmt.Sprintf(one, at.From)
	switch {
	case len(at.Rows) > 0:
		text = rowList(at.Rows)
		if at.Column == "" {
			text = fmt.Sprintf(p.figures.among, text)
		} else {
			text = fmt.Sprintf(p.figures.column, at.Column) + ", " + fmt.Sprintf(p.figures.among, text)
		}
	case at.From == at.To && at.Column != "":
		text = fmt.Sprintf(p.figures.cell, fmt.Sprint(at.Column, at.From))
	case at.Column != "":
		text = fmt.Sprintf(p.figures.column, at.Column) + ", " + fmt.Sprintf(several, at.From, at.To)
	case at.From < at.To:
		text = fmt.Sprintf(several, at.From, at.To)
	}
	if at.Sheet != "" {
		text = fileText(at.Sheet) + ", " + text
	}
	return " (" + text + ")"
}
