package reading

import "testing"

func TestANameKeepsItsUnderscores(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf":                  "report.pdf",
		"annual_report_2023.pdf":      "annual_report_2023.pdf",
		"__init__.py":                 "`__init__.py`",
		"_draft.md, a_b.md and c_.md": "`_draft.md`, a_b.md and `c_.md`",
		"snake__case (final).md":      "`snake__case` (final).md",
		"übersicht_-_2.pdf":           "`übersicht_-_2.pdf`",
		"Name: ____":                  "Name: ____",
	} {
		if got := Literal(name); got != want {
			t.Errorf("Literal(%q) = %q, want %q", name, got, want)
		}
	}
}
