package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/config"
	"threadkeeper/memory"
)

var (
	canaryHistories = flag.Int("canaries", 0, "histories of TestCanaries on each platform, 0 for a few")
	canarySteps     = flag.Int("canary-steps", 40, "least steps of each history of TestCanaries")
)

// TestCanaries plays random histories over channels of every kind. Each thing said or shared
// holds a word that stands nowhere else, its canary. After each step no prompt of the model
// and nothing the program sent holds one that its readers may not see.
func TestCanaries(t *testing.T) {
	histories := *canaryHistories
	if histories == 0 {
		histories = 3
		if testing.Short() {
			t.Skip("long")
		}
	}
	seed := flag.Lookup("rapid.seed").Value.String()
	if *canaryHistories == 0 {
		seed = "17" // the few are always the same
	} else if seed == "0" {
		seed = strconv.FormatInt(time.Now().Unix(), 10)
	}
	t.Logf("-rapid.seed=%s", seed)
	settings := [][2]string{{"rapid.checks", strconv.Itoa(histories)}, {"rapid.steps", "10"}, {"rapid.seed", seed}, {"rapid.shrinktime", "60s"}, {"rapid.nofailfile", "true"}}
	for _, set := range settings {
		was := flag.Lookup(set[0]).Value.String()
		t.Cleanup(func() { _ = flag.Set(set[0], was) })
		if err := flag.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	for name, open := range map[string]func(*testing.T, *rapid.T) village{"Slack": slackVillage, "Discord": discordVillage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crossed, pages, ended := 0, 0, 0
			rapid.Check(t, func(rt *rapid.T) {
				h := keepCanaries(t, rt, open(t, rt))
				crossed, pages, ended = crossed+h.crossed, pages+h.pages, ended+1
				t.Logf("%d histories ended without a leak, played %08x", ended, h.played)
			})
			if t.Logf("%d canaries rightly came to another channel's prompt, %d pages were shown", crossed, pages); (crossed == 0 || pages == 0) && histories > 10 {
				t.Error("nothing was ever told in another channel, or no page shown: nothing was tested")
			}
		})
	}
}

// village is a chat service with channels of every kind it has.
type village interface {
	platformtest.Harness
	platformtest.Filer
	channels() []*channel
	// convert makes a channel private, or public, as the service tells it.
	convert(c *channel, private bool)
	key(c *channel) memory.Key
	// move moves a channel into what others read, or out of it: another workspace, or another category. It tells what
	// the channel is then.
	move(c *channel)
	// leave takes somebody out of a private channel.
	leave(c *channel, who string)
	// guest has a guest come to a channel and say nothing, and tells whether the service has any.
	guest(c *channel) bool
	// away takes us out of a channel, or makes it deaf, and tells of all that are so then; back ends that.
	away(t *rapid.T, c *channel) []*channel
	back(c *channel)
	// erase deletes a message and withdraw its file alone when we do not hear of it; drop deletes a channel with all it holds.
	erase(u *utterance)
	withdraw(u *utterance)
	drop(c *channel)
	// home has somebody look at our page about them, where there is one; page is what they see of it from then on.
	home(who string)
	page(who string) string
	// title is the name that the service shows for a thread, "" without one.
	title(at platformtest.Place) string
	// clicks tells whether somebody who has left a channel can press a button there.
	clicks() bool
	// told is what the program sent since the last call, in its order.
	told() []sent
	// arrive waits until what happened was delivered, if the program runs.
	arrive()
	environ() []string
	platform(cfg *config.Config, p *parts) platform.Platform
	close()
}

// sent is what one request of the program holds.
type sent struct {
	channel string // whose people read it, "" for those of the place of the step
	text    string
}

// channel is one as the history knows it.
type channel struct {
	platformtest.Place
	private bool // not everybody of the workspace may read it
	guests  bool // a guest has spoken there, or come
	shared  bool // another workspace reads it for a while
	away    bool // we are out of it
	members map[string]bool
}

// outside tells whether people of another workspace read the channel.
func (c *channel) outside() bool { return c.External || c.shared }

func (c *channel) String() string { return c.Channel }

