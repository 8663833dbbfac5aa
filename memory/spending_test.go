package memory

import (
	"testing"
	"time"
)

// What calls took is added up by day, person, channel, model and purpose.
func TestSpendingAddsUp(t *testing.T) {
	s := openTest(t)
	ctx := t.Context()
	session, ada, err := s.Locate(ctx, Key{Platform: "slack", Workspace: "T1", Channel: "C1"}, Channel{Kind: Public, Name: "ops"}, Person{PlatformID: "U1", Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	today := Day(time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC).UnixMilli())
	spend := func(day, person int64, purpose string, tokens int64) {
		t.Helper()
		err := s.Spend(ctx, Spending{Day: day, PersonID: person, ChannelID: session.ChannelID, Model: "m", Purpose: purpose, Calls: 1, PromptTokens: tokens, CompletionTokens: 1, Micros: 5})
		if err != nil {
			t.Fatal(err)
		}
	}
	spend(today, ada.ID, "answer", 100)
	spend(today, ada.ID, "answer", 200)
	spend(today, 0, "summary", 50)
	spend(today-(24*time.Hour).Milliseconds(), ada.ID, "answer", 7)
	person, channel, all, err := s.SpentOn(ctx, today, ada.ID, session.ChannelID)
	if err != nil || person != (Spent{302, 10}) || channel != (Spent{353, 15}) || all != channel {
		t.Errorf("%+v %+v %+v, %v", person, channel, all, err)
	}
	if _, channel, _, err := s.SpentOn(ctx, today, ada.ID, session.ChannelID+1); err != nil || channel != (Spent{}) {
		t.Errorf("another channel spent %+v, %v", channel, err)
	}
	rows, err := s.Views.Usage(ctx, UsageOf{Since: today})
	if err != nil || len(rows) != 2 || rows[0].Person != "Ada" || rows[0].Channel != "ops" || rows[0].Calls != 2 || rows[0].PromptTokens != 300 || rows[1].Person != "" {
		t.Errorf("%+v, %v", rows, err)
	}
	if rows, err = s.Views.Usage(ctx, UsageOf{PersonID: ada.ID}); err != nil || len(rows) != 2 || rows[1].Day >= today {
		t.Errorf("of Ada: %+v, %v", rows, err)
	}
	if rows, err = s.Views.Usage(ctx, UsageOf{Platform: "slack", Workspace: "T2"}); err != nil || len(rows) != 0 {
		t.Errorf("of another workspace: %+v, %v", rows, err)
	}
}
