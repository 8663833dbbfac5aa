package main

import "fmt"

// The sample report: what a small business might really hand out. Everything in it is invented.

const (
	left  = 62.0
	wide  = a4Width - 2*left
	body  = 10.5
	first = 720.0 // baseline of the first paragraph
)

func sample() []byte {
	f := newFile()
	cover(f)
	letter(f)
	sales(f)
	people(f)
	coffee(f)
	decisions(f)
	plans(f)
	accounts(f)
	for i, p := range f.pages[1:] {
		p.text(left, 40, "R", 8.5, grey, "Harbour Café · Annual report 2025")
		p.textRight(left+wide, 40, "R", 8.5, grey, fmt.Sprint(i+2))
	}
	return f.bytes()
}

// section starts a page with its heading.
func section(f *file, title, lead string) (*page, float64) {
	p := f.page()
	p.rect(left, 778, 34, 4, coral)
	p.text(left, 750, "B", 22, navy, title)
	y := first
	for _, line := range lines("I", 12, wide, lead) {
		p.text(left, y, "I", 12, grey, line)
		y -= 17
	}
	return p, y - 14
}

func (p *page) heading(y float64, text string) float64 {
	p.text(left, y, "B", 13, navy, text)
	return y - 21
}

func (p *page) paragraphs(y float64, texts ...string) float64 {
	for _, t := range texts {
		y = p.paragraph(left, y, wide, body, t)
	}
	return y
}

func cover(f *file) {
	p := f.page()
	p.rect(0, 470, a4Width, a4Height-470, navy)
	p.rect(0, 462, a4Width, 8, coral)
	p.text(left, 660, "B", 40, white, "Harbour Café")
	p.text(left, 618, "R", 22, white, "Annual report 2025")
	p.text(left, 500, "R", 11, pale, "A workers’ cooperative on the old fish quay of Port Ellery, founded in 2014")
	p.text(left, 420, "B", 13, navy, "The year in five numbers")
	numbers := [][2]string{
		{"€412,600", "sales, up 9 % on 2024"},
		{"96,300", "cups of coffee served"},
		{"11", "members and employees"},
		{"€18,450", "surplus after tax"},
		{"0", "single-use cups since 1 May 2025"},
	}
	for i, n := range numbers {
		y := 378 - float64(i)*52
		p.rect(left, y-16, wide, 42, pale)
		p.rect(left, y-16, 4, 42, coral)
		p.text(left+20, y-2, "B", 20, navy, n[0])
		p.text(left+170, y, "R", 12, ink, n[1])
	}
	p.text(left, 74, "R", 9, grey, "Adopted by the members’ meeting on 14 March 2026")
}

func letter(f *file) {
	p, y := section(f, "A letter from the quay", "Marta Lindqvist, who has kept our books and our oven since the first day, looks back on a year of weather.")
	y = p.paragraphs(y,
		"Dear members, neighbours and friends of the house,",
		"The year began under water. On 9 January the storm pushed the harbour over the quay wall, and for the second time in our history we carried sacks of coffee up the stairs by candlelight. We were closed for 12 days. The insurance paid €14,200 of the damage of €17,900, and the rest came out of the repair fund that some of you had thought too large.",
		"What followed was the best spring we have ever had. People came to see whether we were still there, and stayed for breakfast. From April on, each month was better than the same month of the year before, and by the end of August we had made up for the lost weeks.",
		"In May we stopped handing out single-use cups. We were afraid of it. In the event, 7 guests complained in writing, 3 of them twice, and the deposit cup with the lighthouse on it has become the thing that people take home from Port Ellery; 1,140 cups have left with holidaymakers and will not be seen again.")
	y = p.heading(y-6, "What did not go well")
	y = p.paragraphs(y,
		"Opening on Monday evenings was a mistake. We tried it from 2 June to 29 September, lost €3,260 on it, and tired everyone out. The evening concerts on Fridays, on the other hand, paid for themselves from the third one.",
		"We also promised a children’s corner for the summer, and there is still none. It is now with the building group, and has a date: see page 7.")
	p.text(left, y-10, "I", body, ink, "Marta Lindqvist, manager")
}

