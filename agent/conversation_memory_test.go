package agent

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// remember takes a step about memory, and reports false for any other word. "date DAY" sets the clock, "wait TIME"
// moves it, "fold" has what lies outside the window summarised, "threshold N" sets the conversation's and does
// what is due then, "compact" what is due anyway. "edit OLD => NEW" and "erase TEXT" change the message that has
// first had a text, "remove NAME" a document. "dm NAME", "private NAME" and "public NAME" are other places. What must hold: "keeps TEXT" and "drops
// TEXT" of the snapshot, "segments N", "made-by METHOD" of the last segment, "verbatim N" and "stored N"
// messages, "requests N", which the model has had so far, "sent TEXT" and "unsent TEXT" of the last and "said-to-model TEXT" of any;
// "about TEXT" and "not-about TEXT" of the lines that say in an overview what the thread is about.
// "window N counting X", before the model's script, is that of a model which counts X tokens for one of ours; "notes N" are N turns
// with a fold after each twenty, "folds N" how many folds were made. Of the requests since, "within" says that none may exceed the
// window with its answer, "learnt" that the model is known to count more.
// "rebuild" makes all segments again, "pin TEXT" pins facts. "fork TEXT" goes to a
// thread that goes on from a message.
func (k *talk) remember(n int, word, rest string) bool {
	k.t.Helper()
	ctx := context.Background()
	check := func(err error) {
		k.t.Helper()
		if err != nil {
			k.t.Fatalf("line %d: %v", n, err)
		}
	}
	number, _ := strconv.Atoi(rest)
	switch word {
	case "date":
		at, err := time.Parse(time.DateOnly, rest)
		check(err)
		k.now = at.Add(9 * time.Hour)
	case "wait":
		d, err := time.ParseDuration(rest)
		check(err)
		k.now = k.now.Add(d)
	case "fold":
		due, err := k.store.ScheduleCompaction(ctx, k.session.ID, "")
		check(err)
		if !due {
			k.t.Fatalf("line %d: nothing to fold", n)
		}
		k.compact()
	case "threshold":
		check(k.store.SetThreshold(ctx, k.session.ID, number))
		k.compact()
	case "compact":
		k.compact()
	case "rebuild": // all segments
		check(k.store.MarkSegmentsStale(ctx, k.session.ID))
		k.compact()
	case "window":
		size, counting, _ := strings.Cut(rest, " counting ")
		k.window, _ = strconv.Atoi(size)
		k.counting, _ = strconv.ParseFloat(counting, 64)
	case "notes":
		for i := range number {
			k.turn("Ada", fmt.Sprintf("Note %d: the %d crates of oranges in hall %d went to the harbour on lorry %d, and the driver asks for papers of all of them.", i, i*7, i%5, i*3), ChoiceNone)
			if i%20 == 19 {
				_, err := k.store.ScheduleCompaction(ctx, k.session.ID, "")
				check(err)
				k.compact()
			}
		}
	case "pin":
		facts, err := k.store.Facts(ctx, k.session.ID)
		check(err)
		for _, f := range facts {
			if strings.Contains(f.Text, rest) {
				_, err := k.store.PinFact(ctx, k.session.ID, f.ID)
				check(err)
			}
		}
	case "edit":
		old, text, _ := strings.Cut(rest, " => ")
		_, err := k.store.Queue.ReceiveEdit(ctx, memory.Incoming{Key: k.session.Key, EventID: fmt.Sprint("edit ", n)}, k.said(n, old).PlatformID, text)
		check(err)
		k.compact()
	case "erase":
		_, err := k.store.Queue.ReceiveErase(ctx, memory.Incoming{Key: k.session.Key, EventID: fmt.Sprint("erase ", n)}, k.said(n, rest).PlatformID)
		check(err)
		k.compact()
	case "remove":
		check(k.store.RemoveDocument(ctx, 0, k.documents[rest].ID))
		k.compact()
	case "fork":
		from := k.said(n, rest)
		key := k.session.Key
		k.thread++
		key.Thread = "t" + strconv.Itoa(k.thread)
		check(k.store.Fork(ctx, from.SessionID, from.ID, key))
		k.person("Ada")
	case "dm", "private", "public":
		k.enter(word, rest)
	default:
		return k.expectMemory(n, word, rest)
	}
	return true
}

