package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero/imports/emscripten"

	"threadkeeper/docs/sandbox"
)

type instance struct {
	*sandbox.Instance
	scratch uint32 // 64 bytes for results by reference
}

const scratchSize = 64

// newSandbox compiles the engine, or finds it compiled in cacheDir.
func newSandbox(ctx context.Context, memoryMB int, cacheDir string) (*sandbox.Module, error) {
	if err := available(engineFiles); err != nil {
		return nil, err
	}
	code, err := engineFiles.ReadFile(engineFile)
	if err != nil {
		return nil, err
	}
	s, err := sandbox.Compile(ctx, code, memoryMB, cacheDir, sandbox.Names{Malloc: "malloc", Free: "free"}, hostModules)
	if err != nil {
		return nil, fmt.Errorf("the engine: %w", err)
	}
	return s, nil
}

// hostModules defines all that the engine may call outside itself: see hostWASI and hostEnv.
func hostModules(ctx context.Context, s *sandbox.Module) error {
	wasi := s.Runtime.NewHostModuleBuilder("wasi_snapshot_preview1")
	env := s.Runtime.NewHostModuleBuilder("env")
	exceptions, err := emscripten.NewFunctionExporterForModule(s.Compiled) // invoke_*, longjmp
	if err != nil {
		return err
	}
	for _, f := range s.Compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		switch {
		case module == "wasi_snapshot_preview1":
			wasi.NewFunctionBuilder().WithGoModuleFunction(hostWASI(name), f.ParamTypes(), f.ResultTypes()).Export(name)
		case !isException(name):
			env.NewFunctionBuilder().WithGoModuleFunction(hostEnv(name), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	exceptions.ExportFunctions(env)
	if _, err := wasi.Instantiate(ctx); err != nil {
		return err
	}
	_, err = env.Instantiate(ctx)
	return err
}

func newInstance(ctx context.Context, s *sandbox.Module) (*instance, error) {
	program, err := s.Instance(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	in := &instance{Instance: program}
	in.Call("emscripten_stack_init")
	in.Call("__wasm_call_ctors")
	const configSize, configVersion = 32, 2 // FPDF_LIBRARY_CONFIG
	config := in.Alloc(configSize)
	copy(in.View(config, configSize), make([]byte, configSize))
	in.PutUint32(config, configVersion)
	in.Call("FPDF_InitLibraryWithConfig", uint64(config))
	in.Free(config)
	in.scratch = in.Alloc(scratchSize)
	if err := in.failure(); err != nil {
		in.Close()
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	return in, nil
}

// failure says why the instance is of no more use: ErrMemory if its memory could not grow before
// the fault, ErrDamaged after any other.
func (in *instance) failure() error {
	switch err := in.Err(); {
	case errors.Is(err, sandbox.ErrMemory):
		return ErrMemory
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// int32At, float32At and float64At read the i-th value of its size from the scratch memory.
func (in *instance) int32At(i int) int32 {
	if b := in.View(in.scratch, scratchSize); b != nil {
		return int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return 0
}

func (in *instance) float32At(i int) float64 {
	return float64(math.Float32frombits(uint32(in.int32At(i))))
}

func (in *instance) float64At(i int) float64 {
	if b := in.View(in.scratch, scratchSize); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return 0
}

// out is the address of the i-th value of size bytes in the scratch memory.
func (in *instance) out(i, size int) uint64 { return uint64(in.scratch) + uint64(i*size) }
