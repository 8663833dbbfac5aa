package kit

import "testing"

func TestTheOldestEntryIsForgotten(t *testing.T) {
	t.Parallel()
	r := Recent[int]{Limit: 2}
	if _, ok := r.Get("one"); ok {
		t.Error("an entry that nobody set")
	}
	for n, key := range []string{"one", "two", "one", "three"} {
		r.Set(key, n)
	}
	for key, want := range map[string]int{"one": 2, "two": -1, "three": 3} {
		if got, ok := r.Get(key); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v", key, got, ok)
		}
	}
}
