package model

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

func TestSeam(t *testing.T) {
	const long = "ANSWER\nThe revenue of the company grew by six percent over the ye"
	tests := []struct{ before, rest, want string }{
		{"the revenue gr", "the revenue grew.", "the revenue grew."},
		{"the revenue", "revenue grew.", "the revenue grew."},
		{"the revenue", " grew.", "the revenue grew."},
		{"the revenue", "grew.", "the revenue grew."},
		{"the revenue ", "grew.", "the revenue grew."},
		{"the revenue.", "\n\nIt grew.", "the revenue.\n\nIt grew."},
		{"it was 1,2", "was 1,234.", "it was 1,234."},
		{"in 20", "2024.", "in 2024."},
		{"a cat", "at home", "a cat at home"},
		{"ANSWER\nSix of th", "ANSWER\nof them.", "ANSWER\nSix of them."},
		{long, "over the year.", long + "ar."},
		{long, long + "ar.", long + "ar."},
		{long, strings.Replace(long, "six percent", "6 %", 1) + "ar.", long},
		{"größer als d", "als drei.", "größer als drei."},
		{"価格は十", "十円です。", "価格は十円です。"},
		{"are red ", "are red.", "are red ."},
		{"It grew.\n\n", "It grew.\n\nThen it fell.", "It grew.\n\nThen it fell."},
		{"the revenue", "", "the revenue"},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.rest)+1; size += 7 {
			s := &seam{before: test.before}
			got := test.before
			for rest := test.rest; rest != ""; {
				n := min(size, len(rest))
				got += s.next(rest[:n])
				rest = rest[n:]
			}
			if got += s.end(); got != test.want {
				t.Errorf("%q and %q in pieces of %d: %q, want %q", test.before, test.rest, size, got, test.want)
			}
		}
	}
}

func TestLengthWithText(t *testing.T) {
	cut := fakemodel.Rule{Say: "Six of them are red and four are blue.", Fault: fakemodel.Fault{Kind: fakemodel.Truncated, After: 20}, Times: 1}
	more := regexp.MustCompile("cut off by its length")
	for _, name := range families {
		for _, stream := range []bool{true, false} {
			s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{cut, {Match: more, Say: "are red and four are blue."}}})
			var streamed strings.Builder
			options := []llms.CallOption{llms.WithMaxTokens(300), llms.WithTools(twoTools)}
			if stream {
				options = append(options, into(&streamed))
			}
			resp, err := at(t, s, name).GenerateContent(t.Context(), hello, options...)
			if err != nil || Text(resp) != cut.Say || resp.Choices[0].StopReason != "stop" || stream && streamed.String() != cut.Say {
				t.Fatalf("%s: %v, %q, streamed %q", name, err, Text(resp), streamed.String())
			}
			r := s.Requests()
			if len(r) != 2 || r[1].ToolChoice != "none" || r[1].Messages[2].Text != cut.Say[:20] || UsageOf(resp).Completion != 5+7 {
				t.Errorf("%s: %d requests, the last %s, usage %+v", name, len(r), r[len(r)-1].Body, UsageOf(resp))
			}
		}
	}
}

// What is cut off again, or cannot go on, is returned as far as it came.
func TestLengthWithTextAgain(t *testing.T) {
	cut := fakemodel.Fault{Kind: fakemodel.Truncated, After: 20}
	for _, second := range []fakemodel.Rule{
		{Say: "are red and four are blue.", Fault: cut},
		{Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 400}},
		{Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 503}},
	} {
		want := "Six of them are red "
		if second.Say != "" {
			want += "and four are"
		}
		s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: "Six of them are red and four are blue.", Fault: cut, Times: 1}, second}})
		var streamed strings.Builder
		resp, err := once(t, s.URL()).GenerateContent(t.Context(), hello, llms.WithMaxTokens(300), into(&streamed))
		if e := failed(t, err, Truncated); strings.TrimSpace(e.Partial) != strings.TrimSpace(want) || Text(resp) != e.Partial || streamed.String() != e.Partial || len(s.Requests()) != 2 {
			t.Errorf("%d requests, partial %q, streamed %q", len(s.Requests()), e.Partial, streamed.String())
		}
	}
}
