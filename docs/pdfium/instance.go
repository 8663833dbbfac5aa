package pdfium

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// instance is one initialised engine with a memory of its own; making one takes a millisecond. Its
// first failure sticks: every later call does nothing and answers 0, so a sequence of calls needs
// one check at its end. A failed instance must be closed, never used again.
type instance struct {
	module    api.Module
	ctx       context.Context // carries the outOfMemory flag to resizeHeap
	functions map[string]api.Function
	scratch   uint32 // 64 bytes for results by reference
	full      bool   // the memory limit was reached
	err       error
}

const scratchSize = 64

func (s *sandbox) newInstance(ctx context.Context) (*instance, error) {
	in := &instance{functions: map[string]api.Function{}}
	in.ctx = context.WithValue(ctx, outOfMemory{}, &in.full)
	var err error
	in.module, err = s.runtime.InstantiateModule(withAllocator(ctx, uint64(s.memoryMB)<<20), s.module,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	in.call("emscripten_stack_init")
	in.call("__wasm_call_ctors")
	const configSize, configVersion = 32, 2 // FPDF_LIBRARY_CONFIG
	config := in.alloc(configSize)
	copy(in.view(config, configSize), make([]byte, configSize))
	in.putUint32(config, configVersion)
	in.call("FPDF_InitLibraryWithConfig", uint64(config))
	in.free(config)
	in.scratch = in.alloc(scratchSize)
	if err := in.failure(); err != nil {
		in.close()
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	return in, nil
}

func (in *instance) close() { in.module.Close(context.Background()) }

// failure says why the instance is of no more use: ErrMemory if its memory could not grow before
// the fault, ErrDamaged after any other. A refused growth alone is no fault: for some allocations
// the engine has another way.
func (in *instance) failure() error {
	switch {
	case in.err != nil && in.full:
		return ErrMemory
	case in.err != nil:
		reason, _, _ := strings.Cut(in.err.Error(), "\n") // without the stack trace
		return fmt.Errorf("%w: %s", ErrDamaged, reason)
	}
	return nil
}

// call runs one exported function and returns its first result.
func (in *instance) call(name string, args ...uint64) uint64 {
	if in.err != nil {
		return 0
	}
	f := in.functions[name]
	if f == nil {
		if f = in.module.ExportedFunction(name); f == nil {
			in.err = fmt.Errorf("the engine has no %s", name)
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

// alloc returns zero, and fails the instance, when n bytes are not to be had.
func (in *instance) alloc(n uint32) uint32 {
	p := uint32(in.call("malloc", uint64(n)))
	if p == 0 && in.err == nil {
		in.full = true
		in.err = ErrMemory
	}
	return p
}

func (in *instance) free(p uint32) {
	if p != 0 {
		in.call("free", uint64(p))
	}
}

// view is n bytes of the engine's memory itself, valid until the next call; nil after a failure.
func (in *instance) view(p, n uint32) []byte {
	if in.err != nil {
		return nil
	}
	b, ok := in.module.Memory().Read(p, n)
	if !ok {
		in.err = fmt.Errorf("address %d+%d is outside the engine's memory", p, n)
	}
	return b
}

func (in *instance) putUint32(p, v uint32) {
	if b := in.view(p, 4); b != nil {
		binary.LittleEndian.PutUint32(b, v)
	}
}

// int32At, float32At and float64At read the i-th value of its size from the scratch memory.
func (in *instance) int32At(i int) int32 {
	if b := in.view(in.scratch, scratchSize); b != nil {
		return int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return 0
}

func (in *instance) float32At(i int) float64 {
	return float64(math.Float32frombits(uint32(in.int32At(i))))
}

func (in *instance) float64At(i int) float64 {
	if b := in.view(in.scratch, scratchSize); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return 0
}

// out is the address of the i-th value of size bytes in the scratch memory.
func (in *instance) out(i, size int) uint64 { return uint64(in.scratch) + uint64(i*size) }
