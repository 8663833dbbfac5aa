package claims

import (
	"slices"
	"testing"
)

func TestRowsApart(t *testing.T) {
	for line, want := range map[string][]string{
		"Current liabilities Accounts payable $ 418,250 $ 377,114 Construction payable 311,700 474,900 Taxes, net 43,400 158,000": {
			"Current liabilities Accounts payable $ 418,250 $ 377,114", "Construction payable 311,700 474,900", "Taxes, net 43,400 158,000"},
		"For the years ended December 31, 2021 2020 2019 Operating revenues $ 3,910 $ 3,750 $ 3,600": {
			"For the years ended December 31, 2021 2020 2019", "Operating revenues $ 3,910 $ 3,750 $ 3,600"},
		"Operating income 1,150 1,240 1,210":                                                          {"Operating income 1,150 1,240 1,210"},
		"In 2021 we sold 12 boats and 30 oars, after 11 boats and 28 oars in 2020.":                   {"In 2021 we sold 12 boats and 30 oars, after 11 boats and 28 oars in 2020."},
		"Revenue rose from 3,750 to 3,910 and income from 1,210 to 1,240, which is more than before.": {"Revenue rose from 3,750 to 3,910 and income from 1,210 to 1,240, which is more than before."},
	} {
		if got := rowsApart(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q", line, got)
		}
	}
}
