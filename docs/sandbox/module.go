// Package sandbox runs programs compiled to WebAssembly (the PDF engine and the text recognition of
// scans) under wazero: no file system, no network, a memory limit. It owns their compilation, the cache of
// machine code, and the memory of their instances.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// ErrMemory: an instance needed more memory than its module's limit.
var ErrMemory = errors.New("the memory limit was reached")

// Supported reports why programs cannot run on this machine; nil if they can.
func Supported() error {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return fmt.Errorf("this needs an amd64 or arm64 processor, this is %s", runtime.GOARCH)
	}
	return nil
}

// Module is a compiled program; each piece of work gets an instance of its own from it.
type Module struct {
	Runtime  wazero.Runtime
	Compiled wazero.CompiledModule
	memoryMB int
	names    Names
}

// Names are a program's names for its memory functions.
type Names struct{ Malloc, Free string }

// Compile makes a module from code, or loads the machine code that an earlier process left in cacheDir (16 MB; 60 ms
// instead of more than a second; "" for none). An unusable cache is no error: the code is
// compiled without it. Instances have at most memoryMB MiB. link defines the functions the code may call outside itself.
func Compile(ctx context.Context, code []byte, memoryMB int, cacheDir string, n Names, link func(context.Context, *Module) error) (*Module, error) {
	m := &Module{memoryMB: memoryMB, names: n}
	err := errors.New("no directory")
	if cacheDir != "" {
		if err = m.compile(ctx, code, cacheDir); err != nil {
			fmt.Fprintf(os.Stderr, "compilation cache not used: %v\n", err)
		}
	}
	if err != nil {
		err = m.compile(ctx, code, "")
	}
	if err != nil {
		return nil, err
	}
	if err := link(ctx, m); err != nil {
		m.Close()
		return nil, fmt.Errorf("link: %w", err)
	}
	return m, nil
}

func (m *Module) compile(ctx context.Context, code []byte, cacheDir string) error {
	config := wazero.NewRuntimeConfigCompiler().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads | experimental.CoreFeaturesTailCall).
		WithMemoryLimitPages(uint32(m.memoryMB) * 16) // 64 KiB each
	if cacheDir != "" {
		// The cache is machine code that will be run: nobody else may write there.
		if err := os.MkdirAll(cacheDir, 0o700); err != nil {
			return err
		}
		cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
		if err != nil {
			return err
		}
		config = config.WithCompilationCache(cache)
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	compiled, err := r.CompileModule(ctx, code)
	if err != nil {
		r.Close(ctx)
		return fmt.Errorf("compile: %w", err)
	}
	m.Runtime, m.Compiled = r, compiled
	return nil
}

// Close ends all instances.
func (m *Module) Close() { m.Runtime.Close(context.Background()) }

// CacheDir returns where programs and tests of one user share compiled programs; "" if the machine has
// no such place.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "threadkeeper")
}
