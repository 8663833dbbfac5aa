package main

import (
	"context"
	"fmt"
	"runtime"

	"threadkeeper/config"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// version is the release: the newest one in CHANGELOG.md.
const version = "0.2.0"

// revision is the commit the program was built from, set by the build; "" if unknown.
var revision string

// versionCmd says which version this is.
type versionCmd struct{}

func (versionCmd) Run(_ context.Context, sys system, _ *config.Config) error {
	built := runtime.Version()
	if revision != "" {
		built = revision + ", " + built
	}
	_, err := fmt.Fprintf(sys.Out, "threadkeeper %s (%s %s/%s)\nPDF engine: %s\nschema: %d\n", version, built, runtime.GOOS, runtime.GOARCH,
		pdfium.Version(), memory.Schema())
	return err
}
