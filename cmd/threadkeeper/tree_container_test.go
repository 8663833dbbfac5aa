package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheContainerIsBounded: its bases are named by digest, nothing in it is root's, its health is looked at, and what it may
// take of the machine has limits.
func TestTheContainerIsBounded(t *testing.T) {
	lines := func(name string) []string {
		data, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(string(data), "\n")
		for i, line := range all {
			all[i] = strings.TrimSpace(line)
		}
		return all
	}
	docker := lines("Dockerfile")
	base := regexp.MustCompile(`^FROM \S+:\S+@sha256:[0-9a-f]{64} AS \w+$`)
	for _, line := range docker {
		if strings.HasPrefix(line, "FROM ") && line != "FROM scratch" && !base.MatchString(line) {
			t.Errorf("a base without a digest: %s", line)
		}
	}
	for _, want := range []string{"USER 65532:65532", `HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["/bin/threadkeeper", "doctor", "--quick"]`} {
		if !slices.Contains(docker, want) {
			t.Errorf("the Dockerfile lacks %s", want)
		}
	}
	compose := lines("compose.yaml")
	for _, want := range []string{"mem_limit: 2500m", "pids_limit: 200", "read_only: true", "cap_drop: [ALL]", `security_opt: ["no-new-privileges:true"]`} {
		if !slices.Contains(compose, want) {
			t.Errorf("compose.yaml lacks %s", want)
		}
	}
}
