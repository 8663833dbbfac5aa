package memory

import "testing"

// TestOurOwnSentencesAreNotRepetitions erases a question that has words of ours.
func TestOurOwnSentencesAreNotRepetitions(t *testing.T) {
	s := openTest(t)
	s.Phrases = PhraseTerms([]*struct {
		found  string
		months map[string][]string
	}{{"I searched %s and found no passage.", map[string][]string{"en": {"Brumaire"}}}})
	r := said(t, s, "t", "m", "Does a passage of the contract name the zeppelin, in brumaire?", false)
	ours := post(t, s, "elsewhere", "1", Assistant, "", "I searched it and found no passage. (Brumaire)")
	repeat := post(t, s, "elsewhere", "2", Assistant, "", "I searched the zeppelin.")
	if _, err := s.Erase(t.Context(), r.Session.Key, "m", 0); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[int64]bool{ours.Message.ID: false, repeat.Message.ID: true} {
		if m, err := s.Message(t.Context(), id); err != nil || (m.ErasedAt > 0) != want {
			t.Errorf("%q erased: %v (%v)", m.Text, m.ErasedAt > 0, err)
		}
	}
}
