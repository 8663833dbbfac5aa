package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"threadkeeper/config"
	"threadkeeper/memory"
)

// TestAFullDiskDoesNotFillTheLog lets everything fail for want of room, as it does then:
// the log says so once, and still has everything else.
func TestAFullDiskDoesNotFillTheLog(t *testing.T) {
	var out bytes.Buffer
	log := newLog(system{Err: &out}, &config.Config{LogLevel: "warn"})
	full := fmt.Errorf("memory: receive event 1: %w", fmt.Errorf("%w: the disk is full", memory.ErrDisk))
	for range 100 {
		log.With("platform", "slack").Error("could not store an event", "event", "1", "error", full)
		log.Warn("could not deliver a post", "error", errors.Join(errors.New("no answer"), full))
		log.Error("turn failed", "error", errors.New("the model"))
	}
	if n := strings.Count(out.String(), "the disk is full"); n != 1 {
		t.Errorf("the disk is told of %d times, want once", n)
	}
	if n := strings.Count(out.String(), "the model"); n != 100 {
		t.Errorf("%d of 100 other lines", n)
	}
}
