package kit

import (
	"encoding/json"
	"fmt"

	"threadkeeper/bot/platform"
)

// EncodeRef returns a post's Ref as it is stored. T is a struct of strings.
func EncodeRef[T any](ref T) platform.Ref {
	b, err := json.Marshal(ref)
	if err != nil {
		panic(err) // strings only
	}
	return platform.Ref(b)
}

// DecodeRef reads the output of EncodeRef. The error of an invalid Ref wraps
// platform.ErrUndeliverable and quotes none of it, because it may contain a token.
func DecodeRef[T any](name platform.Ref, valid func(T) bool) (T, error) {
	var ref T
	if err := json.Unmarshal([]byte(name), &ref); err != nil || !valid(ref) {
		return ref, fmt.Errorf("%w: name of a post not understood", platform.ErrUndeliverable)
	}
	return ref, nil
}
