package agent

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
)

// apart has a test run in a build of this package without the race detector, under which it needs many times as long, and is true
// once it has. In such a build it is false, and the test runs on. It is for tests that vary what is said, turn by turn; those of
// every kind of turn, and of what runs side by side, stay under the detector.
func apart(t *testing.T) bool {
	t.Helper()
	file := unwatched()
	if file == "" {
		return false
	}
	args := []string{"-test.run=^" + t.Name() + "$"}
	for _, name := range []string{"test.short", "test.timeout"} {
		args = append(args, fmt.Sprintf("-%s=%v", name, flag.Lookup(name).Value))
	}
	out, err := exec.CommandContext(t.Context(), file, args...).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
	return true
}

// unwatchedDir holds the test program that unwatched has built, if any.
var unwatchedDir string

// unwatched is the file of this test program without the race detector, "" if it is this one.
var unwatched = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil || !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return ""
	}
	var err error
	if unwatchedDir, err = os.MkdirTemp("", "agent-unwatched-"); err != nil {
		panic(err)
	}
	file := filepath.Join(unwatchedDir, "agent.test")
	build := exec.Command("go", "test", "-c", "-race=false", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, out))
	}
	return file
})
