package reading

import (
	"slices"
	"strings"
	"sync"

	"threadkeeper/memory/rank"
)

// accounts are what people ask about a company's accounts, and the rows and titles of the statements that answer, which
// often share no word with the question. A line has the words that ask, a colon, and for each row that is needed
// the ways to write it, between bars. "@" begins the titles of a statement.
const accounts = `
gross margin, gross profit, gross profitability: @income; net sales | total revenue | revenues | net revenue; cost of sales | cost of goods sold | cost of products sold | cost of revenue | cost of products
cogs, cost of goods sold: @income; cost of sales | cost of goods sold | cost of products sold | cost of revenue
revenue, sales, net sales, top line, topline, turnover: @income; net sales | total revenue | revenues | net revenue
operating margin, operating income, operating profit, ebit: @income; operating income | income from operations | operating profit | earnings from operations | operating earnings
ebitda, ebitdar: @income; @cash; operating income | income from operations | operating profit | earnings from operations | adjusted ebitda; depreciation and amortization
depreciation, amortization, d&a: @cash; depreciation and amortization
net income, net earnings, net profit, profit, net margin: @income; net income | net earnings | net loss | profit for the year
eps, earnings per share: @income; per share | per common share; diluted
sg&a: @income; selling general and administrative | selling general administrative
tax rate, effective tax: @income; provision for income taxes | income tax expense | income taxes | effective tax rate | effective income tax rate; before income taxes | before taxes | before provision
interest coverage, interest expense: @income; interest expense; operating income | income from operations | operating profit | ebit
capex, capital expenditure, capital expenditures, capital intensive, capital intensity: @cash; capital expenditures | purchases of property | additions to property | payments for property | capital spending
operating cash flow, cash flow from operations, cash from operations, cash flow from operating: @cash; net cash provided by operating | net cash from operating | net cash flows from operating | cash provided by operations
free cash flow: @cash; net cash provided by operating | net cash from operating | net cash flows from operating; purchases of property | capital expenditures | additions to property
cash flow, cash flows: @cash; operating activities; investing activities; financing activities
dividend, dividends, payout: @cash; dividends paid | cash dividends | payment of dividends | dividends declared
repurchase, repurchases, buyback, buybacks: @cash; repurchases of common | repurchase of common | purchase of treasury | treasury stock | share repurchase | stock repurchase | repurchases of shares
days payable, dpo, accounts payable: @balance; accounts payable | trade payables
days sales outstanding, dso, accounts receivable, receivables: @balance; accounts receivable | receivables net | trade receivables
inventory, inventories, days inventory, dio, inventory turnover: @balance; inventories | inventory
inventory turnover, days payable, dpo, days inventory, dio: @income; cost of sales | cost of goods sold | cost of products sold | cost of revenue
cash conversion cycle: @balance; @income; accounts payable | trade payables; accounts receivable | receivables net; inventories; cost of sales | cost of goods sold | cost of revenue
working capital, current ratio, quick ratio, acid test, liquidity: @balance; total current assets; total current liabilities
current assets, current liabilities: @balance; total current assets; total current liabilities
total assets, return on assets, roa, asset turnover: @balance; total assets
fixed asset, fixed assets, property plant, pp&e, ppe, ppne: @balance; property plant and equipment | property and equipment
equity, return on equity, roe, book value, net worth: @balance; total shareholders equity | total stockholders equity | total equity | shareholders funds
debt, leverage, borrowings, debt to equity: @balance; long-term debt | borrowings | notes payable; current portion of long-term debt | short-term debt | short-term borrowings | current maturities
total liabilities, liabilities: @balance; total liabilities
cash and cash equivalents: @balance; cash and cash equivalents
return on assets, roa, return on equity, roe, dividend payout, retention ratio: @income; net income | net earnings
asset turnover, days sales outstanding, dso: @income; net sales | total revenue | revenues | net revenue
goodwill, intangible, intangibles: @balance; goodwill; intangible assets
balance sheet, financial position: @balance
income statement, profit and loss, p&l, statement of income, statement of operations, statement of earnings: @income
cash flow statement, statement of cash flows, cash flows statement: @cash
lawsuit, lawsuits, litigation, legal: legal proceedings | litigation; contingencies
acquisition, acquisitions, acquired, takeover, takeovers: acquisitions | business combinations | acquired; purchase price | consideration | goodwill
store, stores, shops, outlets: stores at end | number of stores | store count
`

var statementTitles = map[string]string{
	"income":  "statements of income | statements of operations | statements of earnings | statements of comprehensive income | income statements | profit and loss account | consolidated results of operations | statement of profit and loss",
	"balance": "balance sheets | statements of financial position",
	"cash":    "statements of cash flows | cash flow statement",
}

// Account is the place in a company's statements that answers a question. Phrases are search terms, joined by spaces.
type Account struct {
	Rows   [][]string // for each row that is needed, the ways to write it
	Titles []string   // of the statements; none if any page may answer
}

type accountLine struct {
	asked []string // words between spaces
	rows  string
}

// accountLines are the lines, made when they are first needed.
var accountLines = sync.OnceValue(func() (lines []accountLine) {
	for text := range strings.Lines(strings.TrimSpace(accounts)) {
		asked, rows, _ := strings.Cut(text, ":")
		l := accountLine{rows: rows}
		for words := range strings.SplitSeq(asked, ",") {
			l.asked = append(l.asked, spaced(rank.Words(words)))
		}
		lines = append(lines, l)
	}
	return lines
})

func spaced(words []string) string { return " " + strings.Join(words, " ") + " " }

// ways are the search terms of phrases between bars.
func ways(text string) (all []string) {
	for p := range strings.SplitSeq(text, "|") {
		all = append(all, strings.Join(rank.Terms(p), " "))
	}
	return all
}

// Accounts returns the places that answer a question about a company's accounts; nil for other questions.
func Accounts(question string) (a Account) {
	text := spaced(rank.Words(question))
	for _, l := range accountLines() {
		if !slices.ContainsFunc(l.asked, func(words string) bool { return strings.Contains(text, words) }) {
			continue
		}
		for row := range strings.SplitSeq(l.rows, ";") {
			if title, ok := strings.CutPrefix(strings.TrimSpace(row), "@"); ok {
				a.Titles = append(a.Titles, ways(statementTitles[title])...)
			} else {
				a.Rows = append(a.Rows, ways(row))
			}
		}
	}
	return a
}
