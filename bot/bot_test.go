package bot_test

import (
	"testing"

	"go.uber.org/goleak"

	"threadkeeper/bot/platformtest"
	"threadkeeper/docs/pdfium"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	goleak.VerifyTestMain(m)
}

func TestConformance(t *testing.T) { platformtest.Run(t, platformtest.New) }
