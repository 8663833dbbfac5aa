package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platformtest/leaktest"
)

func TestMain(m *testing.M) { leaktest.Exit(m.Run()) }

func start(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s
}

// post sends a request body and returns status, headers and body; the error is that of reading the body.
func post(t *testing.T, url, body string) (*http.Response, string, error) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp, string(b), err
}

func ask(user string, more ...string) string {
	text, _ := json.Marshal(user)
	return `{"model":"gpt-4o","messages":[{"role":"system","content":"sys"},{"role":"user","content":` + string(text) + `}]` + strings.Join(more, "") + `}`
}

// said is the text of an unstreamed answer.
func said(t *testing.T, s *Server, user string) string {
	t.Helper()
	_, body, _ := post(t, s.URL()+"/chat/completions", ask(user))
	var out struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if json.Unmarshal([]byte(body), &out) != nil || len(out.Choices) != 1 {
		return "? " + body
	}
	return out.Choices[0].Message.Content
}

func TestRulesInOrder(t *testing.T) {
	s := start(t, Options{
		Script: []Rule{
			{Match: regexp.MustCompile("code"), Nth: 2, Say: "second"},
			{Match: regexp.MustCompile("code"), Times: 1, Say: "first"},
			{Match: regexp.MustCompile("code"), Reply: func(r Request) string { return "again: " + r.User() }},
			{On: "system", Match: regexp.MustCompile("other"), Say: "never"},
			{On: "prompt", Match: regexp.MustCompile(`(?s)sys.*everything`), Say: "all"},
		},
		Default: func(r Request) string { return "default" },
	})
	for _, test := range [][2]string{{"the code", "first"}, {"the code", "second"}, {"code", "again: code"}, {"everything", "all"}, {"else", "default"}} {
		if got := said(t, s, test[0]); got != test[1] {
			t.Errorf("%q: %q, want %q", test[0], got, test[1])
		}
	}
	r := s.Requests()
	if len(r) != 5 || r[3].User() != "everything" || r[3].System() != "sys" || r[3].Path != "/chat/completions" || r[0].At.After(r[4].At) {
		t.Errorf("recorded %+v", r)
	}
}

func TestUnexpected(t *testing.T) {
	s := start(t, Options{})
	resp, _, _ := post(t, s.URL()+"/chat/completions", ask("hi"))
	if u := s.Unexpected(); resp.StatusCode != 500 || len(u) != 1 || u[0].User() != "hi" {
		t.Errorf("%d, %+v", resp.StatusCode, u)
	}
}

func TestUsageByCounter(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "one two three"}}, Count: func(s string) int { return len(strings.Fields(s)) }})
	for _, body := range []string{ask("a b c d"), ask("a b c d", `,"stream":true,"stream_options":{"include_usage":true}`)} {
		if _, got, _ := post(t, s.URL()+"/chat/completions", body); !strings.Contains(got, `"usage":{"completion_tokens":3,"prompt_tokens":5,"total_tokens":8}`) {
			t.Errorf("%s", got)
		}
	}
	if _, got, _ := post(t, s.URL()+"/chat/completions", ask("a", `,"stream":true`)); strings.Contains(got, "usage") || strings.Count(got, `"content":"`) != 4 || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Errorf("stream without usage: %s", got)
	}
}

func TestValidation(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "ok"}}, Models: []string{"gpt-4o", "gpt-5", "o4-mini"}})
	schema := func(strict, rest string) string {
		return `,"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":` + strict + `,"schema":{"type":"object","properties":{"x":{"type":"string"}}` + rest + `}}}`
	}
	tests := []struct {
		body   string
		status int
		want   string
	}{
		{ask("hi"), 200, ""},
		{`{`, 400, "parse"},
		{`{"messages":[{"role":"user","content":"x"}]}`, 400, "model"},
		{`{"model":"gpt-4o","messages":[]}`, 400, "'messages'"},
		{`{"model":"gpt-4o","messages":[{"role":"bot","content":"x"}]}`, 400, "messages[0].role"},
		{`{"model":"gpt-4o","messages":[{"role":"user","content":null}]}`, 400, "messages[0].content"},
		{`{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"binary"}]}]}`, 400, "messages[0].content"},
		{`{"model":"gpt-4o","messages":[{"role":"assistant","content":null,"tool_calls":[]}]}`, 200, ""},
		{`{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"data:"}}]}]}`, 200, ""},
		{`{"model":"unknown","messages":[{"role":"user","content":"x"}]}`, 404, "model_not_found"},
		{`{"model":"gpt-5","messages":[{"role":"user","content":"x"}],"temperature":0}`, 400, "temperature"},
		{`{"model":"o4-mini","messages":[{"role":"user","content":"x"}],"max_tokens":5}`, 400, "max_completion_tokens"},
		{ask("x", `,"temperature":3`), 400, "temperature"},
		{ask("x", `,"foo":1`), 400, "foo"},
		{ask("x", `,"max_tokens":1,"max_completion_tokens":1`), 400, "same time"},
		{ask("x", `,"stream_options":{"include_usage":true}`), 400, "stream_options"},
		{ask("x", `,"response_format":{"type":"json_object"}`), 400, "json"},
		{ask("as JSON", `,"response_format":{"type":"json_object"}`), 200, ""},
		{ask("x", `,"response_format":{"type":"xml"}`), 400, "xml"},
		{ask("x", `,"response_format":{"type":"json_schema"}`), 400, "json_schema"},
		{ask("x", schema("false", "")), 200, ""},
		{ask("x", schema("true", "")), 400, "additionalProperties"},
		{ask("x", schema("true", `,"required":["x"],"additionalProperties":false`)), 200, ""},
	}
	for _, test := range tests {
		resp, body, _ := post(t, s.URL()+"/chat/completions", test.body)
		if resp.StatusCode != test.status || !strings.Contains(body, test.want) || test.status != 200 && !strings.HasPrefix(body, `{"error":{`) {
			t.Errorf("%s: %d %s, want %d with %q", test.body, resp.StatusCode, body, test.status, test.want)
		}
	}
}

