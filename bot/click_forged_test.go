package bot_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestForgedButtons sends clicks that no button of ours sends, with true and false names of answers and questions, by the asker and by
// somebody else. Nothing is posted for all, answered, erased or recorded; the true buttons still work.
func TestForgedButtons(t *testing.T) {
	o := overheard{handler: make(chan platform.Handler, 1)}
	s := begin(t, func(s *scene) {
		o.Platform = s.bot.Platforms[0]
		s.bot.Platforms[0] = o
	})
	h := <-o.handler
	cited := s.say(general, "cite", note)
	s.settle()
	asked := s.say(general, "ask me")
	s.settle()
	attic := s.say(platformtest.Place{Channel: "attic"}, "the walrus sings")
	s.settle()
	elsewhere, err := s.store.SessionByKey(t.Context(), s.world.Key(attic))
	if err != nil {
		t.Fatal(err)
	}
	var nonce, token string
	if err := s.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewRaw("SELECT nonce FROM outbox ORDER BY id LIMIT 1").Scan(ctx, &nonce); err != nil {
			return err
		}
		return tx.NewRaw("SELECT token FROM questions").Scan(ctx, &token)
	}); err != nil {
		t.Fatal(err)
	}
	public := func() (all []platformtest.Post) {
		for _, at := range []platformtest.Place{general, cited, asked} {
			for _, p := range s.world.Posts(at, "Bob") {
				if p.OnlyTo == "" {
					all = append(all, p)
				}
			}
		}
		return all
	}
	stored := func() (all [][]*memory.Message) {
		for id := int64(1); id <= 2; id++ {
			said, err := s.store.Messages(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, said)
		}
		return all
	}
	posts, said := public(), stored()
	var forged []string
	for _, n := range []string{nonce, "nope", "", strings.Repeat("n", 3000), "' OR 1=1 --"} {
		values := []string{"99", "", "great", "-1", "1:2", "１", "0x1", "99999999999999999999", "\x00"}
		if n != nonce {
			values = values[:3]
		}
		for _, value := range values {
			forged = append(forged, platform.PagePrefix+n+":"+value, platform.FeedbackPrefix+n+":"+value, platform.ReasonPrefix+n+":"+value,
				platform.QuestionPrefix+token+n+":"+value, platform.ForgetPrefix+n+":"+value, platform.ForgetPrefix+value, platform.WithinPrefix+n+":"+value)
		}
		if n != nonce {
			forged = append(forged, platform.RetryPrefix+n)
		}
	}
	for _, choice := range []string{"99", "-7", "1:0", ""} {
		forged = append(forged, platform.QuestionPrefix+token+":"+choice)
	}
	forged = append(forged, platform.WithinAction(1, "docs remove 1"), platform.WithinAction(1, "memory forget --yes"), platform.WithinAction(99, "memory forget"), platform.WithinAction(elsewhere.ID, "memory show"))
	forged = append(forged, "", "\x00", "erase", "stop:all", platform.QuestionPrefix+token, "docs remove 1")
	for i, action := range forged {
		for _, who := range []string{"Ada", "Bob"} {
			for _, at := range []platformtest.Place{cited, asked} {
				key := s.world.Key(at)
				ev := platform.Event{ID: fmt.Sprint("forged", i, who, at.Thread), Kind: platform.EventClick, Key: key, Author: platform.Author{ID: "U-" + who, Name: who},
					Action: action, Args: "forget everything", Reply: platform.Address{Key: key}}
				if err := h.Receive(t.Context(), ev); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s.settle()
	if now := public(); !reflect.DeepEqual(now, posts) {
		t.Errorf("posted %+v, before %+v", now, posts)
	}
	if now := stored(); !reflect.DeepEqual(now, said) {
		t.Errorf("stored %+v, before %+v", now, said)
	}
	for _, at := range []platformtest.Place{general, cited, asked} {
		if posts := s.world.Posts(at, "Ada"); strings.Contains(fmt.Sprint(posts), "walrus") {
			t.Errorf("what is said elsewhere is shown: %+v", posts)
		}
	}
	if given, err := s.store.Views.CountFeedback(t.Context()); err != nil || len(given) > 0 {
		t.Errorf("feedback %v, %v", given, err)
	}
	s.world.Click("Ada", asked, s.world.Posts(asked, "Ada")[0], "Red")
	s.says(asked, "Ada", "You chose red")
}
