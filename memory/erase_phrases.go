package memory

import (
	"reflect"
	"sync"

	"threadkeeper/memory/rank"
)

// PhraseTerms returns the terms of all texts in structs, maps and slices of sentences, which it reads when it is first called;
// see Store.Phrases.
func PhraseTerms(sentences ...any) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		terms := map[string]bool{}
		for _, s := range sentences {
			addTerms(terms, reflect.ValueOf(s))
		}
		return terms
	})
}

func addTerms(terms map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		for _, t := range rank.Terms(v.String()) {
			terms[t] = true
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			addTerms(terms, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			addTerms(terms, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			addTerms(terms, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			addTerms(terms, v.MapIndex(key))
		}
	}
}
