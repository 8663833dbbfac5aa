package agent

import (
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs/ocr"
	"threadkeeper/memory/reading"
)

var (
	unsureNumber = reading.Lazy(`(\d[\d.,]*)\(\?\)`)
	shownNumber  = reading.Lazy(`(\[?\p{L}?)(\d(?:[\d.,]*\d)?)(\(\?\))?`)
)

// unsure marks the numbers of a block that a scan was read for without certainty, as its citations have them.
func unsure(b *claims.Block, text string) string {
	marked := map[string]bool{}
	for _, c := range b.Claims {
		for _, p := range c.Places {
			for _, m := range unsureNumber.FindAllStringSubmatch(p.Quote, -1) {
				marked[onlyDigits(m[1])] = true
			}
		}
	}
	if len(marked) == 0 {
		return text
	}
	return shownNumber.ReplaceAllStringFunc(text, func(found string) string {
		m := shownNumber.FindStringSubmatch(found)
		if m[1] == "" && m[3] == "" && marked[onlyDigits(m[2])] {
			return found + ocr.Unsure
		}
		return found
	})
}

func onlyDigits(number string) string { return strings.NewReplacer(",", "", ".", "").Replace(number) }