func TestRefuseAndKeyAndModels(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "ok"}}, Refuse: []string{"max_completion_tokens", "json_object"}, Models: []string{"gpt-4o"}})
	for _, more := range []string{`,"max_completion_tokens":5`, `,"response_format":{"type":"json_object"}`} {
		if resp, body, _ := post(t, s.URL()+"/chat/completions", ask("json", more)); resp.StatusCode != 400 {
			t.Errorf("%s: %d %s", more, resp.StatusCode, body)
		}
	}
	resp, err := http.Get(s.URL() + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); !strings.Contains(string(b), `"id":"gpt-4o"`) {
		t.Errorf("models: %s", b)
	}
	locked := start(t, Options{Script: []Rule{{Say: "ok"}}, Key: "secret"})
	if resp, body, _ := post(t, locked.URL()+"/chat/completions", ask("x")); resp.StatusCode != 401 || len(locked.Requests()) != 0 {
		t.Errorf("no key: %d %s", resp.StatusCode, body)
	}
}

func TestFaults(t *testing.T) {
	const reply = `{"facts":["a","b"],"note":"n"}`
	stream := `,"stream":true`
	tests := []struct {
		fault  Fault
		more   string
		status int
		want   string // in the body
		broken bool   // the body ends with an error
	}{
		{Fault{Kind: HTTPError, Status: 503}, "", 503, "server_error", false},
		{Fault{Kind: HTTPError, Status: 418, Body: "teapot"}, "", 418, "teapot", false},
		{Fault{Kind: Cut, After: 8}, stream, 200, `{\"facts`, true},
		{Fault{Kind: ErrorEvent, After: 8}, stream, 200, `data: {"error"`, false},
		{Fault{Kind: ErrorEvent}, "", 200, `{"error"`, false},
		{Fault{Kind: Refusal}, "", 200, `"content":null,"refusal":"{`, false},
		{Fault{Kind: Refusal}, stream, 200, `"delta":{"refusal":"{`, false},
		{Fault{Kind: Truncated, After: 8}, "", 200, `"finish_reason":"length"`, false},
		{Fault{Kind: Truncated, After: 8}, stream, 200, `"finish_reason":"length"`, false},
		{Fault{Kind: Empty}, "", 200, `"choices":[]`, false},
	}
	for _, test := range tests {
		t.Run(string(test.fault.Kind)+test.more, func(t *testing.T) {
			test.fault.Times = 1
			s := start(t, Options{Script: []Rule{{Say: reply, Fault: test.fault}}})
			resp, body, err := post(t, s.URL()+"/chat/completions", ask("x", test.more))
			if resp.StatusCode != test.status || !strings.Contains(body, test.want) || (err != nil) != test.broken {
				t.Errorf("%d %s %v", resp.StatusCode, body, err)
			}
			if got := said(t, s, "x"); got != reply {
				t.Errorf("after the fault: %q", got)
			}
		})
	}
}

func TestRetryAfterHeaders(t *testing.T) {
	for _, test := range []struct {
		after          time.Duration
		seconds, milli string
	}{{2 * time.Second, "2", ""}, {30 * time.Millisecond, "", "30"}, {0, "", ""}} {
		s := start(t, Options{Script: []Rule{{Fault: Fault{Kind: HTTPError, Status: 429, RetryAfter: test.after}}}})
		resp, _, _ := post(t, s.URL()+"/chat/completions", ask("x"))
		if resp.Header.Get("Retry-After") != test.seconds || resp.Header.Get("Retry-After-Ms") != test.milli {
			t.Errorf("%v: %v", test.after, resp.Header)
		}
	}
}

func TestSlow(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "one two three", Fault: Fault{Kind: Slow, Delay: 20 * time.Millisecond}}}})
	begin := time.Now()
	_, body, err := post(t, s.URL()+"/chat/completions", ask("x", `,"stream":true`))
	if took := time.Since(begin); err != nil || took < 60*time.Millisecond || !strings.Contains(body, "[DONE]") {
		t.Errorf("%v %v %s", took, err, body)
	}
}

