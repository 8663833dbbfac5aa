package claims

import (
	"fmt"
	"testing"
)

// harbour has two pages of sentences that speak of two things each.
var harbour = shelf{{"Harbour report.pdf", []string{
	`Ferries carried 4.6 million passengers and launches 1.9 million. The toll for a barge is 40 euros, that for a yacht 25 euros.
The share of freight fell from 31.4% to 30.8%. Captain Moreno led the harbour from 2011 to 2019.
Dredging costs were 12% higher than planned. Two thirds of the berths are let.`,
	`Repairs took 310 days. The cranes were tested at sea, not on land. The berths were tested in June. The chief financial officer, Ines Duarte, resigned on a Monday.`,
}}}

// verdicts judges replies to the harbour's report.
func verdicts(t *testing.T, want map[string]Outcome) {
	t.Helper()
	for reply, outcome := range want {
		blocks, _ := play(t, harbour, "", reply, len(reply))
		if got := worst(blocks); got != outcome {
			t.Errorf("%s: %v, want %v: %v", reply, got, outcome, fmt.Sprint(blocks[0].Claims[0].Reason))
		}
	}
}

// TestEachOfTwoThingsHasItsOwnNumber: a number of another thing in the words cited, which the claim does not name, is marked.
func TestEachOfTwoThingsHasItsOwnNumber(t *testing.T) {
	verdicts(t, map[string]Outcome{
		`Ferries carried 4.6 million people, launches 1.9 million [d1 p1 "Ferries carried 4.6 million passengers and launches 1.9 million"].`: Verified,
		`A yacht pays 25 euros [d1 p1 "The toll for a barge is 40 euros, that for a yacht 25 euros"].`:                                        Verified,
		`A yacht pays 40 euros [d1 p1 "The toll for a barge is 40 euros, that for a yacht 25 euros"].`:                                        Unchecked,
	})
}

// TestTheDirectionOfANumber: what rises by a number in the words cited does not fall by it.
func TestTheDirectionOfANumber(t *testing.T) {
	verdicts(t, map[string]Outcome{
		`Dredging was dearer than planned, by 12% [d1 p1 "Dredging costs were 12% higher than planned"].`:            Verified,
		`Dredging costs fell by 12% [d1 p1 "Dredging costs were 12% higher than planned"].`:                          Contradicted,
		`The share of freight rose from 30.8% to 31.4% [d1 p1 "The share of freight fell from 31.4% to 30.8%"].`:     Contradicted,
		`Freight fell by 12%, while dredging costs rose [d1 p1 "Dredging costs were 12% higher than planned"].`:      Contradicted,
		`With 12% higher costs of dredging, the reserve fell [d1 p1 "Dredging costs were 12% higher than planned"].`: Verified,
	})
}

// TestADifferenceNeedsNoComputation: points between two percentages.
func TestADifferenceNeedsNoComputation(t *testing.T) {
	verdicts(t, map[string]Outcome{
		`The share of freight fell by 0.6 points [d1 p1 "The share of freight fell from 31.4% to 30.8%"].`: Verified,
		`The share of freight fell by 0.9 points [d1 p1 "The share of freight fell from 31.4% to 30.8%"].`: Contradicted,
	})
}

// TestARangeOfPagesIsAllOfThem: one sentence may take its numbers from several.
func TestARangeOfPagesIsAllOfThem(t *testing.T) {
	verdicts(t, map[string]Outcome{
		`Dredging costs were 12% higher than planned, and repairs took 310 days (p. 1-2).`: Verified,
		`Dredging costs were 12% higher than planned, and repairs took 350 days (p. 1-2).`: Contradicted,
	})
}

// TestAnOperandMayBeCitedLater: the block of a computation waits for it.
func TestAnOperandMayBeCitedLater(t *testing.T) {
	reply := "The margin of 2022 was 20.1% [= 5,144 / 25,530 * 100] [d1 p2 \"margin of 2022\"].\n\nSales were $25,530 million [d1 p1 \"Sales to customers 25,530 24,020\"], earnings $(5,144) million.\n"
	blocks, _ := play(t, statement, "", reply, len(reply))
	if o := blocks[0].Outcome(); o != Verified {
		t.Errorf("%v: %v", o, blocks[0].Claims[0].Reason)
	}
}

