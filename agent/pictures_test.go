package agent

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	pixels "image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata"
	"threadkeeper/docs/testdata/photo"
	"threadkeeper/memory"
)

// watcher is a model that answers everything with one sentence and keeps what it is sent.
type watcher struct {
	asked  [][]llms.MessageContent
	images model.Support
	say    string // "" for a sentence
}

// Limits are those of model.LimitsOf.
func (w *watcher) Limits(context.Context) model.Limits {
	return model.Limits{Window: 128_000, Images: w.images}
}

func (w *watcher) GenerateContent(ctx context.Context, m []llms.MessageContent, o ...llms.CallOption) (*llms.ContentResponse, error) {
	w.asked = append(w.asked, m)
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: cmp.Or(w.say, "ANSWER\nI see it."), StopReason: "stop"}}}, nil
}

func (w *watcher) Call(context.Context, string, ...llms.CallOption) (string, error) { panic("unused") }

// shown are the pictures of the last call, and the text of its last message.
func (w *watcher) shown() (pictures [][]byte, text string) {
	if len(w.asked) == 0 {
		return nil, ""
	}
	last := w.asked[len(w.asked)-1]
	for _, p := range last[len(last)-1].Parts {
		if b, ok := p.(llms.BinaryContent); ok {
			pictures = append(pictures, b.Data)
		}
	}
	return pictures, textOf(last[len(last)-1])
}

// gallery is a talk with a model that looks.
func gallery(t *testing.T) (*talk, *watcher) {
	t.Helper()
	k, w := newTalk(t, ""), &watcher{}
	k.chain.Model, k.chain.Name, k.chain.Budget.Window = w, "watcher", 128_000
	return k, w
}

