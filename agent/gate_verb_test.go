package agent

import (
	"context"
	"strings"
	"testing"
)

func TestFirstLine(t *testing.T) {
	for reply, want := range map[string]struct{ verb, text string }{
		"ANSWER\nYes.":                                    {verbAnswer, "Yes."},
		"ANSWER: Yes.":                                    {verbAnswer, "Yes."},
		"Answering is easy.":                              {verbAnswer, "Answering is easy."},
		"ASK him about it.":                               {verbAnswer, "ASK him about it."},
		"ASK {\"question\": \"Which?\"}":                  {verbAsk, ""},
		"**ANSWER**\n\nYes.":                              {verbAnswer, "Yes."},
		"# ANSWER\nYes.":                                  {verbAnswer, "Yes."},
		"\"ANSWER\"\nYes.":                                {verbAnswer, "Yes."},
		"Answer:\nYes.":                                   {verbAnswer, "Yes."},
		"Answer the door.":                                {verbAnswer, "Answer the door."},
		"```\nANSWER\nYes.\n```":                          {verbAnswer, "Yes.\n"},
		"```go\nx := 1\n```\nDone.":                       {verbAnswer, "```go\nx := 1\n```\nDone."},
		"Assistant: Yes.":                                 {verbAnswer, "Yes."},
		"<answer>Yes.</answer>":                           {verbAnswer, "Yes."},
		"{\"answer\": \"Yes.\"}":                          {verbAnswer, "Yes."},
		"{\"rows\": 3}":                                   {verbAnswer, "{\"rows\": 3}"},
		"{\"name\": \"find\", \"arguments\": {}}":         {verbCall, ""},
		"<tool_call>\n{\"name\": \"find\"}\n</tool_call>": {verbCall, ""},
		"```json\n{\"question\": \"Which?\", \"options\": []}\n```":                                          {verbAsk, ""},
		"Let me see.\n\nANSWER\nYes.":                                                                        {verbAnswer, "Let me see.\n\nYes."},
		"Let me see.\n\nASK {\"question\": \"Which?\"}":                                                      {verbAsk, "Let me see.\n\n"},
		"Let me see.\n\n<tool_call>\n{\"name\": \"read_pages\", \"arguments\": {\"from\": 1}}\n</tool_call>": {verbCall, ""},
		"<function=search_documents>{\"queries\": [\"x\"]}</function>":                                       {verbCall, ""},
		"Let me see.\n\n[1] is the first.":                                                                   {verbAnswer, "Let me see.\n\n[1] is the first."},
		"Which one?":                                                                                         {verbAnswer, "Which one?"},
		"Which one? It depends on the size.":                                                                 {verbAnswer, "Which one? It depends on the size."},
		"Which one do you mean?\n\n1. The crane\n2. The ferry":                                               {verbAsk, ""},
		"Which one do you mean? The crane or the ferry?":                                                     {verbAsk, ""},
		"Why? 1. It is cheap. 2. It is near.":                                                                {verbAnswer, "Why? 1. It is cheap. 2. It is near."},
		"  \nNOTFOUND":                                                                                       {verbNotFound, ""},
		"search_documents(\"the lathe\")":                                                                    {verbCall, ""},
		"search_documents {\"queries\": []}":                                                                 {verbCall, ""},
		"Just words.":                                                                                        {verbAnswer, "Just words."},
		"A":                                                                                                  {verbAnswer, "A"},
	} {
		k := newTalk(t, "")
		r := testRun(k, "x")
		r.route = routeChat
		g := r.newGate(context.Background())
		for i := range reply {
			if err := g.write(reply[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.finish(); err != nil {
			t.Fatal(err)
		}
		if g.verb != want.verb || k.emitted != want.text {
			t.Errorf("%q: %s %q", reply, g.verb, k.emitted)
		}
	}
}

// TestTextWithoutAFirstLineWaits for the beginning of its second block, which may be a call.
func TestTextWithoutAFirstLineWaits(t *testing.T) {
	const first = "The tide follows the moon."
	for second, want := range map[string]string{"The sun pulls": first, "search_mess": "", "": ""} {
		k := newTalk(t, "")
		r := testRun(k, "Why are there tides?")
		shown := ""
		r.emit = func(p Progress) { shown += p.Text }
		g := r.newGate(t.Context())
		for _, c := range first + "\n\n" + second {
			if err := g.write(string(c)); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasPrefix(shown, want) || want == "" && shown != "" {
			t.Errorf("before %q: %q is shown", second, shown)
		}
	}
}
