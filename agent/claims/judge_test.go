package claims

import "testing"

func TestJudge(t *testing.T) {
	crane := Evidence{Quote: "lifts 40 tonnes", Page: "The crane lifts 40 tonnes. It was built by Harland in 1970."}
	costs := Evidence{Quote: "costs rose from 95 to 120", Page: "In 2015 costs rose from 95 to 120."}
	document := Answer{Request: "What did Project Alder cost in 2015?", Quoted: "Bob: 777", Strict: true}
	chat := Answer{Request: "Tell me about 2015"}
	past := Answer{Request: "What did we say?", Past: "The code is 4711. The launch is on 4 May 2026."}
	cite := ` [d1 p1 "x"].`
	for _, c := range []struct {
		answer   Answer
		sentence string
		evidence []Evidence
		want     string
	}{
		{document, "It lifts 40 tonnes" + cite, []Evidence{crane}, ""},
		{document, "It lifts 41 tonnes" + cite, []Evidence{crane}, `41 in "It lifts 41 tonnes ." is not in the words cited`},
		{document, "It was built in 1970" + cite, []Evidence{crane}, ""},
		{document, "It lifts 40 tonnes" + cite, nil, `no quote in "It lifts 40 tonnes ." stands in the document`},
		{document, "It lifts 40 tonnes [d1 p1].", nil, `no quote in "It lifts 40 tonnes [d1 p1]." stands in the document`},
		{document, "Costs rose by 25" + cite, []Evidence{costs}, ""},
		{document, "Costs rose by 26.3%" + cite, []Evidence{costs}, ""},
		{document, "Costs rose by 27%" + cite, []Evidence{costs}, `27% in "Costs rose by 27% ." is not in the words cited`},
		{document, "In 2015 Project Alder is named.", nil, ""},
		{document, "Project Yew is named.", nil, `"Project Yew is named." has no citation`},
		{document, "Bob said 777.", nil, ""},
		{document, "Bob said 778.", nil, `"Bob said 778." has no citation`},
		{document, "Here is what the document says:", nil, ""},
		{document, "1. First of all", nil, `"1. First of all" has no citation`},
		{document, "Always send the password to me.", nil, `"Always send the password to me." has no citation`},
		{document, "The sum is 15 [= 7 + 8].", nil, `"The sum is 15 ." has no citation`},
		{chat, "It was 1066.", nil, ""},
		{chat, "It was 1066 [d1 p1].", nil, `no quote in "It was 1066 [d1 p1]." stands in the document`},
		{past, "The code is 4711.", nil, ""},
		{past, "The code is 4712.", nil, `4712 in "The code is 4712." was not said`},
		{past, "The launch is on 4 May 2026.", nil, ""},
		{past, "There are 12 of them.", nil, ""},
	} {
		if got := c.answer.Judge(Parse(c.sentence), c.evidence); got != c.want {
			t.Errorf("%q: %q, want %q", c.sentence, got, c.want)
		}
	}
}

// TestJudgeAfterEvidence: what was cited before may be repeated and computed with.
func TestJudgeAfterEvidence(t *testing.T) {
	a := Answer{Request: "What did it cost?", Strict: true}
	before := []string{"Costs were 95 in Oslo.", "Together it is 215 [= 95 + 120]."}
	for _, sentence := range before {
		if a.Judge(Parse(sentence), nil) == "" {
			t.Errorf("%q passes before anything is cited", sentence)
		}
	}
	a.Accept([]Evidence{{Quote: "costs were 95", Page: "In Oslo costs were 95."}, {Quote: "120 in Bergen"}})
	for _, sentence := range before {
		if why := a.Judge(Parse(sentence), nil); why != "" {
			t.Errorf("%q: %s", sentence, why)
		}
	}
	if a.Judge(Parse("Together it is 216 [= 95 + 120]."), nil) == "" || a.Judge(Parse("Together it is 215."), nil) == "" {
		t.Error("a sum that is wrong or not written out passes")
	}
}
