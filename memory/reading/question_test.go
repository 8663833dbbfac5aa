package reading

import "testing"

// TestStatementsAreNotQuestions: a question word stands at the head of a question.
func TestStatementsAreNotQuestions(t *testing.T) {
	for text, want := range map[string]bool{
		"The lamp was repaired by Jo": false, "So what is the plan": true, "Und was kostet das": true,
		"El faro que vimos": false, "In which drawer are the maps": true, "Kim was late": false, "I was at the lake with Joana": false, "Was kostet das": true, "كيف حالك؟": true,
	} {
		if IsQuestion(text) != want {
			t.Errorf("IsQuestion(%q) = %v", text, !want)
		}
	}
}