// canary is a word that stands in one message or document, and what was told of it.
type canary struct {
	word    string
	holders map[string]bool // names of the channels in which it was said, or may be read in a document
	posted  map[string]bool // of those in which a post of ours told it: it goes nowhere from there
	session platformtest.Place
	file    string // of a document, its name
	erased  bool
	lost    bool // it was deleted while we were out: it is told where it was said, until that is certain
}

// utterance is a message that holds a canary.
type utterance struct {
	at     platformtest.Place
	id     string
	who    string
	text   string
	canary *canary
	gone   bool // it was deleted
}

func (u *utterance) String() string { return u.canary.word + " at " + u.at.Channel }

// history is one random history.
type history struct {
	*rapid.T
	v        village
	model    *fakemodel.Server
	cfg      *config.Config
	sys      system
	log      *loud
	parts    *parts
	bot      interface{ Drain(context.Context) error }
	stop     func()
	running  bool
	crossed  int // canaries in prompts that were said in another channel
	pages    int // that were shown
	steps    int // that were taken
	places   []*channel
	dropped  []*channel
	canaries map[string]*canary
	seen     map[string][]string // the words that may be canaries in texts that were looked at
	threads  []platformtest.Place
	parents  map[platformtest.Place]platformtest.Place // the threads that forks go on from
	notes    []*utterance                              // that somebody had remembered
	buttons  map[string][]string                       // that posts had, by their id
	said     []*utterance
	files    []*utterance
	numbers  int    // short ones that are canaries
	logged   int    // bytes of the log that were looked at
	prompts  int    // of the model that were looked at
	played   uint32 // of the canaries of all prompts: equal if a seed was played again alike
	who      string
	at       platformtest.Place

	mu    sync.Mutex
	drawn []string // canaries on the pages that were drawn in this step
}

// subjects are what canaries are the codes of; few, so that one search finds many.
var subjects = []string{"garage", "cellar", "vault"}

var canaryNumber = regexp.MustCompile(`^0[1-9][0-9]$`)

// inToken tells of each byte whether it stands in a token, a run without blanks.
var inToken = func() (is [256]bool) {
	for c := range is {
		is[c] = strings.IndexByte(".,:/+_-", byte(c)) >= 0 || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return is
}()

// canariesIn are the words in a text, which may be that of a JSON document, that are canaries or numbers that may be one.
func canariesIn(text string) (all []string) {
	text = strings.ReplaceAll(text, `\n`, "\n")
	for start, end := 0, 0; start < len(text); start = end + 1 {
		for end = start; end < len(text) && inToken[text[end]]; end++ {
		}
		token := text[start:end]
		for at := strings.Index(token, "zq"); at >= 0; at = strings.Index(token, "zq") {
			if token = token[at:]; len(token) >= 7 && digits(token[2:7]) {
				all, token = append(all, token[:7]), token[7:]
				continue
			}
			token = token[2:]
		}
		if number := strings.Trim(text[start:end], ".,:"); len(number) == 3 && canaryNumber.MatchString(number) {
			all = append(all, number)
		}
	}
	return all
}

func digits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// in are the canaries in a text. A word that looks like one and is none is the program's own.
func (h *history) in(text string) []string {
	all, seen := h.seen[text] // most of what is shown is the same after each step
	if !seen {
		all = canariesIn(text)
		h.seen[text] = all
	}
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return h.canaries[word] == nil && canaryNumber.MatchString(word) })
}

