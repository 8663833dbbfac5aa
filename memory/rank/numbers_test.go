package rank

import (
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"$4.2M", []string{"4200000"}},
		{"$4.5M", []string{"4500000"}},
		{"4.2 million dollars", []string{"4200000"}},
		{"4,2 Mio. €", []string{"4200000"}},
		{"4,5 млрд рублей", []string{"4500000000"}},
		{"売上4,200万円", []string{"42000000"}},
		{"1,284 and 1284 and 01284.0", []string{"1284"}},
		{"30.80 percent, 30,8 %", []string{"30.8%"}},
		{"May 3, 2023; 3. Mai 2023; 3 de mayo de 2023; 2023-05-03; 03.05.2023; 5/3/2023", []string{"2023-05-03"}},
		{"2023年5月3日", []string{"2023-05-03"}},
		{"5月20日まで、6月", []string{"--05-20", "6"}},
		{"13/05/2023", []string{"2023-05-13"}},
		{"in May 2023, on May 5", []string{"2023-05", "--05-05"}},
		{"badge 7Q-114 at 14:05", []string{"7q-114", "14:05"}},
		{"INV-2023-001, FY2018, COVID-19", []string{"inv-2023-001", "fy2018", "covid-19"}},
		{"10k customers, 10 m long", []string{"10000", "10"}},
		{"1,2,3", []string{"1", "2", "3"}},
		{"ten, none", nil},
	} {
		if got := Numbers(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Numbers(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestFiguresStandWhereTheyAreWritten(t *testing.T) {
	text := "South,Jan,80\nNorth,Jan,$120,10400.5,3 %\n"
	folded, all := Figures(text)
	var got []string
	for _, f := range all {
		got = append(got, folded[f.From:f.To])
	}
	if want := []string{"80", "$120", "10400.5", "3 %"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"We met Alice Smith and the Bank of America.", []string{"alice smith", "bank of america"}},
		{"Deploying the app. Restart it.", nil},
		{"Alice prefers tea. I told Alice.", []string{"alice"}},
		{"NASA uses an iPhone, says @bob", []string{"nasa", "iphone", "bob"}},
		{"In March Bob's Toyota broke", []string{"bob", "toyota"}},
		{"I'm sure that I did", nil},
		{"see FY2018", nil},
		{"東京タワー", nil},
	} {
		if got := Names(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Names(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name, claim, source string
		want                []string
	}{
		{"other amount", "It cost $4.5M.", "The price was $4.2M", []string{"4500000"}},
		{"same amount, other words", "It cost $4.2M.", "it cost 4.2 million dollars", nil},
		{"table without scale or currency", "Sales were $118,573 million.", "Net sales\n118,573", nil},
		{"table without percent sign", "a margin of 30.8%", "margin 30.8", nil},
		{"other scale", "4.2 billion", "4.2 million", []string{"4200000000"}},
		{"percent is not an amount", "a rise of 5%", "a rise of $5", []string{"5%"}},
		{"other currency", "€5", "$5", []string{"5"}},
		{"date in other notation", "on May 3, 2023", "2023-05-03", nil},
		{"date by its parts", "on 3 May 2023", "2023: he left on May 3", nil},
		{"other day", "on 4 May 2023", "2023-05-03", []string{"2023-05-04"}},
		{"year inside a date", "in 2023", "2023-05-03", nil},
		{"fiscal year", "in FY2018", "fiscal year 2018", nil},
		{"identifier", "use 7Q-115", "use 7Q-114", []string{"7q-115"}},
		{"identifier without its dash", "use 7Q114", "use 7Q-114", nil},
		{"identifier within a word", "use web-prod-1 and HL-L2350", "web-prod-1 prints on HL-L2350", nil},
		{"name", "it was decided by Bob Ross", "Alice Ross decided", []string{"bob"}},
		{"name in other order", "we met Alice Smith", "Smith, Alice", nil},
		{"first word of a sentence", "Later it fell to 3", "fell to 3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Missing(c.claim, c.source); !slices.Equal(got, c.want) {
				t.Errorf("Missing(%q, %q) = %q, want %q", c.claim, c.source, got, c.want)
			}
		})
	}
}
