package fakemodel

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	rules, err := Parse(`
# the customers
when /churn|\/leave \/now/i on user:
say: Which customers do you mean?

when /summari[sz]e: it/ on system nth=2 times=1:
say: {"key_facts": ["the code is 4711"],
  "todos": []}
  
  # not a comment
fault: 429 retry-after=2 times=1

when /x/:
fault: 418 times=3 body={"error": "a b"}
when /y/ on prompt:
say:   
fault: slow delay=50ms
call: find {"q": 1}
call: list
otherwise:
say: I do not know.` + "\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 5 {
		t.Fatalf("%d rules", len(rules))
	}
	if r := rules[0]; r.On != "user" || !r.Match.MatchString("who will /LEAVE /now") || r.Say != "Which customers do you mean?" {
		t.Errorf("first: %+v", r)
	}
	if r := rules[1]; r.On != "system" || r.Nth != 2 || r.Times != 1 || r.Match.MatchString("SUMMARISE: it") || !r.Match.MatchString("summarise: it") ||
		r.Say != "{\"key_facts\": [\"the code is 4711\"],\n\"todos\": []}\n\n# not a comment" || r.Fault != (Fault{Kind: HTTPError, Status: 429, RetryAfter: 2 * time.Second, Times: 1}) {
		t.Errorf("second: %+v %q", r, r.Say)
	}
	if f := rules[2].Fault; f != (Fault{Kind: HTTPError, Status: 418, Times: 3, Body: `{"error": "a b"}`}) {
		t.Errorf("third: %+v", f)
	}
	if r := rules[3]; r.On != "prompt" || r.Say != "" || r.Fault != (Fault{Kind: Slow, Delay: 50 * time.Millisecond}) {
		t.Errorf("fourth: %+v", r)
	}
	if c := rules[3].Calls; len(c) != 2 || c[0] != (Call{"find", `{"q": 1}`}) || c[1] != (Call{"list", "{}"}) {
		t.Errorf("calls: %+v", c)
	}
	if r := rules[4]; r.Match != nil || r.Say != "I do not know." {
		t.Errorf("last: %+v", r)
	}
}

func TestEveryFaultCanBeScripted(t *testing.T) {
	for _, kind := range faultKinds {
		word := string(kind)
		switch kind {
		case HTTPError:
			word = "503"
		case Slow:
			word += " delay=1ms"
		}
		rules, err := Parse("otherwise:\nfault: " + word + " after=3")
		if err != nil || rules[0].Fault.Kind != kind || rules[0].Fault.After != 3 {
			t.Errorf("%s: %+v %v", kind, rules, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for script, want := range map[string]string{
		"say: hello":                         "line 1",
		"when hello:":                        "line 1",
		"when /[/:":                          "line 1",
		"when /x/ on nobody:":                "nobody",
		"when /x/ nth=0:":                    "nth=0",
		"when /x/ often=2:":                  "often",
		"otherwise:\n\nsing: a song":         "line 3",
		"otherwise:\nfault: sleepy":          "sleepy",
		"otherwise:\nfault: 200":             "200",
		"otherwise:\nfault:":                 "no name",
		"otherwise:\nfault: slow":            "delay",
		"otherwise:\nfault: cut after=x":     "after",
		"otherwise:\nfault: cut colour=red":  "colour",
		"otherwise:\nfault: 429 delay=never": "never",
	} {
		if _, err := Parse(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}

func TestStartChecksItsRules(t *testing.T) {
	if _, err := Start(Options{Script: []Rule{{}, {On: "nobody"}}}); err == nil || !strings.Contains(err.Error(), "rule 2") {
		t.Errorf("%v", err)
	}
}