func sales(f *file) {
	p, y := section(f, "Sales", "Sales grew from €378,500 to €412,600. Breakfast grew most; bread for taking home fell for the first time.")
	y = p.table(left, y, wide, []float64{230, 320, 395, 463}, [][]string{
		{"Sales in euros", "2024", "2025", "Change", "Share"},
		{"Coffee and drinks", "164,300", "177,900", "+8 %", "43 %"},
		{"Breakfast", "88,700", "109,400", "+23 %", "27 %"},
		{"Cakes and pastry", "71,200", "76,800", "+8 %", "19 %"},
		{"Bread to take home", "42,100", "34,600", "–18 %", "8 %"},
		{"Concerts and hire", "12,200", "13,900", "+14 %", "3 %"},
		{"Total", "378,500", "412,600", "+9 %", "100 %"},
	})
	y = p.heading(y-8, "Sales by quarter, in thousands of euros")
	quarters := []struct {
		name  string
		sales float64
	}{{"January – March", 71.8}, {"April – June", 112.4}, {"July – September", 134.9}, {"October – December", 93.5}}
	for _, q := range quarters {
		p.text(left, y, "R", body, ink, q.name)
		p.rect(left+120, y-4, q.sales*2.1, 14, navy)
		p.text(left+128+q.sales*2.1, y, "B", body, ink, fmt.Sprintf("%.1f", q.sales))
		y -= 24
	}
	p.paragraphs(y-12,
		"The first quarter lacks the 12 days of the flood. The best single day was Saturday 16 August, the day of the regatta, with sales of €4,870 and a queue to the fish market.",
		"Bread to take home fell because the supermarket at the station opened a bakery counter in February. The baking group proposes to give up the white loaf and to keep the rye, which sells out on most days by 10:30.")
}

func people(f *file) {
	p, y := section(f, "People", "Eleven people work here: eight members of the cooperative and three employees on their way to becoming members.")
	y = p.heading(y, "Comings and goings")
	y = p.paragraphs(y,
		"Jonas Okafor joined on 1 March 2025 as a baker and will be proposed for membership in March 2027. Ines Duarte returned from parental leave in September. Pieter van Dam, our first barista, left on 31 October after eleven years to build boats; the recipe of his cinnamon knots has stayed.")
	y = p.heading(y-4, "Pay and hours")
	y = p.paragraphs(y,
		"Everyone is paid the same hourly wage. It rose from €16.40 to €17.10 on 1 July 2025. The regular week is 34 hours; in July and August it is 38, and the difference is given back as free days between November and February.",
		"We recorded 41 days of sick leave, fewer than the 58 days of 2024. There was one accident at work: a burn at the oven door on 22 May, after which the door was fitted with a second handle.")
	y = p.heading(y-4, "Learning")
	p.paragraphs(y,
		"Four of us took the first-aid course on 3 and 4 November. Ines Duarte passed the examination of the coffee tasters’ guild in November. The budget for courses was €2,400, of which €1,985 was spent.")
}

func coffee(f *file) {
	p, y := section(f, "Coffee and suppliers", "We bought 1,930 kilograms of green coffee from three farms, and paid all of them more than a year ago.")
	y = p.table(left, y, wide, []float64{250, 350, 463}, [][]string{
		{"Farm", "Kilograms", "Price 2024", "Price 2025"},
		{"Finca La Paloma, Huila", "860", "€7.20 / kg", "€8.90 / kg"},
		{"Gatuya Cooperative, Kirinyaga", "640", "€8.10 / kg", "€9.40 / kg"},
		{"Sitio Boa Vista, Minas Gerais", "430", "€5.60 / kg", "€7.30 / kg"},
		{"All farms", "1,930", "€7.14 / kg", "€8.71 / kg"},
	})
	p.paragraphs(y-4,
		"The price of green coffee on the world market rose by about a third. We raised the price of a cappuccino from €3.20 to €3.50 on 1 April 2025, and have promised not to touch it again before April 2026.",
		"Milk comes from the Brannigan farm, 9 kilometres up the valley, in returnable cans; we used 14,800 litres. Oat milk made up 31 % of all milk drinks, after 24 % in the year before, and costs the guest the same.",
		"The old roaster failed its safety inspection on 6 October. Until a new one is installed, the coffee is roasted for us in Aldwick, which costs €1.15 a kilogram and one journey each week.")
}

