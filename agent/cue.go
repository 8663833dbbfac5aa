package agent

import (
	"regexp"
	"strings"
)

// cue matches any of the alternatives as whole words, or packed ones anywhere.
func cue(spaced, packed string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\pL\pN])(?:` + spaced + `)(?:$|[^\pL\pN])|` + packed)
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