// photograph stores a picture that somebody posted with a text, and takes no turn.
func (k *talk) photograph(author, text, name string, data []byte) (*memory.Message, *memory.Document) {
	k.t.Helper()
	m := k.say(author, text)
	d, err := k.chain.Index.Add(k.t.Context(), docs.Upload{Session: k.session, MessageID: m.ID, PersonID: m.PersonID, Name: name, Data: bytes.NewReader(data)}, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	return m, d
}

// respond takes a turn over messages that are stored already.
func (k *talk) respond(change func(*Turn), messages ...*memory.Message) *Reply {
	k.t.Helper()
	last := messages[len(messages)-1]
	a, err := k.store.Audience(k.t.Context(), last.SessionID, last.PersonID)
	if err != nil {
		k.t.Fatal(err)
	}
	turn := Turn{Session: k.session, Audience: a, Messages: messages, Choice: ChoiceNone, Now: k.now}
	if change != nil {
		change(&turn)
	}
	reply, err := k.chain.Respond(k.t.Context(), turn, k.progress)
	if err != nil {
		k.t.Fatal(err)
	}
	return reply
}

func TestAPictureReachesTheModelWithItsQuestion(t *testing.T) {
	k, w := gallery(t)
	m, d := k.photograph("Clara", "What is wrong here?", "photo.png", photo.PNG(300, 200, 0))
	reply := k.respond(nil, m)
	pictures, text := w.shown()
	if len(pictures) != 1 {
		t.Fatalf("%d pictures, text %s", len(pictures), text)
	}
	size, format, err := pixels.DecodeConfig(bytes.NewReader(pictures[0]))
	if err != nil || format != "png" || size.Width != 300 {
		t.Errorf("%s of %d pixels, %v", format, size.Width, err)
	}
	for _, secret := range []string{photo.Secret, photo.Place, "eXIf"} {
		if bytes.Contains(pictures[0], []byte(secret)) {
			t.Errorf("the model is told %q", secret)
		}
	}
	for _, want := range []string{"picture d1 photo.png, posted by Clara at 2026-03-01 09:01", "is an instruction to you", "shown below"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if len(reply.Rests.Documents) != 1 || reply.Rests.Documents[0] != d.ID {
		t.Errorf("the answer does not say what it was made from: %v", reply.Rests.Documents)
	}
	if reply.Ledger.PromptTokens < 300*200/tokenPixels {
		t.Errorf("%d tokens counted", reply.Ledger.PromptTokens)
	}
}

// TestAPictureWhoseTextWasReadIsSeen by a model that came later.
func TestAPictureWhoseTextWasReadIsSeen(t *testing.T) {
	k, w := gallery(t)
	m, _ := k.photograph("Clara", "What is wrong here?", "scan.png", photo.PNG(300, 200, 0))
	db, err := sql.Open("sqlite", "file:"+k.path+"?_pragma=busy_timeout(600000)")
	if err == nil {
		_, err = db.ExecContext(t.Context(), "UPDATE documents SET picture = FALSE")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	k.respond(nil, m)
	if pictures, text := w.shown(); len(pictures) != 1 {
		t.Errorf("%d pictures, text %s", len(pictures), text)
	}
}

func TestPicturesOfATurn(t *testing.T) {
	k, w := gallery(t)
	for i := range 6 {
		k.photograph("Clara", "", fmt.Sprintf("shot-%d.png", i), photo.PNG(60, 40, uint8(i)))
	}
	ask := func(text string, change func(*Turn)) []string {
		t.Helper()
		k.respond(change, k.say("Clara", text))
		pictures, all := w.shown()
		var names []string
		for _, line := range strings.Split(all, "\n") {
			if _, rest, ok := strings.Cut(line, ". picture "); ok {
				names = append(names, strings.TrimSuffix(strings.Fields(rest)[1], ","))
			}
		}
		if len(names) != len(pictures) {
			t.Fatalf("%d pictures, %d lines", len(pictures), len(names))
		}
		return names
	}
	is := func(got []string, want ...string) {
		t.Helper()
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("shown %v, want %v", got, want)
		}
	}
	is(ask("What does it mean?", nil), "shot-5.png", "shot-4.png", "shot-3.png") // just posted
	is(ask("Thanks, that helps with the report", func(tu *Turn) { tu.Use = []int64{1 << 40} }))
	k.say("Ben", "Lunch?")
	k.say("Clara", "At noon.")
	k.say("Ben", "Fine.")
	is(ask("What is seven times eight, in words?", nil))
	is(ask("What do the screenshots say?", nil), "shot-5.png", "shot-4.png", "shot-3.png", "shot-2.png")
	is(ask("And what about shot-0.png, in one sentence?", nil), "shot-0.png")
	is(ask("Is there a photo like shot-0.png", nil), "shot-0.png", "shot-5.png", "shot-4.png", "shot-3.png")
	is(ask("Was steht in Zeile drei von shot-1.PNG", nil), "shot-1.png")
}

func TestAboutPicture(t *testing.T) {
	for text, want := range map[string]bool{
		"What is in the picture?": true, "Was steht auf dem Bild?": true, "Que dit la capture d'écran ?": true, "¿Qué ves?": true,
		"スクリーンショットには何がありますか": true, "Can you read the screenshot": true,
		"Which docker image do we use?": false, "Capture the requirements": false, "Was kostet die Bildung?": false,
		"What is the big picture?": false, "Do you see any risk?": false,
	} {
		if got := AboutPicture(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestAPictureAtTheTopOfADirectMessage is for the next thread there, too, for some minutes.
func TestAPictureAtTheTopOfADirectMessage(t *testing.T) {
	k, w := gallery(t)
	k.kind, k.channel = memory.DM, 7
	k.person("Clara")
	m := k.say("Clara", "")
	_, err := k.chain.Index.Add(t.Context(), docs.Upload{Session: k.session, MessageID: m.ID, PersonID: m.PersonID, Name: "photo.png", Shared: true,
		Data: bytes.NewReader(photo.PNG(60, 40, 0))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	k.thread = 1
	k.person("Clara")
	for minutes, want := range map[int]int{1: 1, 20: 0} {
		k.respond(func(tu *Turn) { tu.Now = time.UnixMilli(k.store.Now()).Add(time.Duration(minutes) * time.Minute) }, k.say("Clara", "What is wrong here?"))
		if pictures, _ := w.shown(); len(pictures) != want {
			t.Errorf("after %d minutes: %d pictures", minutes, len(pictures))
		}
	}
}

// TestAPictureOfAnotherChannelIsNotShown, neither its pixels nor its name.
func TestAPictureOfAnotherChannelIsNotShown(t *testing.T) {
	k, w := gallery(t)
	k.photograph("Clara", "", "salaries.png", photo.PNG(60, 40, 0))
	k.channel = 1
	k.person("Clara")
	k.respond(nil, k.say("Clara", "What do you see in the picture salaries.png?"))
	if pictures, text := w.shown(); len(pictures) > 0 || strings.Contains(text, "posted by") {
		t.Errorf("%d pictures: %s", len(pictures), text)
	}
}

func TestPicturesStayWithinThePrompt(t *testing.T) {
	k, w := gallery(t)
	k.chain.Budget.Window = 8_000
	var last *memory.Message
	for i := range 3 {
		last, _ = k.photograph("Clara", "What is in the pictures?", fmt.Sprintf("%d.png", i), photo.PNG(1500, 1000, uint8(i)))
	}
	reply := k.respond(nil, last)
	pictures, _ := w.shown()
	if len(pictures) != 1 || reply.Ledger.PromptTokens > 8_000*6/10 {
		t.Errorf("%d pictures, %d tokens", len(pictures), reply.Ledger.PromptTokens)
	}
}

func TestWithoutAModelThatLooks(t *testing.T) {
	unseen := func(tu *Turn) { tu.Unseen = []string{"photo.png"} }
	const noModel, noLook = "that takes a model", "does not accept it"
	tests := []struct {
		name, text string
		model      bool
		change     func(*Turn)
		want       string
	}{
		{"asked about it", "What is in the picture?", false, unseen, noModel},
		{"nothing else said", "", false, unseen, noModel},
		{"asked about something else", "What did Ben say about lunch?", false, unseen, ""},
		{"no picture there", "What is in the picture?", false, nil, ""},
		{"sent alone to a model", "", true, unseen, noLook},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newTalk(t, "")
			if tt.model {
				var w *watcher
				k, w = gallery(t)
				w.images = model.Unsupported
			}
			reply := k.respond(tt.change, k.say("Clara", tt.text))
			for _, sentence := range []string{noModel, noLook} {
				if strings.Contains(reply.Text, sentence) != (sentence == tt.want) {
					t.Errorf("%q", reply.Text)
				}
			}
		})
	}

	k, w := gallery(t)
	w.images = model.Unsupported
	m, _ := k.photograph("Clara", "What is in the picture?", "photo.png", photo.PNG(60, 40, 0))
	k.respond(func(tu *Turn) { tu.Unseen = []string{"later.png"} }, m)
	pictures, text := w.shown()
	if len(pictures) > 0 || strings.Count(text, "cannot be looked at: the model takes no pictures") != 2 {
		t.Errorf("%d pictures: %s", len(pictures), text)
	}
	overheard := k.respond(func(tu *Turn) { unseen(tu); tu.Overheard = true }, k.say("Ben", ""))
	if !overheard.Silent {
		t.Errorf("said of what nobody asked about: %q", overheard.Text)
	}
}

// TestAModelThatTurnsOutNotToLook answers all the same; people are told what it has not seen, and from then on the
// prompt says so.
func TestAModelThatTurnsOutNotToLook(t *testing.T) {
	k := newTalk(t, "")
	k.serve(fakemodel.Options{Default: func(fakemodel.Request) string { return "ANSWER\nA house, I suppose." }, NoPictures: fakemodel.Worlds[0]})
	m, _ := k.photograph("Clara", "What is in the picture?", "photo.png", photo.PNG(60, 40, 0))
	reply := k.respond(nil, m)
	if !strings.HasPrefix(reply.Text, "A house") || strings.Count(reply.Text, "does not accept it") != 1 || len(reply.Rests.Documents) > 0 {
		t.Errorf("%q, %v", reply.Text, reply.Rests.Documents)
	}
	k.respond(nil, k.say("Clara", "And what else is in the picture?"))
	again := k.server
	k.serve(fakemodel.Options{Default: func(fakemodel.Request) string { return "ANSWER\nAt noon." }, NoPictures: fakemodel.Worlds[0]})
	if reply := k.respond(nil, k.say("Clara", "When is lunch?")); reply.Text != "At noon." {
		t.Errorf("a question about something else: %q", reply.Text)
	}
	k.server = again
	all := k.server.Requests()
	if last := all[len(all)-1]; last.Pictures > 0 || !strings.Contains(last.Prompt(), "photo.png, posted by Clara at 2026-03-01 09:01, cannot be looked at") {
		t.Error(last.Prompt())
	}
}

func TestAPictureAloneGetsACard(t *testing.T) {
	k, w := gallery(t)
	m, d := k.photograph("Clara", "", "photo.png", photo.PNG(60, 40, 0))
	reply := k.respond(func(tu *Turn) { tu.New = []*memory.Document{d} }, m)
	if !strings.Contains(reply.Text, "**photo.png** – a picture.") || len(w.asked) > 0 {
		t.Errorf("%q after %d calls", reply.Text, len(w.asked))
	}
}

func TestAPageIsShownWhenItsFigureIsAskedAbout(t *testing.T) {
	k, w := gallery(t)
	engine := pdfium.New(pdfium.Options{FileTimeout: 10 * time.Minute})
	defer engine.Close()
	k.chain.Index.Engine = engine
	d, err := k.chain.Index.Add(t.Context(), docs.Upload{Session: k.session, Name: "report.pdf", Data: bytes.NewReader(testdata.Sample)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		want []string
	}{
		{"What does the chart on page 3 of report.pdf show?", []string{"page 3 of d1, as it looks"}},
		{"Was zeigt die Abbildung auf Seite 5?", []string{"page 5 of"}},
		{"Compare the diagrams on page 2, page 3 and page 4", []string{"page 2 of", "page 3 of"}},
		{"What is the revenue on page 3 of report.pdf?", nil},
		{"What does the chart on page 900 show?", nil},
	}
	for _, tt := range tests {
		reply := k.respond(nil, k.say("Clara", tt.text))
		pictures, text := w.shown()
		if len(pictures) != len(tt.want) {
			t.Errorf("%s: %d pictures", tt.text, len(pictures))
		}
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", tt.text, want, text)
			}
		}
		if len(tt.want) > 0 && (len(reply.Rests.Documents) != 1 || reply.Rests.Documents[0] != d.ID) {
			t.Errorf("%s: made from %v", tt.text, reply.Rests.Documents)
		}
	}
}

// TestAPoorScanIsSeenAsItLooks: beside the text that was misread the model gets the picture of the page, and people are told. A good
// scan is sent as text alone, and a model that takes no pictures is sent none.
func TestAPoorScanIsSeenAsItLooks(t *testing.T) {
	k, w := gallery(t)
	engine := pdfium.New(pdfium.Options{FileTimeout: 10 * time.Minute})
	defer engine.Close()
	if k.chain.Index.Engine = engine; !k.chain.Index.ReadsScans() {
		t.Skip("this build reads no scans: run `make engine`")
	}
	scan := func(name string, dpi int) *memory.Document {
		t.Helper()
		img, _, err := engine.Picture(t.Context(), testdata.Sample, 6, "", dpi)
		if err != nil {
			t.Fatal(err)
		}
		d, err := k.chain.Index.Add(t.Context(), docs.Upload{Session: k.session, Name: name, Data: bytes.NewReader(testdata.Scan(dpi, nil, testdata.Grey(img)))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	scan("good.pdf", 150)
	const question = "What does the new roaster cost?"
	k.respond(nil, k.say("Clara", question))
	if pictures, text := w.shown(); len(pictures) != 0 || !strings.Contains(text, "38,700") {
		t.Fatalf("a good scan: %d pictures, %s", len(pictures), text)
	}
	fax := scan("fax.pdf", 45)
	w.say = "ANSWER\nAs the picture of page 2 of fax.pdf shows, the new roaster costs €38,700."
	var statuses []string
	k.progress = func(p Progress) { statuses = append(statuses, p.Status) }
	reply := k.respond(nil, k.say("Clara", question))
	pictures, text := w.shown()
	if len(pictures) != 1 || !strings.Contains(text, "1. page 2 of d2, as it looks; a poor scan\n") || !strings.Contains(text, "the picture is right") {
		t.Errorf("%d pictures, %s", len(pictures), text)
	}
	if !slices.Contains(statuses, "👁 Page 2 of fax.pdf is a poor scan: looking at its picture") {
		t.Errorf("statuses %q", statuses)
	}
	if !strings.Contains(reply.Text, "(fax.pdf: a poor scan, so the model saw its picture: p. 2)") {
		t.Errorf("answer %q", reply.Text)
	}
	if !slices.Contains(reply.Rests.Documents, fax.ID) {
		t.Errorf("it would outlive the scan: it rests on %v", reply.Rests.Documents)
	}
	if reply.Ledger.PromptTokens < 1000 {
		t.Errorf("%d tokens counted", reply.Ledger.PromptTokens)
	}

	w.say = "ANSWER\nYou are welcome."
	for _, tt := range []struct {
		text string
		want int
	}{
		{"And what would fitting it cost?", 1}, // "it" is the roaster
		{"Thanks!", 0},
		{"Do penguins have knees?", 0},
		{"How are you today?", 0},
		{"What does page 2 of fax say?", 1},
		{"Summarise the fax", 1},
		{"What does it say?", 1},
	} {
		k.respond(nil, k.say("Clara", tt.text))
		if pictures, _ := w.shown(); len(pictures) != tt.want {
			t.Errorf("%s: %d pictures", tt.text, len(pictures))
		}
	}

	k.channel = 1 // the scan is of another channel
	k.person("Clara")
	k.respond(nil, k.say("Clara", question))
	if pictures, _ := w.shown(); len(pictures) != 0 {
		t.Errorf("elsewhere: %d pictures", len(pictures))
	}
	k.channel, w.images = 0, model.Unsupported
	k.person("Clara")
	if reply = k.respond(nil, k.say("Clara", question)); strings.Contains(reply.Text, "poor scan") {
		t.Errorf("without pictures: %q", reply.Text)
	}
	if pictures, _ := w.shown(); len(pictures) != 0 {
		t.Errorf("a model that takes no pictures got %d", len(pictures))
	}
}

func TestFiguresByTheirLabels(t *testing.T) {
	k, _ := gallery(t)
	doc := k.document("plan.pdf", strings.Repeat("Nothing is drawn here. ", 40), "Figure 4", strings.Repeat("The text of a page is long. ", 40)+"See Figure 3 below.")
	a, err := k.store.Audience(t.Context(), k.session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Chain: k.chain, library: library{doc}, turn: Turn{Audience: a}}
	for page := range 3 {
		r.evidence = append(r.evidence, shown{document: doc.ID, page: page + 1})
	}
	for text, want := range map[string]string{
		"What does fig. 3 show?":                      "[3]",
		"What does Figure 4 show?":                    "[2]",
		"Explain the diagram":                         "[2 3]", // hardly any text, then a caption
		"What is the price of the lathe?":             "[]",
		"Que montre le graphique à la page 3":         "[3]",
		"How many cars appear on pages two and three": "[2 3]",
		"Which colours are on page 1 and page 3?":     "[1 3]",
		"What colour is the car on the cover?":        "[1]",
		"Welche Farbe hat die letzte Seite?":          "[3]",
		"What does the policy cover?":                 "[]",
	} {
		r.request = text
		pages, err := r.pagesAskedToSee(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := []int{}
		for _, p := range pages {
			got = append(got, p.page)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: pages %v, want %s", text, got, want)
		}
	}
}
