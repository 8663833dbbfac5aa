package pdfium

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tetratelabs/wazero/api"

	"threadkeeper/docs/sandbox"
)

// The engine was linked for JavaScript. It expects an operating system and gets none: no files, no
// environment, no time zone; only the time of day. wazero's own WASI module does not fit, because
// this build's fd_seek has its 64-bit offset split in two; so the signatures are taken from
// the engine and the answers are these.

// Errors as the engine's C library numbers them.
const (
	wasiBadFile = 8  // WASI EBADF
	noEntry     = 44 // Emscripten ENOENT
	noSyscall   = 52 // Emscripten ENOSYS
)

var errAborted = errors.New("the engine aborted")

func negative(errno int32) uint64 { return uint64(uint32(-errno)) }

func result(v uint64) api.GoModuleFunc {
	return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = v }
}

func nothing(context.Context, api.Module, []uint64) {}

// isException tells the functions by which the engine unwinds its stack; wazero brings them.
func isException(name string) bool {
	return strings.HasPrefix(name, "invoke_") || name == "_emscripten_throw_longjmp"
}

func hostWASI(name string) api.GoModuleFunc {
	switch name {
	case "fd_write":
		return sandbox.DiscardWrite
	case "environ_sizes_get":
		return func(_ context.Context, m api.Module, stack []uint64) {
			m.Memory().WriteUint32Le(uint32(stack[0]), 0)
			m.Memory().WriteUint32Le(uint32(stack[1]), 0)
			stack[0] = 0
		}
	case "environ_get", "fd_close", "fd_sync":
		return result(0)
	}
	return result(wasiBadFile)
}

func hostEnv(name string) api.GoModuleFunc {
	switch name {
	case "emscripten_date_now":
		return func(_ context.Context, _ api.Module, stack []uint64) {
			stack[0] = api.EncodeF64(float64(time.Now().UnixMilli()))
		}
	case "emscripten_resize_heap":
		return sandbox.ResizeHeap
	case "_abort_js", "__assert_fail":
		return func(context.Context, api.Module, []uint64) { panic(errAborted) }
	case "_emscripten_memcpy_js":
		return func(_ context.Context, m api.Module, stack []uint64) {
			if from, ok := m.Memory().Read(uint32(stack[1]), uint32(stack[2])); ok {
				m.Memory().Write(uint32(stack[0]), from)
			}
		}
	case "_tzset_js", "_localtime_js", "_gmtime_js":
		return nothing
	case "__syscall_openat", "__syscall_stat64", "__syscall_lstat64", "__syscall_newfstatat":
		return result(negative(noEntry))
	}
	return result(negative(noSyscall))
}
