package platformtest

import (
	"context"
	"image"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// patience bounds every wait of the suite.
const patience = 10 * time.Minute

type stage struct {
	t       *testing.T
	h       Harness
	store   *memory.Store
	chain   *Chain
	bot     *bot.Bot
	stopped chan struct{}
	cancel  context.CancelFunc
	log     *slog.Logger

	change    func(*bot.Bot) // of each bot before it starts; may be nil
	announces bool           // from the next start on
}

// Run is the conformance suite: each of its tests opens a new world, and they run side by
// side, so that worlds must share nothing.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	f := open(t).Features()
	for _, c := range []struct {
		name  string
		needs bool
		test  func(*stage)
	}{
		{"a mention is answered and followed up", true, mentionAndFollowUp},
		{"messages are answered in order, each once", true, inOrder},
		{"no answer mentions anybody", true, noMentions},
		{"a question is answered by number", true, answerByNumber},
		{"a question is answered by its label, roughly", true, answerByLabel},
		{"a question is answered in free words", true, answerInWords},
		{"a new request cancels a question", true, cancelQuestion},
		{"commands are answered once", true, commands},
		{"what failed is retried", true, retried},
		{"stop keeps what was shown", true, stopped},
		{"a long answer arrives whole", true, longAnswer},
		{"a file of ours is posted", true, exported},
		{"two threads stay apart", f.Threads, threadsApart},
		{"silence between people", f.People, silence},
		{"an answer says whom it answers when others stand between", f.People && f.Threads, named},
		{"what was said before we came is known", f.Backfill && f.People, backfill},
		{"what programs say is known, and not answered", f.Backfill && f.People, programs},
		{"a mention that was lost before we came is answered", f.Backfill && f.People, lostMentions},
		{"backfill is tried until it succeeds", f.Backfill && f.People && f.Faults, backfillLater},
		{"files are read", f.Files, files},
		{"a text that was pasted is the message", f.Pastes, pasted},
		{"a file that cannot be read is said so", f.Files, badFile},
		{"a file that cannot be had is said so", f.Files && f.Faults, lostFile},
		{"a file that cannot be had now is tried again", f.Files && f.Faults, busyFile},
		{"an edit before the answer is what is answered", f.Changes, editedBefore},
		{"an edit after the answer erases it, and is answered", f.Changes, editedAfter},
		{"a deletion before the answer cancels it", f.Changes, deletedBefore},
		{"a deletion after the answer erases", f.Changes, deletedAfter},
		{"a button answers, late and double clicks are harmless", f.Clicks, clicks},
		{"a question that is closed shows how", f.Clicks, questionCloses},
		{"only the one who was asked may click", f.Clicks && f.People, foreignClick},
		{"something else asks for words", f.Clicks, somethingElse},
		{"something else may be typed", true, somethingElseTyped},
		{"feedback is stored", f.Clicks, feedback},
		{"a thumb down may say why", f.Clicks && f.Ephemeral && f.People, reasons},
		{"retry is a button, twice is once", f.Clicks, retryClicked},
		{"what is to be forgotten is asked for, by the one who said it", f.Clicks && f.People, forgets},
		{"commands are answered to the one who gave them", f.Ephemeral && f.People, ephemeral},
		{"documents are suggested", f.Suggests && f.Files, suggestions},
		{"everything delivered again changes nothing", f.Redeliver, redelivery},
		{"a stream cut short is made whole", f.Faults, cutStream},
		{"a lost receipt does not double the post", f.Faults, lostReceipt},
		{"a refused post is posted later", f.Faults, refusedPost},
		{"a message may come under two events", f.Threads && f.People, mentionAndFollowUp},
		{"a thread that began with us is not read again", f.Backfill && f.People, notBackfilled},
		{"what we said is not taken for somebody's", f.Backfill && f.People && f.Faults, ownPast},
		{"a channel may be the conversation", f.Tops && f.Roles, replyInChannel},
		{"a thread on our answer needs no mention", f.Tops && f.Roles && f.Moderated, threadOnAnswer},
		{"a question in a channel is answered without a mention", f.Tops && f.Roles, questionInChannel},
		{"a channel may want mentions only", f.Tops && f.Roles, followMention},
		{"a chosen program is answered, until only programs speak", f.Backfill && f.People && f.Tops && f.Roles, chosenProgram},
		{"a channel may want every message answered", f.Tops && f.Roles, followAlways},
		{"only administrators change settings", f.Tops && f.Roles && f.Suggests, settingsOfOthers},
		{"a channel may have a threshold", f.Tops && f.Roles, channelThreshold},
		{"help names the commands that stand for a message", f.Asks && f.Tops, asking},
		{"a message has a menu", f.Asks && f.People && f.Threads, menu},
		{"a question that we show goes when it is forgotten", f.Asks && f.People && f.Threads && f.Ephemeral, shownQuestion},
		{"a quote goes with a message that was not said to us", f.People && f.Threads && f.Changes && f.Tops, quotes},
		{"a channel may have instructions", f.Tops && f.Roles, channelInstructions},
		{"usage is told with a file, to the one who asks", f.Ephemeral && f.People && f.Roles, usageAsFile},
		{"an edit keeps the text that was pasted", f.Pastes && f.Changes, pastedAndEdited},
		{"an edit of a note corrects it", f.Changes && f.People && f.Threads, noteCorrected},
		{"an edit that adds the mention is answered", f.Changes && f.People && f.Threads, calledLate},
		{"an edit that makes a line ours is answered", f.Changes && f.People && f.Threads, namedLate},
		{"changes of what was not for us leave nothing", f.Tops && f.Changes, changesBesideUs},
		{"our deleted answer is forgotten", f.Moderated, answerDeleted},
		{"what takes the place of our answer is the answer", f.Clicks && f.Moderated && f.Replaces, answerReplaced},
		{"an external channel knows no documents", f.External && f.Files, externalDocuments},
		{"an external channel knows nothing from elsewhere", f.External, externalMemory},
		{"a channel that becomes external knows nothing from elsewhere at once", f.External && f.Files, becomesExternal},
		{"a channel that becomes private is closed at once", f.Closes && f.Files, becomesPrivate},
		{"a channel that became private while nobody listened is closed", f.Closes && f.Restarts && f.Files && f.Faults, becamePrivate},
		{"a turn that has read what is closed begins again", f.Closes, readBeforeClosed},
		{"a guest knows no documents and nothing from elsewhere", f.Guests && f.Tops && f.Files, guests},
		{"a page is shown to all, once", f.Pages && f.Files && f.People && f.Ephemeral, showPage},
		{"a page leads to its answer when others stand between", f.Pages && f.Files && f.People && f.Threads && f.Ephemeral, pageLeads},
		{"a page of a removed document is not shown", f.Pages && f.Files && f.Ephemeral, pageGone},
		{"a page goes with its document", f.Pages && f.Files && f.People && f.Ephemeral, pageOfRemoved},
		{"a page goes with its file", f.Pages && f.Files && f.People && f.Ephemeral && f.FileEvent, pageOfDeleted},
		{"citations link to the file", f.Links && f.Files, links},
		{"a deleted file is forgotten", f.FileEvent && f.Files, fileDeleted},
		{"a command at the top lists the threads", f.Tops, overview},
		{"a command may be mentioned in a thread", f.Threads && f.People, mentionedCommand},
		{"a person has a home", f.Homes && f.Files, home},
		{"a thread's name is that of its message", f.Titles, titled},
		{"a bare mention is greeted", f.People, bareMention},
		{"a bare mention asks for nothing twice", f.People, bareMentionWaits},
		{"a bare mention means what was just said", f.Backfill && f.People, bareMentionMeans},
		{"only the asker may retry", f.Clicks && f.People && f.Ephemeral, foreignRetry},
		{"a restart continues everything", f.Restarts, restart},
		{"direct messages may be started over", f.Flat && f.Clicks && f.Changes && f.Restarts, startedOver},
		{"a channel is told once what is kept", f.Restarts && f.Threads, announced},
		{"a channel that we join is told what is kept", f.Restarts && f.Joins, announcedOnJoin},
	} {
		if c.needs {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.test(newStage(t, open(t), nil))
			})
		}
	}
	for _, c := range []struct {
		name  string
		needs bool
		set   func(*bot.Bot)
		test  func(*stage)
	}{
		{"a place that is not allowed hears it once", f.People, allowNothing, notAllowed},
		{"a person who is denied hears it, others are answered", f.Roles && f.People, denyAdmins, denied},
		{"what a person who is denied asks is shown to nobody", f.Asks && f.Roles && f.People, denyAdmins, deniedAsks},
		{"one question too many is shown to nobody", f.Asks && f.People, fewWaiting, asksTooMuch},
		{"a spent budget is told with its hour", true, nil, overBudget},
		{"a budget that is nearly spent is told of once", true, lowBudget, nearlySpent},
		{"too many questions of one person wait for none", f.People, fewWaiting, stillBusy},
		{"a channel may have another model", f.Tops && f.Roles && f.Suggests, twoModels, channelModel},
		{"administrators say who may use it", f.People && f.Roles && f.Tops, nil, administratorsAllow},
		{"who runs it has the last word", f.People && f.Roles && f.Tops, denyAdmins, ownerDenies},
		{"the owner is sent a report, once a week", f.People && f.Restarts && f.Ephemeral, nil, weeklyReport},
		{"memory is in people's hands", true, folding, memoryInHand},
		{"a fork of a thread knows what was said up to there", f.Threads, nil, forks},
		{"what a channel decided follows, told of once", f.Threads, nil, channelKeeps},
		{"what somebody prefers follows, told of once, until it is off", f.Threads, nil, profileFollows},
		{"a thread may want mentions only", f.People && f.Threads, nil, listening},
		{"a catch-up reads the channel, and follows what becomes of it", f.Backfill && f.People && f.Tops && f.Changes, searching, caughtUp},
		{"a button stops listening, offered once", f.People && f.Threads && f.Clicks, nil, silenceOffered},
	} {
		if c.needs {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.test(newStage(t, open(t), c.set))
			})
		}
	}
}

