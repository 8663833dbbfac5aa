package docs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type format struct {
	date    bool
	clock   bool // hours and minutes, and if there are any or seconds is set, seconds
	seconds bool
	percent bool
	unit    string // of money
}

// formatOf reads the first part of the code of a format, which is for positive numbers.
func formatOf(code string) format {
	f := format{}
	var b strings.Builder // without what it shows literally and its colours
	quoted := false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_':
			i++
		case c == '[':
			inside, _, _ := strings.Cut(code[i+1:], "]")
			i += len(inside) + 1
			if money, is := strings.CutPrefix(inside, "$"); is {
				f.unit, _, _ = strings.Cut(money, "-")
			} else if strings.Trim(strings.ToLower(inside), "hms") == "" {
				f.clock = true
			}
		case c == ';':
			code = code[:i]
		default:
			b.WriteByte(c)
		}
	}
	plain := strings.ToLower(b.String())
	f.percent = strings.Contains(plain, "%")
	f.date = strings.ContainsAny(plain, "yd") || strings.Contains(plain, "m") && !strings.ContainsAny(plain, "hs") && !f.clock
	f.clock, f.seconds = !f.date && (f.clock || strings.ContainsAny(plain, "hs")), strings.Contains(plain, "s")
	if isCode := len(f.unit) == 3 && strings.Trim(f.unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""; !isCode {
		f.unit = ""
		for _, sign := range []string{"$", "€", "£", "¥", "₹"} {
			if strings.Contains(code, sign) && !strings.Contains(code, "[$-") {
				f.unit = sign
			}
		}
	}
	return f
}

// number is a number as a format shows it, with all its decimals but without the noise of binary fractions.
func (w *workbook) number(n float64, f format) string {
	const lastDay = 2_958_466 // 1 January 10000
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	switch {
	case f.date && n >= 1 && n < lastDay && sign == "":
		return w.date(n)
	case f.clock && n < lastDay:
		seconds := int(math.Round(n * 24 * 60 * 60))
		text := fmt.Sprintf("%s%d:%02d", sign, seconds/3600, seconds/60%60)
		if f.seconds || seconds%60 > 0 {
			text += fmt.Sprintf(":%02d", seconds%60)
		}
		return text
	case f.percent:
		return sign + decimal(100*n) + "%"
	case len(f.unit) == 3 && f.unit[0] < utf8.RuneSelf:
		return sign + f.unit + " " + decimal(n)
	}
	return sign + f.unit + decimal(n)
}

// decimal writes a number with the 15 digits that a spreadsheet keeps.
func decimal(n float64) string {
	kept, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	return strconv.FormatFloat(kept, 'f', -1, 64)
}

func (w *workbook) date(days float64) string {
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if w.since1904 {
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole, part := math.Modf(days)
	t := start.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*24*60)) * time.Minute)
	if part < 1.0/(24*60) {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04")
}