func decisions(f *file) {
	p, y := section(f, "Decisions of the members’ meeting", "Held on 14 March 2026 in the net loft; all eight members present, Ines Duarte in the chair.")
	for i, d := range []struct{ title, text string }{
		{"A new roaster", "The cooperative buys a 12-kilogram electric roaster from Ferrum & Sons for €38,700, to be delivered by 30 June 2026. Adopted with 7 votes to 1. The purchase is paid from the investment reserve; no loan is taken."},
		{"Use of the surplus", "Of the surplus of €18,450, half goes to the investment reserve, €5,000 to the repair fund, and the rest is shared among the members by hours worked. Adopted unanimously."},
		{"Opening hours", "From 4 May 2026 the café opens Tuesday to Sunday from 7:30 to 18:00, and on Fridays until 23:00. Monday stays closed. Adopted with 6 votes to 2."},
		{"The rye loaf", "The white loaf is given up at the end of May 2026. The rye loaf is kept and its price rises from €4.80 to €5.20. Adopted with 5 votes to 3."},
	} {
		p.rect(left, y-3, 22, 18, coral)
		p.text(left+8, y+1.5, "B", 11, white, fmt.Sprint(i+1))
		p.text(left+32, y, "B", 12, navy, d.title)
		y = p.paragraph(left+32, y-19, wide-32, body, d.text) - 6
	}
	y = p.heading(y-4, "Left open")
	p.paragraphs(y,
		"Whether to take over the ice-cream kiosk at the ferry landing. Jonas Okafor will report on the lease, which the harbour office offers at €640 a month, to the meeting in October 2026.")
}

func plans(f *file) {
	p, y := section(f, "Building and plans for 2026", "Three works, one after the other, so that the house never has to close for more than two days.")
	y = p.table(left, y, wide, []float64{280, 370, 463}, [][]string{
		{"Work", "Start", "Finished by", "Budget"},
		{"Flood gates for both doors", "13 April", "24 April", "€9,300"},
		{"Children’s corner", "11 May", "22 May", "€2,150"},
		{"New roaster and flue", "15 June", "30 June", "€41,900"},
		{"All works", "", "", "€53,350"},
	})
	y = p.paragraphs(y-4,
		"The flood gates come first. They are made by the boatyard next door, stand 1.10 metres high and can be set by two people in six minutes. The city pays 40 % of their cost under its quay programme.",
		"The budget for the roaster contains €3,200 for the flue and the electrician beside the price of the machine itself.")
	y = p.heading(y-4, "What could go wrong")
	p.paragraphs(y,
		"The city has announced work on the quay wall for the autumn of 2026. If the terrace has to be cleared in September, we expect to lose about €11,000 of sales. The building group has asked for a start after 5 October, and has not yet had an answer.",
		"The lease of the house runs until 31 December 2028. Talks with the harbour office about the next ten years begin in the summer.")
}

func accounts(f *file) {
	p, y := section(f, "Accounts", "Checked by the auditors Ruth Abara and Tomasz Zielinski on 20 February 2026, without reservations.")
	p.table(left, y, wide, []float64{350, 463}, [][]string{
		{"In euros", "2024", "2025"},
		{"Sales", "378,500", "412,600"},
		{"Goods", "–121,900", "–133,700"},
		{"Wages and social contributions", "–188,300", "–203,950"},
		{"Rent and energy", "–31,400", "–32,800"},
		{"Repairs, net of insurance", "–6,200", "–9,900"},
		{"Other costs", "–9,800", "–9,150"},
		{"Tax", "–4,300", "–4,650"},
		{"Surplus after tax", "16,600", "18,450"},
	})
	p.text(left, 400, "B", 13, navy, "Reserves at the end of the year")
	p.paragraph(left, 378, wide, body, "Investment reserve €52,300; repair fund €11,700; members’ shares €24,000. The cooperative has no bank debt.")
	p.text(left, 320, "B", 13, navy, "Contact")
	p.paragraph(left, 298, wide, body, "Harbour Café, workers’ cooperative, 3 Fish Quay, Port Ellery. Open Tuesday to Sunday. Questions about this report: Marta Lindqvist, in the house, most mornings before nine.")
}
