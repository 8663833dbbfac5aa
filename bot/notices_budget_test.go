package bot_test

import (
	"strings"
	"testing"
	"time"

	"threadkeeper/agent/spend"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// atNoon sets the store's clock to noon, so that no day ends meanwhile.
func atNoon(s *scene) {
	clock := s.store.Now
	ahead := memory.Day(clock()) + (12 * time.Hour).Milliseconds() - clock()
	s.store.Now = func() int64 { return clock() + ahead }
}

// spent enters what a person spent today where a conversation is.
func (s *scene) spent(at platformtest.Place, who string, purpose string, tokens int64) {
	s.t.Helper()
	key := s.world.Key(at)
	session, err := s.store.SessionByKey(s.t.Context(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	person, err := s.store.PersonByPlatformID(s.t.Context(), key, "U-"+who)
	if err != nil {
		s.t.Fatal(err)
	}
	err = s.store.Spend(s.t.Context(), memory.Spending{Day: memory.Day(s.store.Now()), PersonID: person.ID, ChannelID: session.ChannelID,
		Model: "small", Purpose: purpose, Calls: 1, PromptTokens: tokens, Micros: 1_250_000})
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestABudgetThatIsNearlySpent is told of once: of a person's that person alone.
func TestABudgetThatIsNearlySpent(t *testing.T) {
	s := begin(t, atNoon, func(s *scene) {
		s.bot.Meter = &spend.Meter{Store: s.store, Budgets: spend.Budgets{Person: spend.Limit{Tokens: 1_000}}}
	})
	at := s.say(general, "hello")
	s.settle()
	s.spent(at, "Ada", "answer", 850)
	s.say(at, "and again")
	s.settle()
	s.say(at, "and again")
	s.settle()
	told := func(who string) (n int) {
		for _, p := range s.world.Posts(at, who) {
			if strings.HasPrefix(p.Text, "85 % of your model budget for today is used.") {
				n++
			}
		}
		return n
	}
	if told("Ada") != 1 || told("Bob") != 0 {
		t.Errorf("Ada was told %d times, Bob %d", told("Ada"), told("Bob"))
	}
}

// TestAQuietChannelIsNotWarnedOfBudgets: it gets no warning of its own. A person who has nearly spent their own budget is told in private.
func TestAQuietChannelIsNotWarnedOfBudgets(t *testing.T) {
	s := begin(t, atNoon, func(s *scene) {
		limit := spend.Limit{Tokens: 1_000}
		s.bot.Meter = &spend.Meter{Store: s.store, Budgets: spend.Budgets{Person: limit, Channel: limit, All: limit}}
	})
	s.world.Command(platformtest.Admin, general, "settings follow", "quiet")
	at := s.say(general, "hello")
	s.settle()
	s.spent(at, "Ada", "answer", 850)
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "and again", Mention: true})
	s.says(at, "Ada", "85 % of your model budget")
	s.settle()
	for _, p := range s.world.Posts(at, "Bob") {
		if strings.Contains(p.Text, "85 %") {
			t.Errorf("Bob sees %q", p.Text)
		}
	}
}

// TestUsage: a person sees what was spent for them, an administrator what was spent for all.
func TestUsage(t *testing.T) {
	s := begin(t, atNoon)
	at := s.say(general, "hello")
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "hello", Mention: true})
	s.world.Say(platformtest.Said{Who: platformtest.Admin, At: at, Text: "hello", Mention: true})
	s.settle()
	s.world.Command("Ada", at, "usage", "")
	s.says(at, "Ada", "The model was not called")
	s.spent(at, "Ada", "answer", 1_000)
	s.spent(at, "Bob", "repair", 500)
	s.world.Command("Ada", at, "usage", "")
	s.says(at, "Ada", "What the model used for you\n\nToday: 1,000 tokens, 1 call, $1.25")
	s.world.Command(platformtest.Admin, at, "usage", "")
	s.says(at, platformtest.Admin, "Today: 1,500 tokens, 2 calls, $2.50")
	s.settle()
	for who, want := range map[string][]string{"Ada": {"- answer: 1,000"}, platformtest.Admin: {"- Ada: 1,000", "- Bob: 500", "- general: 1,500", "- small: 1,500", "- repair: 500"}} {
		posts := s.world.Posts(at, who)
		last := posts[len(posts)-1]
		for _, line := range want {
			if !strings.Contains(last.Text, line) {
				t.Errorf("%s is not told %q: %s", who, line, last.Text)
			}
		}
		if last.File != "usage.csv" || who == "Ada" && strings.Contains(last.Text, "Bob") {
			t.Errorf("%s is told %+v", who, last)
		}
	}
}
