package main

import (
	"context"
	"fmt"
	"runtime"

	"threadkeeper/config"
)

// versionCmd says which version this is.
type versionCmd struct{}

func (versionCmd) Run(_ context.Context, sys system, _ *config.Config) error {
	_, err := fmt.Fprintf(sys.Out, "threadkeeper %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
