package platformtest

import (
	"context"
	"reflect"

	"threadkeeper/bot/platform"
)

// Handler completes a platform.Handler for the test of an adapter: what is not set takes everything, and knows of nothing.
func Handler(h platform.Handler) platform.Handler {
	if h.Admit == nil {
		h.Admit = func(context.Context, platform.Event) (bool, error) { return true, nil }
	}
	if h.NextPart == nil {
		h.NextPart = func(ctx context.Context, _ int) (platform.Part, error) {
			<-ctx.Done()
			return platform.Part{}, ctx.Err()
		}
	}
	all := reflect.ValueOf(&h).Elem()
	for i := range all.NumField() {
		if f := all.Field(i); f.IsNil() {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) (out []reflect.Value) {
				for t := range f.Type().Outs() {
					out = append(out, reflect.Zero(t))
				}
				return out
			}))
		}
	}
	return h
}
