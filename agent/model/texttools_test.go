package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

var twoTools = []llms.Tool{
	{Function: &llms.FunctionDefinition{Name: "search_documents", Description: "Finds passages.", Parameters: json.RawMessage(`{"properties": {"queries": {"type": "array"}}, "type": "object"}`)}},
	{Function: &llms.FunctionDefinition{Name: "list_documents", Description: "Lists documents.", Parameters: json.RawMessage(`{"properties": {}, "type": "object"}`)}},
}

var families = []string{"gpt-4o", "claude-sonnet-4-5"}

// at opens a model of either family at a fake.
func at(t *testing.T, s *fakemodel.Server, name string) llms.Model {
	return open(t, Options{Model: name, OpenAIBaseURL: s.URL(), AnthropicBaseURL: s.URL(), Retries: -1})
}

// called writes the tool calls of a response as lines.
func called(r *llms.ContentResponse) string {
	var lines []string
	for _, c := range r.Choices[0].ToolCalls {
		lines = append(lines, c.FunctionCall.Name+" "+c.FunctionCall.Arguments)
	}
	return strings.Join(lines, "\n")
}

func TestToolCalls(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		calls []fakemodel.Call
	}{
		{"one", "", []fakemodel.Call{{Name: "search_documents", Arguments: `{"queries":["a b"]}`}}},
		{"several", "", []fakemodel.Call{{Name: "search_documents", Arguments: `{"queries":["a"]}`}, {Name: "list_documents", Arguments: `{}`}}},
		{"after a text", "Let me look that up.", []fakemodel.Call{{Name: "list_documents", Arguments: `{}`}}},
		{"broken", "", []fakemodel.Call{{Name: "search_documents", Arguments: `{"queries":["a`}}},
	}
	for _, name := range families {
		for _, test := range tests {
			t.Run(name+" "+test.name, func(t *testing.T) {
				s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Say: test.text, Calls: test.calls}}})
				var want []string
				for _, c := range test.calls {
					want = append(want, c.Name+" "+c.Arguments)
				}
				var streamed strings.Builder
				resp, err := at(t, s, name).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), llms.WithMaxTokens(500), into(&streamed))
				if err != nil || called(resp) != strings.Join(want, "\n") || resp.Choices[0].StopReason != "tool_calls" {
					t.Fatalf("%v %+v", err, resp)
				}
				if streamed.String() != test.text || Text(resp) != test.text {
					t.Errorf("streamed %q, text %q", streamed.String(), Text(resp))
				}
				if got := s.Requests()[0].Tools; !slices.Equal(got, []string{"search_documents", "list_documents"}) {
					t.Errorf("tools sent: %q", got)
				}
			})
		}
	}
}

// In the last round the tools are still listed, so that the prompt keeps its beginning, and forbidden.
func TestToolsForbidden(t *testing.T) {
	for _, name := range families {
		s := fake(t, fakemodel.Options{Script: say("ANSWER\nSix.")})
		if _, err := at(t, s, name).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), llms.WithToolChoice("none")); err != nil {
			t.Fatal(err)
		}
		if r := s.Requests()[0]; r.ToolChoice != "none" || len(r.Tools) != 2 {
			t.Errorf("%s: %s", name, r.Body)
		}
	}
}

// An endpoint that refuses tools gets them as text: one refused request in the life of the model, and the same calls.
func TestToolsRefused(t *testing.T) {
	for _, world := range fakemodel.Worlds {
		for _, name := range families {
			t.Run(string(world)+" "+name, func(t *testing.T) {
				script := []fakemodel.Rule{
					{Nth: 1, Calls: []fakemodel.Call{{Name: "search_documents", Arguments: `{"queries":["a"]}`}, {Name: "list_documents", Arguments: `{}`}}},
					{Say: "ANSWER\nSix of them."},
				}
				s := fake(t, fakemodel.Options{Script: script, NoTools: world})
				m := at(t, s, name)
				var streamed strings.Builder
				resp, err := m.GenerateContent(t.Context(), hello, llms.WithTools(twoTools), into(&streamed))
				if err != nil || called(resp) != "search_documents {\"queries\":[\"a\"]}\nlist_documents {}" {
					t.Fatalf("%v %+v", err, resp)
				}
				if streamed.Len() > 0 || Text(resp) != "" || resp.Choices[0].StopReason != "tool_calls" || resp.Choices[0].ToolCalls[0].ID == "" {
					t.Errorf("streamed %q, %+v", streamed.String(), resp.Choices[0])
				}
				resp, err = m.GenerateContent(t.Context(), hello, llms.WithTools(twoTools), llms.WithToolChoice("none"), into(&streamed))
				if err != nil || Text(resp) != "ANSWER\nSix of them." || streamed.String() != Text(resp) {
					t.Fatalf("%v %q", err, streamed.String())
				}
				r := s.Requests() // without the refused one
				if len(r) != 2 || len(r[1].Tools) > 0 || r[1].ToolChoice != "" {
					t.Fatalf("%d requests were accepted, the last %s", len(r), r[len(r)-1].Body)
				}
				if r[0].System() != r[1].System() || !strings.HasPrefix(r[0].System(), "Be short.") || !strings.Contains(r[0].System(), `- search_documents: Finds passages. {"properties":{"queries":{"type":"array"}},"type":"object"}`) {
					t.Errorf("system text %q, then %q", r[0].System(), r[1].System())
				}
				if !strings.HasPrefix(r[0].User(), "hi there") || !strings.HasSuffix(strings.TrimPrefix(r[1].User(), r[0].User()), noMoreTools) || strings.Contains(r[0].User(), noMoreTools) {
					t.Errorf("request %q, then %q", r[0].User(), r[1].User())
				}
			})
		}
	}
}

