package bot_test

import (
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/platformtest/leaktest"
	"threadkeeper/docs/pdfium"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	leaktest.Exit(m.Run())
}

func TestConformance(t *testing.T) { platformtest.Run(t, platformtest.New) }
