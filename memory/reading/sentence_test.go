package reading

import "testing"

func TestPageSentences(t *testing.T) {
	got := PageSentences("Costs rose by 3.5 percent, e.g. in Oslo. Dr. Berg\nled U.S. Cellular until May.\n\nOutlook\n- first point\n- second point\n価格は五円です。次は何ですか。")
	want := []string{"Costs rose by 3.5 percent, e.g. in Oslo.", "Dr. Berg led U.S. Cellular until May.", "Outlook", "- first point", "- second point", "価格は五円です。", "次は何ですか。"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