// The fallback may be another kind of server: each has its own form.
func TestToolFormIsTheEndpoints(t *testing.T) {
	down := fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 503, Times: 1}
	calls := []fakemodel.Call{{Name: "list_documents", Arguments: `{}`}}
	s := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Nth: 2, Calls: calls, Fault: down}, {Calls: calls}}, NoTools: fakemodel.Ollama})
	other := fake(t, fakemodel.Options{Script: []fakemodel.Rule{{Calls: calls}}})
	m := open(t, Options{Fallback: "claude-haiku-4-5", OpenAIBaseURL: s.URL(), AnthropicBaseURL: other.URL(), Retries: -1})
	for range 3 {
		resp, err := m.GenerateContent(t.Context(), hello, llms.WithTools(twoTools))
		if err != nil || called(resp) != "list_documents {}" {
			t.Fatalf("%v %+v", err, resp)
		}
	}
	if r := other.Requests(); len(r) != 1 || len(r[0].Tools) != 2 || strings.Contains(r[0].System(), "search_documents") {
		t.Errorf("the fallback was sent %s", r[0].Body)
	}
}

func TestTheFormIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	s := fake(t, fakemodel.Options{Script: say("ok"), NoTools: fakemodel.LlamaCpp, NoPictures: fakemodel.LlamaCpp})
	m := open(t, Options{OpenAIBaseURL: s.URL(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 3 {
		if _, err := m.GenerateContent(t.Context(), look, llms.WithTools(twoTools)); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Count(log.String(), "takes no tools") != 1 || strings.Count(log.String(), "takes no pictures") != 1 {
		t.Error(log.String())
	}
}

// Tools stay native where something else was refused.
func TestToolsAreNotBlamedForOtherThings(t *testing.T) {
	for _, refuse := range [][]string{{"max_completion_tokens"}, {"stream_options"}, {"tool_choice"}} {
		s := fake(t, fakemodel.Options{Script: say("ok"), Refuse: refuse})
		_, err := once(t, s.URL()).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), llms.WithToolChoice("none"), llms.WithMaxTokens(9), into(&strings.Builder{}))
		if err != nil {
			t.Fatalf("%v: %v", refuse, err)
		}
		r := s.Requests()[0]
		if len(r.Tools) != 2 || strings.Contains(r.User(), noMoreTools) != (refuse[0] == "tool_choice") {
			t.Errorf("%v: %s", refuse, r.Body)
		}
	}
}

func TestCallsWrittenAsText(t *testing.T) {
	const search = `search_documents {"queries":["a"]}`
	tests := []struct{ reply, calls, said string }{
		{search, search, ""},
		{"\n " + search + "\n", search, ""},
		{search + "\nlist_documents {}", search + "\nlist_documents {}", ""},
		{search + "\n\nI found: six.", search, ""},
		{search + " list_documents", search + "\nlist_documents {}", ""},
		{"list_documents", "list_documents {}", ""},
		{"list_documents()\n", "list_documents {}", ""},
		{`search_documents({"queries":["a"]})`, search, ""},
		{`search_documents: {"queries":["a"]}`, search, ""},
		{"```json\n" + search + "\n```", search, ""},
		{"```\n" + search + "\n```", search, ""},
		{"`" + search + "`", search, ""},
		{"search_documents {\n \"queries\": [\"a\"]\n}\n", "search_documents {\n \"queries\": [\"a\"]\n}", ""},
		{`search_documents {"queries":["a"`, `search_documents {"queries":["a"`, ""},
		{"search_documents {\"queries\":[\"a\"\nlist_documents {}", "search_documents {\"queries\":[\"a\"\nlist_documents {}", ""},
		{`{"name": "search_documents", "arguments": {"queries":["a"]}}`, search, ""},
		{"<tool_call>\n{\"name\": \"search_documents\", \"arguments\": {\"queries\":[\"a\"]}}\n</tool_call>\n<tool_call>{\"name\": \"list_documents\"}</tool_call>", search + "\nlist_documents {}", ""},
		{`{"name": "search_documents", "parameters": "{\"queries\":[\"a\"]}"}`, search, ""},
		{`<function=search_documents>{"queries":["a"]}</function>`, search, ""},

		{"ANSWER\nSix.", "", "ANSWER\nSix."},
		{"ANSWER\n" + search, "", "ANSWER\n" + search},
		{"search_documents is the tool for that.", "", "search_documents is the tool for that."},
		{"search_documentsx {}", "", "search_documentsx {}"},
		{"search_doc", "", "search_doc"},
		{"list_documents\nwould show them.", "list_documents {}", ""},
		{`{"a": 1}`, "", `{"a": 1}`},
		{"{braces} first", "", "{braces} first"},
		{`{"name": "another_tool", "arguments": {}}`, "", `{"name": "another_tool", "arguments": {}}`},
		{"```go\nfunc main() {}\n```", "", "```go\nfunc main() {}\n```"},
		{"`x` is a name.", "", "`x` is a name."},
		{"<table></table>", "", "<table></table>"},
		{"The list: search_documents {}", "", "The list: search_documents {}"},
	}
	for _, test := range tests {
		for size := 1; size <= len(test.reply)+4; size += 5 {
			c := newTextCalls(twoTools)
			said := ""
			for rest := test.reply; rest != ""; {
				n := min(size, len(rest))
				said += c.next(rest[:n])
				rest = rest[n:]
			}
			last, calls := c.end()
			said += last
			got := called(&llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: calls}}})
			if got != test.calls || said != test.said {
				t.Errorf("%q in pieces of %d: calls %q, said %q", test.reply, size, got, said)
			}
		}
	}
}

