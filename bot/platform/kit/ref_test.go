package kit

import (
	"errors"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
)

func TestARefIsReadAsItWasWritten(t *testing.T) {
	type ref struct {
		Token string `json:"token"`
	}
	named := func(r ref) bool { return r.Token != "" }
	if r, err := DecodeRef(EncodeRef(ref{"secret"}), named); r.Token != "secret" || err != nil {
		t.Errorf("%+v %v", r, err)
	}
	for _, bad := range []platform.Ref{"", "null", "{}", `{"token":""}`, `{"token":1}`, `"secret"`, `{"token":"secret"`} {
		if _, err := DecodeRef(bad, named); !errors.Is(err, platform.ErrUndeliverable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
