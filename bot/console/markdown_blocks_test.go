package console

import (
	"reflect"
	"testing"
)

// TestBlocks: whatever the pieces, the blocks are the same and hold all text.
func TestBlocks(t *testing.T) {
	const text = "One sentence.\nAnother.\n\n```go\na\n\nb\n```\n\n- x\n\n- y\n  more\n\n# Title\n\nThe end."
	want := []string{"One sentence.\nAnother.", "```go\na\n\nb\n```\n\n- x\n\n- y\n  more", "# Title", "The end."}
	for size := 1; size <= len(text); size++ {
		var b markdownBlocks
		var got []string
		for i := 0; i < len(text); i += size {
			got = append(got, b.add(text[i:min(len(text), i+size)])...)
		}
		if got = append(got, b.rest()); !reflect.DeepEqual(got, want) {
			t.Fatalf("pieces of %d bytes: got %q", size, got)
		}
	}
}