// What cannot become a call is not held back.
func TestTextIsHeldBackNoLongerThanNeeded(t *testing.T) {
	for _, test := range []struct{ text, shown string }{
		{"A", "A"}, {"s", ""}, {"search_documents", ""}, {"search_documents ", ""}, {"search_documents o", "search_documents o"},
		{"```", ""}, {"```js", ""}, {"```json\n", ""}, {"```json\n{\"a", "```json\n{\"a"}, {"```python\nx", "```python\nx"}, {"```py", "```py"},
		{"`sea", ""}, {"`x`", "`x`"}, {"{ \"na", ""}, {"{\"name\": \"search_documents\", ", ""}, {"{\"name\": \"Ann", "{\"name\": \"Ann"}, {"{x", "{x"}, {"<tool_call>\n", ""},
		{"sea l", "sea l"}, {"", ""}, {"\n", ""}, {"<t", ""}, {"<ta", "<ta"},
	} {
		if got := newTextCalls(twoTools).next(test.text); got != test.shown {
			t.Errorf("%q: shown %q, want %q", test.text, got, test.shown)
		}
	}
	if got := newTextCalls(nil).next("search_documents {}"); got != "search_documents {}" {
		t.Errorf("without tools: %q", got)
	}
}

// Models write the text form to endpoints with native tools, too.
func TestTextFormFromANativeEndpoint(t *testing.T) {
	for _, name := range families {
		s := fake(t, fakemodel.Options{Script: say("list_documents {}\nI will look.")})
		var streamed strings.Builder
		resp, err := at(t, s, name).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), into(&streamed))
		if err != nil || called(resp) != "list_documents {}" || streamed.Len() > 0 || Text(resp) != "" || resp.Choices[0].StopReason != "tool_calls" {
			t.Errorf("%s: %v %+v, streamed %q", name, err, resp, streamed.String())
		}
		if r := s.Requests()[0]; len(r.Tools) != 2 {
			t.Errorf("%s: %s", name, r.Body)
		}
	}
}

// A thought before a call is no text before it.
func TestCallAfterAThought(t *testing.T) {
	s := fake(t, fakemodel.Options{Script: say("<think>I should list them.</think>\nlist_documents {}"), NoTools: fakemodel.Ollama})
	resp, err := once(t, s.URL()).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), into(&strings.Builder{}))
	if err != nil || called(resp) != "list_documents {}" {
		t.Errorf("%v %+v", err, resp)
	}
}

// A refusal that has nothing to do with tools comes back as it was.
func TestRefusalWithToolsIsReturned(t *testing.T) {
	for i, status := range []int{400, 401, 404, 500} {
		s := fake(t, fails(fakemodel.Fault{Kind: fakemodel.HTTPError, Status: status, Body: `{"error":{"message":"nothing doing"}}`}, ""))
		m := once(t, s.URL())
		_, err := m.GenerateContent(t.Context(), hello, llms.WithTools(twoTools))
		e := failed(t, err, []Kind{BadRequest, Auth, NotFound, Overloaded}[i])
		if e.Message != "nothing doing" || m.(*chat).main.habits.get().textTools {
			t.Errorf("%d: %v", status, fmt.Sprint(e))
		}
	}
}
