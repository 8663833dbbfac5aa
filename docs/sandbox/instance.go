package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Instance is a running program with a memory of its own; making one takes a millisecond. Its
// first failure sticks: every later call does nothing and returns 0, so a sequence of calls needs
// only one check at its end. A failed instance must be closed, never used again.
type Instance struct {
	module    api.Module
	ctx       context.Context // carries the outOfMemory flag to ResizeHeap
	functions map[string]api.Function
	names     Names
	full      bool // the memory limit was reached
	err       error
}

// Instance makes one. Nothing in it has run: call the program's own start first.
func (m *Module) Instance(ctx context.Context) (*Instance, error) {
	in := &Instance{functions: map[string]api.Function{}, names: m.names}
	in.ctx = context.WithValue(ctx, outOfMemory{}, &in.full)
	var err error
	in.module, err = m.Runtime.InstantiateModule(withAllocator(ctx, uint64(m.memoryMB)<<20), m.Compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	return in, nil
}

// Close frees the memory.
func (in *Instance) Close() { in.module.Close(context.Background()) }

// Full reports whether the memory could not grow when it had to. That alone is not a fault: for some
// allocations a program has another way.
func (in *Instance) Full() bool { return in.full }

// Err says why the instance is unusable: ErrMemory if its memory could not grow before the fault.
func (in *Instance) Err() error {
	switch {
	case in.err != nil && in.full:
		return ErrMemory
	case in.err != nil:
		reason, _, _ := strings.Cut(in.err.Error(), "\n") // without the stack trace
		return errors.New(reason)
	}
	return nil
}

// Call runs one exported function and returns its first result.
func (in *Instance) Call(name string, args ...uint64) uint64 {
	if in.err != nil {
		return 0
	}
	f := in.functions[name]
	if f == nil {
		if f = in.module.ExportedFunction(name); f == nil {
			in.err = fmt.Errorf("the program has no %s", name)
			return 0
		}
		in.functions[name] = f
	}
	var stack [16]uint64
	copy(stack[:], args)
	if err := f.CallWithStack(in.ctx, stack[:]); err != nil {
		in.err = fmt.Errorf("%s: %w", name, err)
		return 0
	}
	return stack[0]
}

// Alloc returns zero, and fails the instance, when there are no n bytes.
func (in *Instance) Alloc(n uint32) uint32 {
	p := uint32(in.Call(in.names.Malloc, uint64(n)))
	if p == 0 && in.err == nil {
		in.full = true
		in.err = ErrMemory
	}
	return p
}

// Free frees what Alloc returned.
func (in *Instance) Free(p uint32) {
	if p != 0 {
		in.Call(in.names.Free, uint64(p))
	}
}

// View returns n bytes of the instance's memory itself, valid until the next call; nil after a failure.
func (in *Instance) View(p, n uint32) []byte {
	if in.err != nil {
		return nil
	}
	b, ok := in.module.Memory().Read(p, n)
	if !ok {
		in.err = fmt.Errorf("address %d+%d is outside the memory", p, n)
	}
	return b
}

// Text returns the bytes at p up to a zero byte.
func (in *Instance) Text(p uint32) string {
	if in.err != nil || p == 0 {
		return ""
	}
	return Text(in.module, p)
}

// PutUint32 writes v at p.
func (in *Instance) PutUint32(p, v uint32) {
	if b := in.View(p, 4); b != nil {
		binary.LittleEndian.PutUint32(b, v)
	}
}
