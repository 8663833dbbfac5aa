package docs

import (
	"testing"

	"threadkeeper/memory"
)

func TestVocabularyCountsThePassagesThatHoldATerm(t *testing.T) {
	s := newShelf(t)
	s.put(t, s.session, false, "lease.pdf", "The landlord lets the flat. The landlord pays.", "The tenant pays the landlord.")
	v, err := s.Vocabulary(t.Context(), s.scope)
	if err != nil {
		t.Fatal(err)
	}
	if v.Passages != 2 || v.Holding["landlord"] != 2 || v.Holding["flat"] != 1 || v.Holding["castl"] != 0 {
		t.Errorf("%+v", v)
	}
	_, other := s.place(t, "elsewhere", memory.Private)
	if v, err = s.Vocabulary(t.Context(), other); err != nil || v.Passages != 0 {
		t.Errorf("from elsewhere: %+v %v", v, err)
	}
}
