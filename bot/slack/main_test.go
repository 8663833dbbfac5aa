package slack_test

import (
	"testing"

	"go.uber.org/goleak"

	"threadkeeper/docs/pdfium"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	goleak.VerifyTestMain(m)
}
