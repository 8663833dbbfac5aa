package rank

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// stems remembers the stems of recent words. It has a fixed number of places, each overwritten
// by the next word that falls on it, so it never grows and needs no lock; about a megabyte.
var stems Cache[string]

// Cache keeps results of a function of a text, for the texts that were asked for lately. It may be used concurrently.
type Cache[T any] struct {
	place [1 << 13]atomic.Pointer[cached[T]]
}

type cached[T any] struct {
	text string
	of   T
}

var cacheSeed = maphash.MakeSeed()

// Get returns what f returns for a text.
func (c *Cache[T]) Get(text string, f func(string) T) T {
	place := &c.place[maphash.String(cacheSeed, text)%uint64(len(c.place))]
	if e := place.Load(); e != nil && e.text == text {
		return e.of
	}
	text = strings.Clone(text) // it may be part of a whole page
	e := &cached[T]{text, f(text)}
	place.Store(e)
	return e.of
}