// keepCanaries plays one history.
func keepCanaries(t *testing.T, rt *rapid.T, v village) *history {
	m, err := fakemodel.Start(fakemodel.Options{Key: "sk-test", Script: []fakemodel.Rule{{Reply: parrot}}})
	if err != nil {
		rt.Fatal(err)
	}
	dir := t.TempDir()
	h := &history{T: rt, v: v, model: m, log: &loud{}, canaries: make(map[string]*canary), seen: make(map[string][]string), parents: make(map[platformtest.Place]platformtest.Place), buttons: make(map[string][]string), places: v.channels(),
		sys: system{In: strings.NewReader(""), Out: io.Discard, Dir: dir}}
	h.sys.Err = h.log
	h.cfg, err = config.Load(config.Sources{Dir: dir, Environ: append([]string{"HOME=" + dir, "DATABASE_URL=" + filepath.Join(dir, "c.db"), "CACHE_DIR=" + cacheDir(), "MODEL=test-model", "JUDGE_MODEL=off", "CLARIFY=" + rapid.SampledFrom([]string{"when-it-helps", "always"}).Draw(rt, "clarify"),
		"TOKEN_THRESHOLD=600", "MESSAGES_PER_MINUTE=0", "PDF_WORKERS=1", "LOG_LEVEL=debug", "OPENAI_BASE_URL=" + m.URL(), "OPENAI_API_KEY=sk-test"}, v.environ()...)})
	if err != nil {
		rt.Fatal(err)
	}
	h.start()
	defer func() { h.stop(); m.Close(); v.close() }()
	steps := map[string]func(*rapid.T){
		"":         func(*rapid.T) {},
		"say":      h.step(h.say),
		"say too":  h.step(h.say),
		"ask":      h.step(h.ask),
		"ask too":  h.step(h.ask),
		"upload":   h.step(h.upload),
		"share":    h.step(h.share),
		"command":  h.step(h.command),
		"edit":     h.step(h.edit),
		"delete":   h.step(h.remove),
		"convert":  h.step(h.convert),
		"leave":    h.step(h.leave),
		"home":     h.step(h.home),
		"restart":  h.step(h.restart),
		"restore":  h.step(h.restore),
		"guest":    h.step(h.guest),
		"forget":   h.step(h.forget),
		"suggest":  h.step(h.suggest),
		"move":     h.step(h.move),
		"page":     h.step(h.page),
		"away":     h.step(h.away),
		"drop":     h.step(h.drop),
		"quote":    h.step(h.quote),
		"murmur":   h.step(h.murmur),
		"catch up": h.step(h.catchUp),
		"fork":     h.step(h.fork),
		"settings": h.step(h.settings),
		"report":   h.step(h.report),
		"press":    h.step(h.press),
	}
	if *canaryHistories > 0 { // what follows a person may be told of a moment after its channel was closed
		steps["remember"] = h.step(h.remember)
	}
	for h.steps < *canarySteps {
		rt.Repeat(steps) // any number of them, ten on average
	}
	h.audit()
	return h
}