func (k *talk) expectMemory(n int, word, rest string) bool {
	k.t.Helper()
	ctx := context.Background()
	number, _ := strconv.Atoi(rest)
	segments, err := k.store.Segments(ctx, k.session.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	st, err := k.store.Views.Status(ctx, k.session.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	ok := false
	var have any
	switch word {
	case "keeps", "drops":
		rendered := ""
		if sn, err := k.store.Snapshot(ctx, k.session.ID); err == nil && sn != nil {
			rendered = sn.Rendered
		}
		have, ok = rendered, strings.Contains(rendered, rest) == (word == "keeps")
	case "segments":
		have, ok = len(segments), len(segments) == number
	case "made-by":
		method := memory.SegmentMethod("")
		if len(segments) > 0 {
			method = segments[len(segments)-1].Method
		}
		have, ok = method, string(method) == rest
	case "verbatim":
		have, ok = st.Verbatim, st.Verbatim == number
	case "stored":
		have, ok = st.Verbatim+st.Compacted, st.Verbatim+st.Compacted == number
	case "about", "not-about": // a line of what an overview says
		lines, err := k.store.Views.Gist(ctx, k.session.ID)
		if err != nil {
			k.t.Fatal(err)
		}
		have, ok = lines, len(lines) <= 3 && slices.ContainsFunc(lines, func(l memory.GistLine) bool { return strings.Contains(l.Text, rest) }) == (word == "about")
	case "said-to-model": // in any request
		ok = slices.ContainsFunc(k.server.Requests(), func(r fakemodel.Request) bool { return strings.Contains(string(r.Body), rest) })
	case "sent", "unsent":
		requests := k.server.Requests()
		body := string(requests[len(requests)-1].Body)
		have, ok = body, strings.Contains(body, rest) == (word == "sent")
	case "folds":
		have, ok = len(st.Compactions), len(st.Compactions) == number
	case "within":
		largest := 0
		for _, r := range k.server.Requests()[1:] { // the first tells how it counts
			largest = max(largest, r.Cached+r.Uncached+r.MaxTokens)
		}
		have, ok = largest, largest <= k.window && largest > k.window*3/4
	case "learnt":
		l := model.LimitsOf(ctx, k.chain.Model)
		have, ok = l, l.Window < k.window
	case "requests":
		have, ok = len(k.server.Requests()), len(k.server.Requests()) == number
	default:
		return false
	}
	if !ok {
		k.t.Errorf("line %d: %s %s: have %v", n, word, rest, have)
	}
	return true
}

// compact does every compaction that can be worked on now.
func (k *talk) compact() {
	k.t.Helper()
	c := &Compactor{Store: k.store, Model: k.chain.Model, Name: k.chain.Name, Log: slog.New(slog.DiscardHandler)}
	for worked := true; worked; {
		var err error
		if worked, err = c.Next(context.Background(), "test"); err != nil {
			k.t.Fatal(err)
		}
	}
}

// said is the message that was first said with a text.
func (k *talk) said(n int, text string) *memory.Message {
	k.t.Helper()
	for _, m := range k.messages {
		if strings.Contains(m.Text, text) {
			return m
		}
	}
	k.t.Fatalf("line %d: nobody said %q", n, text)
	return nil
}

// enter goes on in another place: a channel and a thread of its own for each name.
func (k *talk) enter(kind, name string) {
	if k.places == nil {
		k.places = map[string]int{}
	}
	if k.places[name] == 0 {
		k.places[name] = len(k.places) + 1
	}
	k.kind, k.channel, k.thread = map[string]memory.ChannelKind{"dm": memory.DM, "private": memory.Private, "public": memory.Public}[kind], k.places[name], k.places[name]
	k.person("Ada")
}
