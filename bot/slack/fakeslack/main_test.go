package fakeslack

import (
	"testing"

	"threadkeeper/bot/platformtest/leaktest"
)

func TestMain(m *testing.M) { leaktest.Exit(m.Run()) }
