package slack_test

import (
	"testing"

	"threadkeeper/bot/platformtest/leaktest"
	"threadkeeper/docs/pdfium"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	leaktest.Exit(m.Run())
}