func TestCloseEndsAHangingCall(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Fault: Fault{Kind: Hang}}}})
	done := make(chan error)
	go func() {
		resp, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(ask("x")))
		if err == nil {
			resp.Body.Close()
		}
		done <- err
	}()
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Close()
	s.Close()
	select {
	case err := <-done:
		if err == nil {
			t.Error("the hanging call was answered")
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("still hanging")
	}
}

func TestConcurrent(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Times: 10, Say: "few"}, {Say: "many"}}})
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for range 25 {
		wg.Go(func() {
			text := said(t, s, "x")
			mu.Lock()
			defer mu.Unlock()
			got[text]++
		})
	}
	wg.Wait()
	if got["few"] != 10 || got["many"] != 15 || len(s.Requests()) != 25 {
		t.Errorf("%v", got)
	}
}

func TestMessagesAPI(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Match: regexp.MustCompile("hi"), Say: "ok then"}, {Fault: Fault{Kind: HTTPError, Status: 529}}}})
	body := func(user, more string) string {
		return `{"model":"claude","system":[{"type":"text","text":"sys"}],"messages":[{"role":"user","content":[{"type":"text","text":"` + user + `"}]}]` + more + `}`
	}
	for _, test := range []struct {
		body   string
		status int
		want   string
	}{
		{body("hi", `,"max_tokens":9`), 200, `"text":"ok then"`},
		{body("hi", `,"max_tokens":9,"stream":true`), 200, "event: message_stop\n"},
		{body("hi", ``), 400, "max_tokens"},
		{body("", `,"max_tokens":9`), 400, "non-empty"},
		{body("other", `,"max_tokens":9`), 529, `"type":"overloaded_error"`},
		{`{"model":"claude","max_tokens":9,"messages":[{"role":"assistant","content":"x"}]}`, 400, "first message"},
		{`{"model":"claude","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"system","content":"x"}]}`, 400, "system"},
	} {
		if resp, got, _ := post(t, s.URL()+"/messages", test.body); resp.StatusCode != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d %s", test.body, resp.StatusCode, got)
		}
	}
	if r := s.Requests()[0]; r.System() != "sys" || r.User() != "hi" || r.MaxTokens != 9 || r.Path != "/messages" {
		t.Errorf("%+v", r)
	}
}

func TestCallsInBothForms(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "Let me see.", Calls: []Call{{"find", `{"q":1}`}, {"list", `{}`}}}}})
	tools := `,"tools":[{"type":"function","function":{"name":"find"}},{"type":"function","function":{"name":"list"}}],"tool_choice":"auto"`
	_, body, _ := post(t, s.URL()+"/chat/completions", ask("go", tools))
	if !strings.Contains(body, `"arguments":"{\"q\":1}"`) || !strings.Contains(body, `"finish_reason":"tool_calls"`) || !strings.Contains(body, "Let me see.") {
		t.Errorf("native: %s", body)
	}
	if r := s.Requests()[0]; strings.Join(r.Tools, " ") != "find list" || r.ToolChoice != "auto" {
		t.Errorf("%+v", r)
	}
	if got := said(t, s, "go"); got != "find {\"q\":1}\nlist {}" {
		t.Errorf("as text: %q", got)
	}
	if resp, body, _ := post(t, s.URL()+"/chat/completions", ask("go", `,"tool_choice":"none"`)); resp.StatusCode != 400 {
		t.Errorf("a choice without tools: %s", body)
	}
}

func TestWorldsRefuse(t *testing.T) {
	for _, world := range Worlds {
		s := start(t, Options{Script: []Rule{{Say: "ok"}}, NoTools: world, NoPictures: world})
		for _, body := range []string{
			ask("go", `,"tools":[{"type":"function","function":{"name":"find"}}]`),
			`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]}`,
		} {
			if resp, answer, _ := post(t, s.URL()+"/chat/completions", body); resp.StatusCode < 400 || !strings.Contains(answer, "message") {
				t.Errorf("%s: %s", world, answer)
			}
		}
		if got := said(t, s, "go"); got != "ok" {
			t.Errorf("%s: %s", world, got)
		}
	}
}

// The tokens of a prompt that were sent before are counted, and reported as a service does.
func TestCachedPrefix(t *testing.T) {
	s := start(t, Options{Script: []Rule{{Say: "ok"}}})
	long := strings.Repeat("word ", 2_000)
	post(t, s.URL()+"/chat/completions", ask(long))
	_, body, _ := post(t, s.URL()+"/chat/completions", ask(long+"and more"))
	post(t, s.URL()+"/chat/completions", ask("another"))
	r := s.Requests()
	if r[0].Cached != 0 || r[1].Cached < 2_500 || r[2].Cached > 10 || !strings.Contains(body, `"cached_tokens":2432`) {
		t.Errorf("%d, %d, %d; %s", r[0].Cached, r[1].Cached, r[2].Cached, body)
	}
}
