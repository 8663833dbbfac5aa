package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// Warnings returns a warning for each value of .env that Load leaves out because it cannot be ours, and for each name in .env and
// in the environment that looks like a misspelt setting. Settings that are set are not suggested. It is empty when Load would fail
// to read .env.
func Warnings(s Sources) []string {
	known := names()
	layers, said, _ := s.layers()
	unset := slices.DeleteFunc(slices.Clone(known), func(setting string) bool {
		return slices.ContainsFunc(layers, func(l layer) bool { return l.says(setting) })
	})
	for _, l := range layers {
		for _, name := range slices.Sorted(maps.Keys(l.values)) {
			if l.dotenv == "" || slices.Contains(known, name) {
				continue
			}
			if near := meant(name, unset); near != "" {
				said = append(said, fmt.Sprintf("%s: %s is not a setting, did you mean %s?", l.dotenv, strings.ToUpper(name), strings.ToUpper(near)))
			}
		}
	}
	for _, e := range s.Environ {
		// Most of the environment is that of other programs: a short name, or one of the same words, is theirs.
		name, _, _ := strings.Cut(e, "=")
		if name != strings.ToUpper(name) || len(name) < longName || slices.Contains(known, strings.ToLower(name)) {
			continue
		}
		if near := mistyped(strings.ToLower(name), unset); near != "" {
			said = append(said, fmt.Sprintf("%s in the environment is not a setting, did you mean %s?", name, strings.ToUpper(near)))
		}
	}
	return said
}

// longName is how many letters a name has in which two may be mistyped.
const longName = 8

// meant returns the setting that a mistyped name stands for, even one with a word too many or too few; "" if there is none.
func meant(name string, settings []string) string {
	if near := mistyped(name, settings); near != "" {
		return near
	}
	words := strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' })
	for _, s := range settings {
		others := strings.Split(s, "_")
		if len(words) > 1 && len(others) > 1 && (within(words, others) || within(others, words)) {
			return s
		}
	}
	return ""
}

// within reports whether all has each of the words.
func within(words, all []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
}

// lettersApart returns how many letters one name has that the other lacks: there are as many typing errors, at least.
func lettersApart(a, b string) int {
	var more [32]int
	for _, c := range []byte(a) {
		more[c%32]++
	}
	for _, c := range []byte(b) {
		more[c%32]--
	}
	here, there := 0, 0
	for _, n := range more {
		here, there = here+max(0, n), there+max(0, -n)
	}
	return max(here, there)
}

// mistyped returns the setting that differs from a name by a letter, or by two of a long one; "" if there is none.
func mistyped(name string, settings []string) (near string) {
	least := 2
	if len(name) >= longName {
		least = 3
	}
	for _, s := range settings {
		if lettersApart(name, s) >= least {
			continue // every start compares the whole environment with all settings
		}
		if d := reading.Mistypings(name, s); d < least {
			near, least = s, d
		}
	}
	return near
}
