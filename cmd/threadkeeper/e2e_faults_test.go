package main

import (
	"testing"

	"threadkeeper/bot/platformtest/leaktest"
)

// TestFaults holds the conversation while something goes wrong in each of its steps.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	leaktest.Check(t)
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			for i, f := range o.open(t).faults {
				t.Run(f.name, func(t *testing.T) {
					t.Parallel()
					k := &talk{service: newService(t, o.open), again: true}
					arm := k.faults[i].arm
					k.start()
					for _, s := range steps {
						k.during(arm, s)
						s.done(k)
					}
					k.settled()
					k.stop()
					k.check()
				})
			}
		})
	}
}

// during takes a step while something goes wrong.
func (k *talk) during(arm func(), s step) {
	if k.begun == nil || !s.use() {
		arm()
		s.act(k)
		return
	}
	begun := k.begun()
	arm()
	s.act(k)
	k.listens()
	if k.begun() > begun {
		s.act(k)
	}
}
