package discord

import (
	"flag"
	"testing"

	"threadkeeper/bot/platformtest/leaktest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Tests mostly wait: discordgo takes a second to end a connection.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	leaktest.Exit(m.Run())
}
