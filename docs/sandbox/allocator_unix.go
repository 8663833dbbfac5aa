//go:build unix

package sandbox

import (
	"context"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// withAllocator makes instances take their memory as one reservation of at most limit bytes. The
// kernel commits pages as they are touched and has them back when the instance closes, so growth
// copies nothing: without it a runaway file costs three times its memory limit.
func withAllocator(ctx context.Context, limit uint64) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(
		func(_, most uint64) experimental.LinearMemory {
			most = min(most, limit)
			b, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			if err != nil {
				return &reservation{}
			}
			return &reservation{bytes: b}
		}))
}

// reservation is a linear memory whose whole range is mapped from the start.
type reservation struct{ bytes []byte }

// Reallocate returns the first size bytes, or nil if that is more than was reserved.
func (r *reservation) Reallocate(size uint64) []byte {
	if size > uint64(len(r.bytes)) {
		return nil
	}
	return r.bytes[:size:len(r.bytes)]
}

// Free gives the pages back.
func (r *reservation) Free() {
	if r.bytes != nil {
		_ = syscall.Munmap(r.bytes)
		r.bytes = nil
	}
}