// TestAClaimUnlikeItsCitationIsMarked, but not one in other words that shares some.
func TestAClaimUnlikeItsCitationIsMarked(t *testing.T) {
	verdicts(t, map[string]Outcome{
		`The lighthouse was painted red [d1 p1 "Captain Moreno led the harbour from 2011 to 2019"].`:                                      Unchecked,
		`Captain Moreno ran the harbour [d1 p1 "Captain Moreno led the harbour from 2011 to 2019"].`:                                      Verified,
		`Five new lighthouse keepers painted every bridge of the harbour red [d1 p1 "Captain Moreno led the harbour from 2011 to 2019"].`: Unchecked,
	})
}

// statement is a company's, in millions.
var statement = shelf{{"Quay 10-K.pdf", []string{
	`QUAY CORP.
(in millions)
2022 2021
Sales to customers 25,530 24,020
Net earnings 5,144 4,814
Volume 6.9 % 12.9 %
Pharmaceutical segment sales in 2022 were $52.6 billion, an increase of 1.7% from 2021, which included operational growth of 6.7%. Consumer segment sales in 2022 were $15.0 billion, a decrease of 0.5% from 2021, which included operational growth of 3.6%.`,
	`The margin of 2022 was the best so far.`,
}}}

// TestRightRepliesOverAStatement are in forms that models write.
func TestRightRepliesOverAStatement(t *testing.T) {
	for _, reply := range []string{
		"The items (in millions):\n\n| Item | 2022 | 2021 |\n|---|---|---|\n| Sales to customers | $25,530 | $24,020 |\n\n[d1 p1 \"Sales to customers 25,530 24,020\"]\n", // the scale stands above
		`The margin was 20.1% in 2022: net earnings of $5,144 million on sales of $25,530 million [= 5,144 / 25,530 * 100] [d1 p1 "Net earnings 5,144 4,814"].`,           // operands with their scale
		`Volume grew 6.9% in 2022 [d1 p1 "Volume 6.9 % 12.9 %"].`, // the change itself, though less than before
		`Pharmaceutical sales grew 1.7%, while consumer sales fell 0.5% [d1 p1 "Pharmaceutical segment sales in 2022 were $52.6 billion, an increase of 1.7% from 2021"] [d1 p1 "Consumer segment sales in 2022 were $15.0 billion, a decrease of 0.5% from 2021"].`,
	} {
		blocks, _ := play(t, statement, "", reply, len(reply))
		for _, b := range blocks {
			for _, c := range b.Claims {
				if c.Outcome > Verified {
					t.Errorf("%s: %v, %v", c.Text, c.Outcome, c.Reason)
				}
			}
		}
	}
}

