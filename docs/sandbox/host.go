package sandbox

import (
	"bytes"
	"context"

	"github.com/tetratelabs/wazero/api"
)

// outOfMemory is the key of an instance's flag: its memory could not grow when it had to.
type outOfMemory struct{}

// ResizeHeap is Emscripten's function of that name: it grows the memory to at least the size asked for, and by a fifth if
// the limit allows, as Emscripten's own JavaScript does. A refusal is noted in the call's context.
func ResizeHeap(ctx context.Context, m api.Module, stack []uint64) {
	want, have := uint64(uint32(stack[0])), uint64(m.Memory().Size()) // the upper half of a 32-bit argument is anything
	stack[0] = 1
	if want <= have {
		return
	}
	const page = 1 << 16
	need := (want - have + page - 1) / page
	if spare := have / 5 / page; spare > need {
		if _, ok := m.Memory().Grow(uint32(spare)); ok {
			return
		}
	}
	if _, ok := m.Memory().Grow(uint32(need)); !ok {
		if flag, is := ctx.Value(outOfMemory{}).(*bool); is {
			*flag = true
		}
		stack[0] = 0
	}
}

// DiscardWrite is WASI's fd_write that reports everything as written: fd, vectors, number of vectors, → bytes written.
func DiscardWrite(_ context.Context, m api.Module, stack []uint64) {
	vectors, n, total := uint32(stack[1]), uint32(stack[2]), uint32(0)
	for i := range n {
		size, ok := m.Memory().ReadUint32Le(vectors + 8*i + 4)
		if !ok {
			break
		}
		total += size
	}
	m.Memory().WriteUint32Le(uint32(stack[3]), total)
	stack[0] = 0
}

// Text is what stands in a module's memory at p up to a zero byte.
func Text(m api.Module, p uint32) string {
	if p >= m.Memory().Size() {
		return ""
	}
	b, _ := m.Memory().Read(p, m.Memory().Size()-p)
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}
