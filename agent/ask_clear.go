package agent

import (
	"math"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// ClearEnough reports whether a request, read on its own, is clear enough to answer without asking a model whether
// to ask back. score says how clear it looks, 0 to 1; clear means score ≥ clearFrom. It knows English; requests
// in other languages get a middling score and do not pass.
func ClearEnough(text string) (clear bool, score float64) {
	sum := clearBias
	for _, f := range clearFeatures(text) {
		sum += clearWeights[f]
	}
	score = 1 / (1 + math.Exp(-sum))
	return score >= clearFrom, score
}

// clearFeatures are the marks of a request that ClearEnough weighs: its length, names and numbers,
// and its function words, question words and verbs.
func clearFeatures(text string) []string {
	words := rank.Words(text)
	terms := reading.ContentTerms(text)
	names := 0
	for _, n := range rank.Names(reading.LowerFirst(strings.TrimSpace(text))) {
		names += len(strings.Fields(n))
	}
	found := []string{
		bucket("words", len(words), 5, 7, 40, 80),
		bucket("terms", len(terms), 1, 2),
		bucket("names", names, 1, 2, 3, 4),
		bucket("numbers", len(rank.Numbers(text)), 1, 2),
	}
	if strings.ContainsAny(text, "\"“`{;=_") || strings.Contains(text, "://") || strings.Count(text, ",") > 1 && strings.Contains(text, ":") {
		found = append(found, "=marks") // a quotation, a name from code, an address, a list
	}
	seen := map[string]bool{}
	add := func(feature string) {
		if !seen[feature] {
			seen[feature] = true
			found = append(found, feature)
		}
	}
	last := "^" // the beginning
	for _, w := range words[:min(len(words), 60)] {
		if !rank.Stop(w) && !reading.FramingWord(w) && !asking[w] {
			last = ""
			continue
		}
		add(w)
		if last != "" {
			add(last + " " + w)
		}
		last = w
	}
	return found
}

// asking are words that shape a request, whatever its subject.
var asking = reading.WordSet(`analyze analyse categorize check classify compare compute convert count create define describe design develop explain extract
	find generate get help identify list look locate make need plan provide recommend research retrieve search separate sort suggest summarize
	think translate use using verify want write wrote won plays played
	advice average best better common current different each either first five following free good ideas important information kind last latest
	least main meaning month more most name new next one only part popular recent same short simple steps ten three tips top type two types ways year
	day time today tomorrow week country city place home town author book movie film song show season story script file data website`)

// bucket names the first limit that n does not exceed.
func bucket(name string, n int, limits ...int) string {
	for _, l := range limits {
		if n <= l {
			return "#" + name + "≤" + strconv.Itoa(l)
		}
	}
	return "#" + name + ">"
}
