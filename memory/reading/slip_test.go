package reading

import "testing"

func TestSpelling(t *testing.T) {
	vocabulary := map[string]int{"landlord": 3, "warranti": 2, "deposit": 5, "kundigungsfrist": 1, "2024": 9, "rent": 4, "milan": 2}
	for word, want := range map[string]string{
		"landlrod":  "landlord", // swapped
		"waranti":   "warranti", // left out
		"depozit":   "deposit",  // mistaken
		"kundigung": "kundigungsfrist",
		"deposited": "deposit",
		"2025":      "", // a number is never misspelt
		"tent":      "", // another first letter
		"elephant":  "",
		"mileage":   "", // two slips from "milan" are too many
		"報酬":        "",
	} {
		if got := Spelling(word, vocabulary); got != want {
			t.Errorf("%q is read as %q, want %q", word, got, want)
		}
	}
}