// A fiscal year that ends in January may be called by the year before; a column of neither is another year's. "3rd" counts on.
func TestAFiscalYearMayEndInTheNext(t *testing.T) {
	source := shelf{{"release.txt", []string{"Cash flows (in thousands)\n\n| | January 28, 2023 | January 29, 2022 | January 30, 2021 |\n|---|---|---|---|\n| Capital expenditures | 312,126 | 172,187 | 151,866 |\n| Stores at the end of the 3rd quarter | 1,343 | 1,302 | 1,262 |\n"}}}
	for text, want := range map[string]Outcome{
		`Capital expenditures were $312.1 million in fiscal 2022 [d1 p1 "Capital expenditures | 312,126 | 172,187 | 151,866"].`:         Verified,
		`Capital expenditures were $151.9 million in fiscal 2022 [d1 p1 "Capital expenditures | 312,126 | 172,187 | 151,866"].`:         Contradicted,
		`Capital expenditures were $172.2 million in 2023 [d1 p1 "Capital expenditures | 312,126 | 172,187 | 151,866"].`:                Contradicted,
		`At the end of the 3rd quarter of 2022 there were 1,302 stores [d1 p1 "Stores at the end of the 3rd quarter | 1,343 | 1,302"].`: Verified,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %+v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// A percentage in brackets is a fall.
func TestAFallIsNotGrowth(t *testing.T) {
	source := shelf{{"report.txt", []string{"Sales growth by region (%)\n\n| | 2021 | 2022 |\n|---|---|---|\n| International | 1.0% | (0.6)% |\n| Domestic | 2.3% | 3.0% |\n"}}}
	for text, want := range map[string]Outcome{
		`International sales grew by 0.6% in 2022 [d1 p1 "International | 1.0% | (0.6)%"].`:     Contradicted,
		`International sales declined by 0.6% in 2022 [d1 p1 "International | 1.0% | (0.6)%"].`: Verified,
		`Domestic sales grew by 3.0% in 2022 [d1 p1 "Domestic | 2.3% | 3.0%"].`:                 Verified,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %+v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// A statement that cites nothing may have no word in common with the page that denies it, but for those it was asked in.
func TestAReaderDisputesWhatCitesNothing(t *testing.T) {
	source := shelf{{"letter.txt", []string{"She is vested in half of her awards if she leaves with the consent of the Board.\nThe Committee signs nothing off that the letter needs."}}}
	r := &Reply{Request: "If she leaves, does anybody have to sign off?", Strict: true, Source: source}
	first, err := r.Add(`She is vested in half of her awards [d1 p1 "She is vested in half of her awards if she leaves with the consent of the Board"].` + "\n\n")
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Add("No sign-off is needed.")
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(first, true)
	c := b.Claims[0]
	c.Outcome = Verified
	if ok, err := r.Dispute(c, Place{1, 1, "if she leaves with the consent of the Board"}); !ok || err != nil || c.Outcome != Unchecked {
		t.Errorf("%v %v: %v", ok, err, c.Outcome)
	}
	if ok, err := r.Dispute(first.Claims[0], Place{1, 1, "The Committee signs nothing off"}); ok || err != nil {
		t.Errorf("something else disputes what is cited: %v %v", ok, err)
	}
}

// The scale of a table is that of its amounts, not of what one room costs.
func TestAPriceHasNoScale(t *testing.T) {
	source := shelf{{"Hotels.txt", []string{"(In millions)\n2018 2017\nRooms revenue $ 2,212 $ 2,154\nAverage daily rate $ 161 $ 158\nCasino revenue $ 561 $ 540"}}}
	for text, want := range map[string]Outcome{
		`The average daily rate was $161 in 2018 [d1 p1 "Average daily rate $ 161 $ 158"].`: Verified,
		`The average daily rate was $158 in 2018 [d1 p1 "Average daily rate $ 161 $ 158"].`: Contradicted,
		`Casino revenue was $561 in 2018 [d1 p1 "Casino revenue $ 561 $ 540"].`:             Contradicted,
		`Casino revenue was $561 million in 2018 [d1 p1 "Casino revenue $ 561 $ 540"].`:     Verified,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// Two cells of a row may be subtracted, whatever small number comes of it.
func TestARowMayGiveItsDifference(t *testing.T) {
	source := shelf{{"Costs.txt", []string{"(In millions)\n2021 2020\nChemicals $ 59 $ 57"}}}
	const head = "| Item | 2021 | 2020 | Change |\n|---|---|---|---|\n"
	for text, want := range map[string]Outcome{
		head + `| Chemicals | 59 | 57 | +2 | [d1 p1 "Chemicals $ 59 $ 57"]`: Verified,
		head + `| Chemicals | 59 | 57 | +3 | [d1 p1 "Chemicals $ 59 $ 57"]`: Unchecked,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v", text, worst(blocks), want)
		}
	}
}

// A row of an answer may be named more shortly than on the page, by what the request left to say.
func TestARowMayBeNamedByWhatTheRequestLeaves(t *testing.T) {
	source := shelf{{"Plane.txt", []string{"(In millions)\n2018 2017\nCash 1,200 1,100\nTotal $ 3,269 $ 3,047\n\nTotal Backlog $ 490,481 $ 474,640"}}}
	const quote = ` [d1 p1 "Total Backlog $ 490,481 $ 474,640"]`
	for request, want := range map[string]Outcome{"the total backlog, please": Verified, "the total assets, please": Contradicted} {
		text := "| | 2018 | 2017 |\n|---|---|---|\n| Total | 490,481 | 474,640 |" + quote
		if blocks, _ := play(t, source, request, text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %v", request, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// TestOtherWordsForTheSame: a name that was asked for stands for "the company", a part of a row's name for all of it, and what a
// page in another language says has other names. But what is denied or turned round in other words is not borne out.
func TestOtherWordsForTheSame(t *testing.T) {
	source := shelf{{"Minutes.txt", []string{"Acme Corp., annual report\nThe company ships cranes worldwide. The council adopted the plan. Sales, because of weak demand, fell. " +
		"The Board of Directors approved the budget for the harbour.\n\n(In millions)\n2022 2021\nRevenue 700 650\nRevenue from contracts with customers 500 480"}}}
	for text, want := range map[string]Outcome{
		`Acme ships cranes worldwide [d1 p1 "The company ships cranes worldwide"].`:                                                      Verified,
		`Revenue from customers was $500 million in 2022 [d1 p1 "Revenue from contracts with customers 500 480"].`:                       Verified,
		`Le Conseil a approuvé le budget pour le port de la ville [d1 p1 "The Board of Directors approved the budget for the harbour"].`: Verified,
		`The council did not accept the plan [d1 p1 "The council adopted the plan"].`:                                                    Unchecked,
		`Sales rose [d1 p1 "Sales, because of weak demand, fell"].`:                                                                      Unchecked,
	} {
		if blocks, _ := play(t, source, "What does Acme ship?", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %+v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// The year that a number is compared with is not its own.
func TestAYearToCompareWith(t *testing.T) {
	source := shelf{{"Costs.txt", []string{"2022 2021\nResearch expense $ 14,603 $ 14,714\nPercent change over the prior year (0.8)% 21.0%"}}}
	for text, want := range map[string]Outcome{
		`Research fell by 0.8% from 2021 [d1 p1 "Percent change over the prior year (0.8)% 21.0%"].`:                 Verified,
		`Gegenüber 2021 ist das ein Rückgang um 0,8 % [d1 p1 "Percent change over the prior year (0.8)% 21.0%"].`:    Verified,
		`In 2021 it was a decline of 0.8% [d1 p1 "Percent change over the prior year (0.8)% 21.0%"].`:                Contradicted,
		`Research cost $14,603 in 2022, less than the $14,714 of 2021 [d1 p1 "Research expense $ 14,603 $ 14,714"].`: Verified,
		`Research cost $14,714 in 2022, more than the $14,603 of 2021 [d1 p1 "Research expense $ 14,603 $ 14,714"].`: Contradicted,
		`Der Aufwand stieg von 14,6 auf 14,7 Tausend Dollar [d1 p1 "Research expense $ 14,603 $ 14,714"].`:           Verified,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// The years of a table stand before its changes, each with an amount and a percentage.
func TestYearsBeforeChanges(t *testing.T) {
	source := shelf{{"Streams.txt", []string{"Year ended December 31, Change\n2015 2014 2013 2015 vs. 2014 2014 vs. 2013\n(in thousands)\nRevenues $ 1,953,435 $ 1,308,061 $ 712,390 $ 645,374 49 % $ 595,671 84 %"}}}
	const quote = ` [d1 p1 "Revenues $ 1,953,435 $ 1,308,061 $ 712,390"].`
	for text, want := range map[string]Outcome{
		"Revenues were $1,953.4 million in 2015" + quote:           Verified,
		"Revenues were $1,308.1 million in 2015" + quote:           Contradicted,
		"Revenues rose by $645.4 million, or 49%, in 2015" + quote: Verified,
		"In 2014 revenues were $1,308.1 million, 84% more" + quote: Verified,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// The number of a note is no year's value, and an amount in a sentence may be meant as it stands.
func TestWhatMayHaveAnotherScaleOrHead(t *testing.T) {
	source := shelf{{"Fees.txt", []string{"Fees (in thousands)\nNotes 2023 2022 Change\nRevenue 4 512 480 32\nThe annual fee is $2,500."}}}
	for text, want := range map[string]Outcome{
		`Revenue was 512 thousand in 2023 [d1 p1 "Revenue 4 512 480 32"].`: Verified,
		`The annual fee is $2,500 [d1 p1 "The annual fee is $2,500"].`:     Verified,
		`The annual fee is $2,600 [d1 p1 "The annual fee is $2,500"].`:     Contradicted,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != want {
			t.Errorf("%s: %v, want %v: %v", text, worst(blocks), want, blocks[0].Claims[0].Reason)
		}
	}
}

// Another row, whose short label stands in the sentence too, says nothing against the row that is cited.
func TestARowThatIsCitedIsMeant(t *testing.T) {
	source := shelf{{"Shop.txt", []string{"(in millions)\n2017 2016\nShort-term investments 1,681 1,305\nTotal cash and cash equivalents and short-term investments $ 3,921 $ 3,281\nDebt, including current portion 1,365 1,734\nTotal 1,575 1,600\nLong-term debt 10,341 9,329\nTotal long-term debt 10,344 9,333"}}}
	for _, text := range []string{
		`Cash and short-term investments ended at $3,921 million [d1 p1 "Total cash and cash equivalents and short-term investments $ 3,921"].`,
		`Total debt was $1,365 million [d1 p1 "Debt, including current portion 1,365"].`,
		`Total assets grew, and long-term debt was $10,344 million [d1 p1 "Total long-term debt 10,344 9,333"].`,
	} {
		if blocks, _ := play(t, source, "", text, len(text)); worst(blocks) != Verified {
			t.Errorf("%s: %v: %v", text, worst(blocks), blocks[0].Claims[0].Reason)
		}
	}
}
