package pdfium

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// sandbox is the compiled engine; each document gets an instance of its own from it.
type sandbox struct {
	runtime  wazero.Runtime
	module   wazero.CompiledModule
	memoryMB int
}

// newSandbox compiles the engine, or loads the machine code that an earlier process left in
// cacheDir (16 MB; 60 ms instead of more than a second). A cache that cannot be used is not an
// error: the engine is compiled without it.
func newSandbox(ctx context.Context, memoryMB int, cacheDir string) (*sandbox, error) {
	if err := available(engineFiles); err != nil {
		return nil, err
	}
	wasm, err := engineFiles.ReadFile(engineFile)
	if err != nil {
		return nil, err
	}
	if cacheDir != "" {
		s, err := compile(ctx, wasm, memoryMB, cacheDir)
		if err == nil {
			return s, nil
		}
		fmt.Fprintf(os.Stderr, "compilation cache not used: %v\n", err)
	}
	return compile(ctx, wasm, memoryMB, "")
}

func compile(ctx context.Context, wasm []byte, memoryMB int, cacheDir string) (*sandbox, error) {
	config := wazero.NewRuntimeConfigCompiler().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads | experimental.CoreFeaturesTailCall).
		WithMemoryLimitPages(uint32(memoryMB) * 16) // 64 KiB each
	if cacheDir != "" {
		// The cache is machine code that will be run: nobody else may write there.
		if err := os.MkdirAll(cacheDir, 0o700); err != nil {
			return nil, err
		}
		cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(cache)
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	s := &sandbox{runtime: r, memoryMB: memoryMB}
	var err error
	if s.module, err = r.CompileModule(ctx, wasm); err != nil {
		r.Close(ctx)
		return nil, fmt.Errorf("compile the engine: %w", err)
	}
	if err := s.hostModules(ctx); err != nil {
		r.Close(ctx)
		return nil, fmt.Errorf("link the engine: %w", err)
	}
	return s, nil
}

// hostModules defines all that the engine may call outside itself: see hostWASI and hostEnv.
func (s *sandbox) hostModules(ctx context.Context) error {
	wasi := s.runtime.NewHostModuleBuilder("wasi_snapshot_preview1")
	env := s.runtime.NewHostModuleBuilder("env")
	exceptions, err := emscripten.NewFunctionExporterForModule(s.module) // invoke_*, longjmp
	if err != nil {
		return err
	}
	for _, f := range s.module.ImportedFunctions() {
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

func (s *sandbox) close() { s.runtime.Close(context.Background()) }

// defaultCacheDir is where programs and tests of one user share the compiled engine; "" if the
// machine has no such place.
func defaultCacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "threadkeeper")
}
