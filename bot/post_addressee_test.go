package bot

import "testing"

func TestANameBeginsALineOrStandsAboveAList(t *testing.T) {
	for name, want := range map[string]string{"Ada": "**Ada:** ", "**A_da** \\": "**A da:** ", "***": "", "": ""} {
		if got := lead(name, "It is open."); got != want {
			t.Errorf("%q is addressed as %q, want %q", name, got, want)
		}
	}
	if got := lead("Ada", "- one\n- two"); got != "**Ada:**\n\n" {
		t.Errorf("above a list: %q", got)
	}
}
