package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest"
)

// patience bounds every wait for the program.
const patience = 10 * time.Minute

// outside is a chat service as its users see it, and what leads the program to it.
type outside struct {
	platformtest.Harness
	environ []string
	faults  []fault
	// connected tells whether the program, which has logged so much, listens.
	connected func(log string) bool
	// restarted lets time pass between two starts of the program.
	restarted func()
	// forgets says that a click or a command which the program did not keep before it was
	// killed is not delivered again: people see that it failed, and do it again.
	forgets bool
	// begun counts the connections that did not go on with the one before, nil where
	// that loses nothing: what people click until there is one is lost, and they do it
	// again.
	begun func() int
	// sources are what a post shows of its citations.
	sources func(at platformtest.Place, p platformtest.Post) string
	// violations are the requests so far that no correct program makes, and what was lost.
	violations func() []string
	// requests calls f, until the next call, before each request of the program is carried
	// out, with its name.
	requests func(f func(name string))
}

// fault is something that goes wrong in each step of a conversation.
type fault struct {
	name string
	arm  func()
}

// outsides are the chat services the program knows; each call of open is a new world.
var outsides = []struct {
	name string
	open func(t *testing.T) *outside
}{
	{"Slack", openSlack},
	{"SlackByHTTP", openSlackByHTTP},
	{"Discord", openDiscord},
}

// service is the program at work for a chat service, with a scripted model.
type service struct {
	*outside
	t     *testing.T
	dir   string
	model *fakemodel.Server

	stop func() // as a signal would; returns when the program has ended
	log  *loud
}

func newService(t *testing.T, open func(*testing.T) *outside) *service {
	t.Helper()
	m, err := fakemodel.Start(fakemodel.Options{Script: script(), Key: "sk-test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return &service{outside: open(t), t: t, dir: t.TempDir(), model: m}
}

func (s *service) settings() []string {
	return append([]string{"HOME=" + s.dir, "XDG_DATA_HOME=" + filepath.Join(s.dir, "data"), "CACHE_DIR=" + cacheDir(), "PATH=" + os.Getenv("PATH"),
		"MODEL=test-model", "JUDGE_MODEL=off", "MODEL_TIMEOUT=10m", "TURN_TIMEOUT=30m", "PDF_TIMEOUT=10m", "LOG_LEVEL=debug", "PDF_WORKERS=1", "OPENAI_BASE_URL=" + s.model.URL(), "OPENAI_API_KEY=sk-test"}, s.environ...)
}

// start runs the program within the test.
func (s *service) start() {
	ctx, cancel := context.WithCancel(context.Background())
	s.log = &loud{}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve"}, system{In: strings.NewReader(""), Out: s.log, Err: s.log, Environ: s.settings(), Dir: s.dir})
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if code := <-ended; code != exitOK {
			s.t.Errorf("exit status %d: %s", code, s.log)
		}
		s.parted()
	})
	s.t.Cleanup(s.stop)
	s.listens()
}

// listens waits for the program to be connected.
func (s *service) listens() {
	s.t.Helper()
	if !platformtest.Await(func() bool { return s.connected(s.log.String()) }) {
		s.t.Fatalf("the program did not connect: %s", s.log)
	}
}

// parted waits until the outside has noticed that the program is gone: what happens there
// would be told to it, and be lost.
func (s *service) parted() {
	s.t.Helper()
	if !platformtest.Await(func() bool { return !s.connected(s.log.String()) }) {
		s.t.Fatal("the program ended and is connected")
	}
}

// launch runs the program as a process of its own. The function that is returned kills
// it, as a power failure would.
func (s *service) launch() (kill func()) {
	s.t.Helper()
	s.restarted()
	cmd := program(context.Background(), s.t, s.dir, "serve")
	cmd.Env = s.settings()
	s.log = &loud{}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	var killed atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := cmd.Wait(); !killed.Load() {
			s.t.Errorf("the program ended by itself: %v: %s", err, s.log)
		}
	}()
	kill = sync.OnceFunc(func() {
		killed.Store(true)
		_ = cmd.Process.Kill() // it may have ended
		<-ended
		s.parted()
	})
	s.t.Cleanup(kill)
	s.listens()
	return kill
}

// loud is what the program wrote.
type loud struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *loud) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *loud) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// posts waits for a condition of the posts that Ada sees.
func (s *service) posts(at platformtest.Place, what string, ok func([]platformtest.Post) bool) []platformtest.Post {
	s.t.Helper()
	var posts []platformtest.Post
	if !platformtest.Await(func() bool { posts = s.Posts(at, "Ada"); return ok(posts) }) {
		s.t.Fatalf("%s never came; posts: %+v\nmodel: %v\nlog: %s", what, posts, s.model.Unexpected(), s.log)
	}
	return posts
}

// script is what the model says: it knows the request, and the conversation only where
// its prompt has it.
func script() []fakemodel.Rule {
	request := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?is).*<request .*` + pattern) }
	say := func(pattern, text string) fakemodel.Rule {
		return fakemodel.Rule{Match: request(pattern), Say: "ANSWER\n" + text}
	}
	code := say("what is the alarm code", "")
	code.Reply = func(r fakemodel.Request) string {
		found := regexp.MustCompile(`boathouse is (QX-\d+)`).FindAllStringSubmatch(r.Prompt(), -1)
		if len(found) == 0 {
			return "ANSWER\nNobody told me the code."
		}
		return "ANSWER\nThe alarm code is " + found[len(found)-1][1] + "."
	}
	number := say(`repeat the number (\d+)`, "")
	number.Reply = func(r fakemodel.Request) string {
		all := number.Match.FindStringSubmatch(r.Prompt())
		return "ANSWER\nHere it is: " + all[1] + "."
	}
	gate := say(`gate code of house (\d+)`, "")
	gate.Reply = func(r fakemodel.Request) string {
		house := gate.Match.FindStringSubmatch(r.Prompt())[1]
		document := regexp.MustCompile(`(d\d+)[^\n]*note` + house).FindStringSubmatch(r.Prompt())
		if document == nil {
			return "NOTFOUND"
		}
		return fmt.Sprintf("ANSWER\nThe house %s has the code %s77 [%s p1 \"gate code of house %s is %s77\"].", house, house[3:], document[1], house, house[3:])
	}
	story := say("tell me a story", story)
	story.Fault = fakemodel.Fault{Kind: fakemodel.Slow, Delay: 10 * time.Millisecond}
	return []fakemodel.Rule{
		code, number, gate, story,
		say("introduce yourself", "I am the scripted assistant."),
		say("alarm code of the boathouse is", "I keep the code in mind."),
		say("new roaster", `It comes from Ferrum & Sons and costs €38,700 [d1 p6 "12-kilogram electric roaster from Ferrum & Sons for €38,700"].`),
		say("chosen: option 1, The lathe", "The lathe has two years."),
		say("door in the photo", "The door is red."),
		{Match: request("warranty"), Say: `ASK {"question": "Which machine's warranty do you mean?", "options": [{"label": "The lathe", "query": "How long is the warranty of the lathe?"}, {"label": "The press", "query": "How long is the warranty of the press?"}]}`},
		{Say: "All right."},
	}
}

// story is long enough to be streamed in several parts.
var story = strings.TrimSpace(strings.Repeat("Once upon a time a keeper of threads sat in a tower and wrote down what people said. ", 8)) + " That is the end of it."
