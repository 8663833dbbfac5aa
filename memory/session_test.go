package memory

import (
	"context"
	"testing"
)

func TestSettings(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	if v, err := s.Setting(ctx, "session:1", "use"); v != "" || err != nil {
		t.Fatalf("unset: %q %v", v, err)
	}
	for _, want := range []string{"1", "2"} {
		if err := s.SetSetting(ctx, "session:1", "use", want); err != nil {
			t.Fatal(err)
		}
		if v, err := s.Setting(ctx, "session:1", "use"); v != want || err != nil {
			t.Fatalf("%q %v", v, err)
		}
	}
}