// newStage begins with a bot that set, if not nil, has changed.
func newStage(t *testing.T, h Harness, set func(*bot.Bot)) *stage {
	t.Helper()
	store, err := memory.Open(context.Background(), filepath.Join(t.TempDir(), "suite.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, h: h, store: store, chain: &Chain{Store: store, Go: make(chan struct{})}, log: Discreet(t), change: set}
	s.start()
	t.Cleanup(func() {
		s.stop()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *stage) start() {
	s.bot = &bot.Bot{Store: s.store, Index: &docs.Index{Store: s.store, Log: s.log}, Chain: s.chain,
		Platforms: []platform.Platform{s.h.Platform()}, Log: s.log, Workers: 4, Grace: 50 * time.Millisecond, Patience: patience, Announce: s.announces,
		Draw: func(context.Context, docs.Citation, int) (image.Image, error) {
			return image.NewGray(image.Rect(0, 0, 8, 8)), nil
		}}
	if s.change != nil {
		s.change(s.bot)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel, s.stopped = cancel, make(chan struct{})
	go func() {
		defer close(s.stopped)
		if err := s.bot.Run(ctx); err != nil {
			s.t.Error(err)
		}
	}()
}

func (s *stage) stop() {
	s.cancel()
	<-s.stopped
}

func (s *stage) say(at Place, text string) Place {
	s.t.Helper()
	_, at = s.h.Say(Said{Who: "Ada", At: at, Text: text, Mention: at.Thread == ""})
	return at
}

// top is where a conversation begins.
func (s *stage) top(name string) Place {
	return Place{Channel: name, DM: !s.h.Features().People}
}

// until waits for a condition of the posts that who sees.
func (s *stage) until(at Place, who, what string, ok func([]Post) bool) []Post {
	s.t.Helper()
	var posts []Post
	if !Await(func() bool { posts = s.h.Posts(at, who); return ok(posts) }) {
		s.t.Fatalf("%s never came; posts: %+v", what, posts)
	}
	return posts
}

// Await asks until ok, and returns false if that takes more than ten minutes. The longer it has
// waited, the less often it asks: tests side by side must not take the processor from what they wait for.
func Await(ok func() bool) bool {
	for begun := time.Now(); !ok(); {
		waited := time.Since(begun)
		if waited > patience {
			return false
		}
		time.Sleep(min(max(waited/4, 5*time.Millisecond), 200*time.Millisecond))
	}
	return true
}

// answers waits until exactly these texts are posted, nothing is pending, and
// they still are all there is.
func (s *stage) answers(at Place, texts ...string) []Post {
	s.t.Helper()
	same := func(posts []Post) bool {
		return slices.EqualFunc(posts, texts, func(p Post, text string) bool { return strings.TrimSpace(p.Text) == text })
	}
	s.until(at, "Ada", strings.Join(texts, " | "), same)
	s.settle()
	posts := s.h.Posts(at, "Ada")
	if !same(posts) {
		s.t.Fatalf("posts %+v, want %q", posts, texts)
	}
	return posts
}

// settle waits until nothing is pending and what was delivered was received.
func (s *stage) settle() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if w, ok := s.h.(interface{ Pending() int }); ok {
		Await(func() bool { return w.Pending() == 0 })
	}
	if err := s.bot.Drain(ctx); err != nil {
		s.t.Fatal("drain:", err)
	}
}

func (s *stage) begun(n int) {
	s.t.Helper()
	if !Await(func() bool { return s.chain.Started() >= n }) {
		s.t.Fatalf("%d turns begun, want %d", s.chain.Started(), n)
	}
}

func has(text string) func([]Post) bool {
	return func(posts []Post) bool {
		return slices.ContainsFunc(posts, func(p Post) bool { return strings.Contains(p.Text, text) })
	}
}
