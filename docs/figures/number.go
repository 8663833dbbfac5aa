package figures

import (
	"math/big"
	"strings"

	"threadkeeper/memory/reading"
)

// number is a number as a file has it, exact.
type number struct {
	value    *big.Rat
	decimals int
	unit     string // before it, or "%"; "" for none
	after    bool   // the unit stands behind it
	style    style
	grouped  bool // its thousands are apart
}

var (
	units    = reading.Lazy(`^([-+−(]?)\s*([$€£¥₹]|[A-Z]{3}\s)?\s*([-+−(]?)\s*([0-9][0-9.,'’  ]*)\s*(%|[€$£¥₹]|[A-Z]{3})?([-−)]?)$`)
	english  = reading.Lazy(`^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$`)
	european = reading.Lazy(`^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$`)
	either   = reading.Lazy(`^\d{1,3}(?:[.,]\d{3})+$`) // either a whole number or one with three decimals
	tailed   = reading.Lazy(`[.,]\d+\s*$`)             // the numbers that a sign may stand behind
	spaces   = strings.NewReplacer("'", "", "’", "", " ", "", " ", "", " ", "")
)

const longestNumber = 60 // bytes

// style is how a column writes its numbers: with a comma before the decimals, or with a point.
type style bool

// styleOf is the style that all numbers of a column fit; false if they fit none, or if it is not certain which. Where
// both fit, the one that is usual with the separator of the columns holds.
func styleOf(cells []string, commas bool) (style, bool) {
	fits := map[style]int{}
	all, unclear := 0, false
	for _, c := range cells {
		if digits := digitsOf(c); digits != "" {
			all++
			if english.MatchString(digits) {
				fits[false]++
			}
			if european.MatchString(digits) {
				fits[true]++
			}
			unclear = unclear || either.MatchString(digits)
		}
	}
	switch {
	case fits[false] == all && fits[true] < all:
		return false, true
	case fits[true] == all && fits[false] < all:
		return true, true
	case fits[true] == all:
		return style(!commas), commas || !unclear
	}
	return false, false
}

// written is a number as a cell has it.
type written struct {
	minus  bool
	digits string // between sign and unit; "" for no number
	unit   string
	after  bool
}

func writtenIn(cell string) (w written) {
	if len(cell) > longestNumber || !strings.ContainsAny(cell, "0123456789") {
		return w
	}
	if digits := strings.TrimPrefix(cell, "-"); isWhole(digits) { // the commonest form
		return written{minus: digits != cell, digits: digits}
	}
	m := units.FindStringSubmatch(strings.TrimSpace(cell))
	if m == nil || strings.Contains(m[1]+m[3], "(") != (m[6] == ")") {
		return w
	}
	if strings.ContainsAny(m[6], "-−") && !tailed.MatchString(m[4]) { // "10,-" and "2019-" are a price and an open range
		return w
	}
	w = written{strings.ContainsAny(m[1]+m[3]+m[6], "-−("), strings.TrimRight(spaces.Replace(m[4]), ".,"), strings.TrimSpace(m[2]), false}
	if w.unit == "" {
		w.unit, w.after = m[5], true
	}
	return w
}

func digitsOf(cell string) string { return writtenIn(cell).digits }

// parse reads a number of a column; false if the cell holds none.
func (s style) parse(cell string) (number, bool) {
	w := writtenIn(cell)
	digits := w.digits
	if digits == "" || bool(s) && !european.MatchString(digits) || !bool(s) && !english.MatchString(digits) {
		return number{}, false
	}
	grouped := strings.Contains(digits, ",") && !bool(s) || strings.Contains(digits, ".") && bool(s)
	if s {
		digits = strings.NewReplacer(".", "", ",", ".").Replace(digits)
	}
	digits = strings.ReplaceAll(digits, ",", "")
	value, ok := new(big.Rat).SetString(digits)
	if !ok {
		return number{}, false
	}
	if w.minus {
		value.Neg(value)
	}
	_, decimals, _ := strings.Cut(digits, ".")
	return number{value, len(decimals), w.unit, w.after, s, grouped}, true
}

// write gives a plain number the marks of its style.
func (n number) write(plain string) string {
	point, mark := ".", ","
	if n.style {
		point, mark = mark, point
	}
	whole, decimals, fraction := strings.Cut(plain, ".")
	for at := len(whole) - 3; n.grouped && at > 0 && whole[at-1] != '-'; at -= 3 {
		whole = whole[:at] + mark + whole[at:]
	}
	if fraction {
		whole += point
	}
	return whole + decimals
}

const moreDecimals = 2 // of a quotient

// shown writes a value with the unit, the decimals and the marks of n. What had to be rounded begins with "≈".
func (n number) shown(value *big.Rat) string {
	decimals := n.decimals
	text := value.FloatString(decimals)
	if rounded, _ := new(big.Rat).SetString(text); rounded.Cmp(value) != 0 {
		text = strings.TrimRight(value.FloatString(decimals+moreDecimals), "0")
		text = strings.TrimSuffix(text, ".")
		rounded, _ = new(big.Rat).SetString(text)
		if text = n.write(text); rounded.Cmp(value) != 0 {
			text = "≈ " + text
		}
	} else {
		text = n.write(text)
	}
	switch {
	case n.unit == "":
		return text
	case n.unit == "%":
		return text + "%"
	case n.after:
		return text + " " + n.unit
	}
	sign := ""
	if strings.HasPrefix(text, "≈ ") {
		text, sign = strings.TrimPrefix(text, "≈ "), "≈ "
	}
	if strings.HasPrefix(text, "-") {
		text, sign = text[1:], sign+"-"
	}
	if len(n.unit) == 3 && n.unit[0] < 0x80 {
		return sign + n.unit + " " + text
	}
	return sign + n.unit + text
}