// audit ends the program and reads the bytes of its database, whatever table or freed page they are of: what was erased is in none.
func (h *history) audit() {
	if err := h.parts.store.SecureErase(context.Background()); err != nil {
		h.Fatal(err)
	}
	h.stop()
	for _, name := range []string{"c.db", "c.db-wal"} {
		data, err := os.ReadFile(filepath.Join(h.sys.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			h.Fatal(err)
		}
		for _, word := range slices.Sorted(maps.Keys(h.canaries)) {
			if canaryNumber.MatchString(word) {
				word = " is " + word // its digits stand in other numbers
			}
			if n := bytes.Count(data, []byte(word)); n > 0 && h.canaries[strings.TrimPrefix(word, " is ")].erased {
				h.Fatalf("%s was erased and stands %d times in %s: %s", word, n, name, h.rowsWith(word))
			}
		}
	}
}

// rowsWith are the rows of the database that hold a word; none if only a freed page does.
func (h *history) rowsWith(word string) (found []string) {
	db, err := sql.Open("sqlite", filepath.Join(h.sys.Dir, "c.db"))
	if err != nil {
		h.Fatal(err)
	}
	defer db.Close()
	values := func(query string, args ...any) (all []string) {
		rows, err := db.Query(query, args...)
		if err != nil {
			return []string{err.Error()}
		}
		defer rows.Close()
		for rows.Next() {
			var v string
			_ = rows.Scan(&v)
			all = append(all, v)
		}
		return all
	}
	for _, table := range values("SELECT name FROM sqlite_master WHERE type = 'table'") {
		for _, column := range values("SELECT name FROM pragma_table_info(?)", table) {
			for _, v := range values(fmt.Sprintf("SELECT %q FROM %q WHERE CAST(%q AS TEXT) LIKE ?", column, table, column), "%"+word+"%") {
				found = append(found, table+"."+column+": "+v)
			}
		}
	}
	return found
}

// page is the whole page of a document in a prompt.
var page = regexp.MustCompile(`\[(d\d+) p1, the whole page\]\n(The code of the \w+ is zq\d{5})`)

// request is the request of a prompt.
var request = regexp.MustCompile(`(?s)<request [^>]*>(.*?)</request`)

// parrot says, of every third prompt, the first canary it is shown, of others what the first page says, or asks which of two is
// meant. It goes by the canaries alone, and not by times and ids: a seed is to play the same history again.
func parrot(r fakemodel.Request) string {
	prompt := r.Prompt()
	all := canariesIn(prompt)
	drawn := crc32.ChecksumIEEE([]byte(strings.Join(all, " ")))
	third := drawn%3 == 0
	if m := page.FindStringSubmatch(prompt); m != nil && strings.Contains(prompt, "<request ") && !third {
		return "ANSWER\n" + m[2] + fmt.Sprintf(" [%s p1 %q].", m[1], m[2])
	}
	if m := request.FindStringSubmatch(prompt); m != nil && len(all) > 0 && strings.Contains(prompt, `"rewritten_query"`) { // CLARIFY=always
		text, _ := json.Marshal(strings.TrimSpace(m[1]) + " Is it " + all[len(all)-1] + "?")
		return `{"is_ambiguous": false, "rewritten_query": ` + string(text) + `}`
	}
	if len(all) > 1 && strings.Contains(prompt, "<request ") && !third && drawn%4 == 1 {
		return fmt.Sprintf(`ASK {"question": "Which code do you mean?", "options": [%q, %q]}`, all[0], all[len(all)-1])
	}
	if len(all) > 0 && strings.Contains(prompt, "<request ") && third {
		code := "The code is " + all[0] + "."
		switch long := strings.Repeat(" Documented incontrovertibly throughout.", 335); drawn % 7 { // the rest follows in a file
		case 0, 1:
			return "ANSWER\nIt is a long story." + long + " " + code
		case 2:
			return "ANSWER\n" + code + long + " Again. " + code
		}
		return "ANSWER\n" + code
	}
	return "ANSWER\nI took note of it."
}

func (h *history) start() {
	h.Helper()
	p, err := open(context.Background(), h.sys, h.cfg)
	if err != nil {
		h.Fatal(err)
	}
	b := newBot(p, h.cfg)
	b.Patience, b.Grace, b.HomesEvery, b.Platforms = patience, 50*time.Millisecond, time.Millisecond, []platform.Platform{h.v.platform(h.cfg, p)}
	b.Chain, b.Draw = pictured{b.Chain}, h.draw
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	h.parts, h.bot = p, b
	h.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			h.Error(err)
		}
		if err := p.close(); err != nil {
			h.Error(err)
		}
		h.running, h.stop = false, func() {}
	}
	h.running = true
	h.settle()
}

func (h *history) settle() {
	h.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	h.v.arrive()
	if err := h.bot.Drain(ctx); err != nil {
		h.Fatal(err)
	}
}

// step does something and looks at all that the program said meanwhile.
func (h *history) step(do func(t *rapid.T)) func(*rapid.T) {
	return func(t *rapid.T) {
		h.T, h.who, h.at = t, "", platformtest.Place{}
		do(t)
		h.settle()
		h.check()
		h.steps++
	}
}

func (h *history) of(at platformtest.Place) *channel {
	all := slices.Concat(h.places, h.dropped)
	return all[slices.IndexFunc(all, func(c *channel) bool { return c.Channel == at.Channel })]
}

// sees tells whether who is asked at a place may be told what is said in a channel.
func (h *history) sees(at platformtest.Place, who, holder string) bool {
	c := h.of(at)
	if c.Channel == holder {
		return true
	}
	if c.outside() || c.guests || who == platformtest.Guest {
		return false
	}
	from := h.of(platformtest.Place{Channel: holder})
	return !from.private && !from.outside() && !from.DM && !from.away
}

func (h *history) mayTell(c *canary, at platformtest.Place, who string) bool {
	if c.erased {
		return false
	}
	if c.posted[at.Channel] {
		return true
	}
	for here, ok := at, true; ok; here, ok = h.parents[here] {
		if c.session == here {
			return true
		}
	}
	if c.lost {
		return c.holders[at.Channel]
	}
	for holder := range c.holders {
		if h.sees(at, who, holder) {
			return true
		}
	}
	return false
}

