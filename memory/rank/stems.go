package rank

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// stems remembers the stems of recent words. It has a fixed number of places, each overwritten
// by the next word that falls on it, so it never grows and needs no lock; about a megabyte.
var stems = cache{seed: maphash.MakeSeed()}

type cache struct {
	seed  maphash.Seed
	place [1 << 13]atomic.Pointer[stemmed]
}

type stemmed struct{ word, stem string }

func (c *cache) get(word string, stem func(string) string) string {
	place := &c.place[maphash.String(c.seed, word)%uint64(len(c.place))]
	if e := place.Load(); e != nil && e.word == word {
		return e.stem
	}
	word = strings.Clone(word) // word is part of a whole page
	e := &stemmed{word: word, stem: stem(word)}
	place.Store(e)
	return e.stem
}
