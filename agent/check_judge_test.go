package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

var mill = []string{"The mill report 2025\n\nIn 2025 the mill opened 47 shops and closed three.\nThe board may sell the old weir in the spring.\n" +
	"The crane was bought by Ferrum, and the barge by Halden.\nNobody was hurt in the flood.\nGrain 412 tonnes, flour 318 tonnes."}

func (k *talk) checker(d *memory.Document) Checker {
	k.t.Helper()
	audience, err := k.store.Audience(k.t.Context(), k.session.ID, 0)
	if err != nil {
		k.t.Fatal(err)
	}
	return Checker{Index: &docs.Index{Store: k.store}, Audience: audience, Documents: []*memory.Document{d}}
}

// TestTheJudgeOfACheck: a ✓ of the rules stays only if it does not dispute it, and a ? or a ✗ becomes what it proves. What it says
// counts only with words of a page that it was shown.
func TestTheJudgeOfACheck(t *testing.T) {
	const text = "The mill closed 47 shops in 2025.\n\nThe board sells the old weir in the spring.\n\nNo one was hurt when the river burst its banks.\n\nNobody was hurt in the flood."
	const honest = `{"verdicts": [{"n": 1, "verdict": "supported", "page": "d1 p1", "quote": "Nobody was hurt in the flood."},
		{"n": 2, "verdict": "contradicted", "page": "d1 p1", "quote": "In 2025 the mill opened 47 shops and closed three."}, {"n": 3, "verdict": "not_found", "page": "", "quote": ""}]}`
	k := newTalk(t, "")
	checker := k.checker(k.document("mill.txt", mill...))
	alone, err := checker.Check(t.Context(), text)
	if err != nil || signs(alone) != "✓✓?✓" || alone.By() != "by rules" {
		t.Fatalf("by rules: %s, %s, %v", signs(alone), alone.By(), err)
	}
	checker.JudgeName = "fake"
	for name, c := range map[string]struct {
		reply string
		err   error
		want  string
		by    string
	}{
		"honest": {honest, nil, "✗?✓✓", "by rules, and by fake: 3 of 4 statements"},
		"lying": {`{"verdicts": [{"n": 1, "verdict": "supported", "page": "d1 p9", "quote": "All were safe."}, {"n": 2, "verdict": "contradicted", "page": "d1 p1",
			"quote": "The mill opened 47 new shops."}, {"n": 3, "verdict": "contradicted", "page": "d1 p1", "quote": "The weir is not for sale."}]}`, nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"about others": {`{"verdicts": [{"n": 2, "verdict": "contradicted", "page": "d1 p1", "quote": "Nobody was hurt in the flood."},
			{"n": 1, "verdict": "contradicted", "page": "d1 p1", "quote": "Grain 412 tonnes, flour 318 tonnes."}]}`, nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"no fact":        {`{"verdicts": [{"n": 1, "verdict": "no_fact", "page": "", "quote": ""}]}`, nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"prose":          {"All of it is right.", nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"half an object": {`{"verdicts": [{"n": 1, "verdict": "contr`, nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"nothing":        {"", nil, "✓✓?✓", "by rules, and by fake: 0 of 4 statements"},
		"an error":       {"", errors.New("down"), "", ""},
	} {
		asked := 0
		checker.Judge = func(_ context.Context, contest *Contest) (string, error) {
			asked++
			prompt := fmt.Sprint(contest.Prompt("x"))
			if !strings.Contains(prompt, "opened 47 shops") || strings.Contains(prompt, "4. ") { // what stands word by word needs no judge
				t.Errorf("%s: %s", name, prompt)
			}
			return c.reply, c.err
		}
		checked, err := checker.Check(t.Context(), text)
		switch {
		case asked != 1 || !errors.Is(err, c.err):
			t.Errorf("%s: %d times, %v", name, asked, err)
		case err == nil && (signs(checked) != c.want || checked.By() != c.by):
			t.Errorf("%s: %s, %s; want %s, %s: %+v", name, signs(checked), checked.By(), c.want, c.by, checked.Statements)
		}
		if name == "honest" && err == nil {
			for i, quote := range []string{"opened 47 shops", "may sell the old weir", "Nobody was hurt in the flood", "Nobody was hurt in the flood"} {
				if s := checked.Statements[i]; !strings.Contains(s.At.Quote, quote) || s.At.Page != 1 || (s.Says != "") != (s.Finding == Differs) {
					t.Errorf("%d: %+v", i, s)
				}
			}
		}
	}
}

// TestALongTextIsJudgedInParts, in so many calls at most, with each statement once.
func TestALongTextIsJudgedInParts(t *testing.T) {
	k := newTalk(t, "")
	checker := k.checker(k.document("mill.txt", mill...))
	seen := map[string]int{}
	calls := 0
	checker.Judge = func(_ context.Context, contest *Contest) (string, error) {
		calls++
		for _, c := range contest.claims {
			seen[c.claim.Text]++
		}
		if len(contest.claims) > judgedAtOnce {
			t.Errorf("%d at once", len(contest.claims))
		}
		return "none", nil
	}
	text := ""
	for n := range judgedAtOnce*mostJudging + 20 {
		text += fmt.Sprintf("Boat %d carries flour of the mill to town %d.\n\n", n, n)
	}
	if _, err := checker.Check(t.Context(), text); err != nil || calls != mostJudging || len(seen) != judgedAtOnce*mostJudging {
		t.Errorf("%d calls, %d statements, %v", calls, len(seen), err)
	}
}

// TestAnOverlongStatementIsNotJudged, and keeps no other one from being.
func TestAnOverlongStatementIsNotJudged(t *testing.T) {
	k := newTalk(t, "")
	checker := k.checker(k.document("mill.txt", mill...))
	asked := 0
	checker.Judge = func(_ context.Context, contest *Contest) (string, error) {
		asked += len(contest.claims)
		return "none", nil
	}
	checked, err := checker.Check(t.Context(), "The mill closed 47 shops in 2025.\n\nThe mill "+strings.Repeat("and the weir ", 200)+"closed 47 shops.")
	if err != nil || asked != 1 || signs(checked) != "✓?" {
		t.Errorf("%d judged, %s, %v", asked, signs(checked), err)
	}
}

// TestCheckThisIsJudged: in a conversation too, within the budget of its turn.
func TestCheckThisIsJudged(t *testing.T) {
	const script = "when /The statements to judge/:\n" + `say: {"verdicts": [{"n": 1, "verdict": "contradicted", "page": "d1 p1", "quote": "In 2025 the mill opened 47 shops and closed three."}]}`
	for name, c := range map[string]struct {
		script string
		turn   int
		off    bool
		want   string
		calls  int
	}{
		"judged":    {script, 0, false, "0 supported, 1 contradicted, 0 not found (by rules, and by fake: 1 of 1 statements).\n\n✗ The mill closed 47 shops in 2025.\npage 1 says “In 2025 the mill opened 47 shops", 1},
		"off":       {script, 0, true, "1 supported, 0 contradicted, 0 not found (by rules).", 0},
		"it fails":  {"when /The statements to judge/:\nsay: none\nfault: 500", 0, false, "1 supported, 0 contradicted, 0 not found (by rules, and by fake: 0 of 1 statements).", 1},
		"no budget": {script, 1_000, false, "1 supported, 0 contradicted, 0 not found (by rules, and by fake: 0 of 1 statements).", 0},
	} {
		k := newTalk(t, c.script)
		if k.chain.Budget.Turn, k.chain.JudgeName = c.turn, "fake"; !c.off {
			k.chain.Judge = k.chain.Model
		}
		k.document("mill.txt", mill...)
		r := k.turn("Ada", "check this: The mill closed 47 shops in 2025.", ChoiceNone)
		if !strings.Contains(r.Text, c.want) || r.Ledger.ModelCalls != c.calls || r.Err != nil {
			t.Errorf("%s: %d calls, %v: %s", name, r.Ledger.ModelCalls, r.Err, r.Text)
		}
	}
}