// mayShow tells whether a page about us may show a canary to somebody.
func (h *history) mayShow(c *canary, who string) bool {
	open := func(name string) bool {
		p := h.of(platformtest.Place{Channel: name})
		return p.members[who] || !c.lost && !p.private && !p.DM && !p.outside() && who != platformtest.Guest
	}
	if c.erased {
		return false
	}
	for _, told := range []map[string]bool{c.holders, c.posted} {
		for holder := range told {
			if open(holder) {
				return true
			}
		}
	}
	return c.session.Channel != "" && open(c.session.Channel)
}

// check looks at prompts, at what was sent, and at what still stands of what was erased.
func (h *history) check() {
	h.Helper()
	prompts := h.model.Requests()
	for _, r := range prompts[h.prompts:] {
		text := r.Prompt()
		asked := strings.Contains(text, "<request ")
		ok := func(word string, at platformtest.Place, who string) bool {
			c := h.canaries[word]
			return c != nil && h.mayTell(c, at, who)
		}
		words := h.in(text)
		h.played += crc32.ChecksumIEEE([]byte(strings.Join(words, " "))) // two folds run beside each other, in any order
		if asked {
			for _, word := range words {
				if !ok(word, h.at, h.who) {
					var said []utterance
					for _, u := range slices.Concat(h.said, h.files) {
						if strings.Contains(text, u.canary.word) {
							said = append(said, *u)
						}
					}
					h.Fatalf("the prompt for %s at %+v holds %s, of %+v; said were %+v:\n%s", h.who, h.at, word, h.canaries[word], said, text)
				}
				if !h.canaries[word].holders[h.at.Channel] {
					h.crossed++
				}
			}
		} else if !slices.ContainsFunc(h.places, func(c *channel) bool {
			return !slices.ContainsFunc(words, func(word string) bool {
				k := h.canaries[word]
				return k == nil || k.erased || !k.holders[c.Channel] && !k.posted[c.Channel]
			})
		}) {
			h.Fatalf("no channel holds all of a prompt beside turns:\n%s", text)
		}
	}
	h.prompts = len(prompts)
	for _, s := range h.v.told() {
		at, who, read := h.at, h.who, h.at.Channel
		if s.channel != "" && s.channel != at.Channel {
			read = s.channel
			c := h.of(platformtest.Place{Channel: s.channel})
			if !c.DM || !c.members[h.who] { // else an answer for who asked alone
				at, who = c.Place, ""
			}
		}
		for _, word := range h.in(s.text) {
			c := h.canaries[word]
			if !h.mayTell(c, at, who) {
				h.Fatalf("%+v holds %s, of %+v; step of %s at %+v", s, word, c, h.who, h.at)
			}
			c.posted[read] = true
		}
	}
	for _, who := range []string{"Ada", "Bob", platformtest.Guest} { // what was opened in any step is still before them
		page := h.v.page(who)
		for _, word := range h.in(page) {
			if !h.mayShow(h.canaries[word], who) {
				h.Fatalf("the page that %s sees holds %s, of %+v: %s; step of %s at %+v", who, word, h.canaries[word], page, h.who, h.at)
			}
		}
	}
	text := h.log.String()
	if words := h.in(text[h.logged:]); len(words) > 0 {
		h.Fatalf("the log holds %s: %s", words, text)
	}
	h.logged = len(text)
	for _, at := range h.threads {
		for _, word := range h.in(h.v.title(at)) {
			if h.canaries[word].erased {
				h.Fatalf("%s was erased and still names %+v: %q", word, at, h.v.title(at))
			}
		}
		reader := slices.Sorted(maps.Keys(h.of(at).members))[0] // what is shown to one person only is no matter here
		for _, p := range h.v.Posts(at, reader) {
			if p.File != "answer.md" { // an export is a copy, and says so
				p.Data = ""
			}
			for _, word := range h.in(fmt.Sprint(p.Text, " ", p.File, " ", p.Data, p.Options)) {
				if h.canaries[word].erased && p.OnlyTo == "" {
					h.Fatalf("%s was erased and still stands at %+v: %+v", word, at, p)
				}
			}
		}
	}
}
