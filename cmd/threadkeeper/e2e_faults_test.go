package main

import (
	"regexp"
	"testing"

	"threadkeeper/bot/platformtest/leaktest"
)

// TestFaultsOfConnections is TestFaults for those that begin or end connections, which many goroutines notice.
func TestFaultsOfConnections(t *testing.T) { holdDuring(t, true) }

// TestFaults holds the conversation while something goes wrong in each of its steps.
func TestFaults(t *testing.T) { holdDuring(t, false) }

var ofConnections = regexp.MustCompile(`socket|gateway|session|reconnection|^cut`)

func holdDuring(t *testing.T, connections bool) {
	if testing.Short() {
		t.Skip("long")
	}
	leaktest.Check(t)
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			for i, f := range o.open(t).faults {
				if ofConnections.MatchString(f.name) != connections {
					continue
				}
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
