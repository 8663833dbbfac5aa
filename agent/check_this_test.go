package agent

import (
	"strings"
	"testing"
)

// TestAReplyHasThePostCheckedThatItQuotes: not the last one.
func TestAReplyHasThePostCheckedThatItQuotes(t *testing.T) {
	k := newTalk(t, "")
	k.document("lease.txt", "The rent is €1,450 a month. The notice period is six months.")
	k.say("Bob", "I have read the lease now. The rent is €1,540 a month. I hope that this is right for you.")
	k.say("Cy", "The notice period is six months, as it was in the lease that we had before.")
	got := k.turn("Ada", "> Bob: I have read the lease now. The rent is €1,540 a month. I hope that this is right for you.\n\ncheck this", ChoiceNone)
	if !strings.Contains(got.Text, "1 contradicted") || !strings.Contains(got.Text, "✗ The rent is €1,540 a month.") || len(got.Citations) == 0 {
		t.Errorf("%s %+v", got.Text, got.Citations)
	}
}

// TestRequestsForACheck: a command word and what points to a post, and nothing else.
func TestRequestsForACheck(t *testing.T) {
	tests := []struct {
		text string
		want bool
		body string
	}{
		{"check this", true, ""},
		{"Check this, please.", true, ""},
		{"Could you please verify that answer?", true, ""},
		{"fact-check the post above against lease.pdf", true, ""},
		{"Check this: The rent is high.", true, "The rent is high."},
		{"check this\n\nThe rent is high.\nIt was low.", true, "The rent is high.\nIt was low."},
		{"Bitte prüfe diese Antwort", true, ""},
		{"vérifie ce message", true, ""},
		{"comprueba esta respuesta", true, ""},
		{"check the rent", false, ""},
		{"check whether the landlord may end it", false, ""},
		{"What is a check?", false, ""},
		{"checkmate", false, ""},
	}
	k := newTalk(t, "")
	d := k.document("lease.pdf", "The rent is €1,450 a month.")
	for _, tt := range tests {
		r := &run{request: tt.text, library: library{d}}
		if body, ok := r.checkRequest(); ok != tt.want || body != tt.body {
			t.Errorf("%q: %v, %q", tt.text, ok, body)
		}
	}
}
