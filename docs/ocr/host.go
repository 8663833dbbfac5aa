package ocr

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental/table"

	"threadkeeper/docs/sandbox"
)

// The engine was linked for JavaScript, which has shortened all names. It expects an operating system
// and gets the time and, to read, its models.

// Names of exported functions.
const (
	start           = "U" // __wasm_call_ctors
	malloc          = "xf"
	free            = "wf"
	setThrew        = "Af"
	stackRestore    = "Bf"
	stackCurrent    = "Cf"
	newAPI          = "Kc" // TessBaseAPI::TessBaseAPI
	initAPI         = "ad" // Init(path, language, mode)
	setSegmentation = "gd" // SetPageSegMode
	setImage        = "ld" // SetImage(pixels, width, height, bytes per pixel, bytes per line)
	setResolution   = "nd" // SetSourceResolution
	recognise       = "Ed" // Recognize
	getTSV          = "Ld" // GetTSVText(page)
	clearAPI        = "Rd" // Clear
)

// Errors as the engine's C library numbers them.
const (
	badFile      = 8 // by WASI too
	noEntry      = 44
	noSyscall    = 52
	notATerminal = 59
)

var (
	errAborted = errors.New("the engine aborted")
	errLongjmp = errors.New("longjmp")
)

// files are what one process's engines open.
type files struct {
	models map[string][]byte
	open   map[uint32]*openFile
	next   uint32
}

type openFile struct {
	data []byte
	at   int64
}

type call = func(m api.Module, stack []uint64)

func answer(v int32) call {
	return func(_ api.Module, stack []uint64) {
		if len(stack) > 0 {
			stack[0] = uint64(uint32(v))
		}
	}
}

func abort(api.Module, []uint64) { panic(errAborted) }

// calls are what the engine may call outside itself, by its names for it.
func (f *files) calls() map[string]call {
	return map[string]call{
		"m": f.close, "o": f.opened(badFile, (*openFile).read), "E": f.opened(badFile, (*openFile).seek), "K": f.opened(-badFile, (*openFile).fstat),
		"I": f.statAt, "n": f.openAt,
		"p": answer(0),             // fcntl
		"H": getcwd,                //
		"O": answer(-notATerminal), // ioctl
		"v": answer(-noEntry), "w": answer(-noEntry),
		"x": answer(-noSyscall), "z": answer(0), // mmap, munmap
		"Q": answer(0), "A": answer(0), "B": answer(0), "C": answer(0), "D": answer(0), // the time zone
		"F": answer(0), "s": answer(0),
		"G": noEnvironment, "M": clock, "L": dateNow,
		"N": abort, "R": abort, "a": abort, "k": abort, "P": abort, "S": abort, "J": abort, "y": abort,
		"t": func(api.Module, []uint64) { panic(errLongjmp) },
	}
}

func link(f *files) func(context.Context, *sandbox.Module) error {
	return func(ctx context.Context, s *sandbox.Module) error {
		calls := f.calls()
		modules := s.Runtime.NewHostModuleBuilder("a")
		for _, imported := range s.Compiled.ImportedFunctions() {
			_, name, _ := imported.Import()
			params, results := imported.ParamTypes(), imported.ResultTypes()
			var code api.GoModuleFunc
			switch c, known := calls[name]; {
			case name == "u":
				code = sandbox.ResizeHeap
			case name == "l":
				code = sandbox.DiscardWrite
			case known:
				code = func(_ context.Context, m api.Module, stack []uint64) { c(m, stack) }
			default:
				code = invoke(params, results)
			}
			modules.NewFunctionBuilder().WithGoModuleFunction(code, params, results).Export(name)
		}
		_, err := modules.Instantiate(ctx)
		return err
	}
}

// invoke calls a function by its place in the table, as Emscripten's invoke_* do: a longjmp out of it ends here.
func invoke(params, results []api.ValueType) api.GoModuleFunc {
	inner := slices.Clone(params[1:])
	return func(ctx context.Context, m api.Module, stack []uint64) {
		var saved [2]uint64
		if err := m.ExportedFunction(stackCurrent).CallWithStack(ctx, saved[:]); err != nil {
			panic(err)
		}
		f := table.LookupFunction(m, 0, uint32(stack[0]), inner, results)
		copy(stack, stack[1:])
		err := f.CallWithStack(ctx, stack)
		if err == nil {
			return
		}
		if !errors.Is(err, errLongjmp) {
			panic(err)
		}
		if err := m.ExportedFunction(stackRestore).CallWithStack(ctx, saved[:]); err != nil {
			panic(err)
		}
		saved = [2]uint64{1, 0}
		if err := m.ExportedFunction(setThrew).CallWithStack(ctx, saved[:]); err != nil {
			panic(err)
		}
	}
}

func getcwd(m api.Module, stack []uint64) {
	m.Memory().Write(uint32(stack[0]), []byte("/\x00"))
	stack[0] = 2
}

func noEnvironment(m api.Module, stack []uint64) {
	m.Memory().WriteUint32Le(uint32(stack[0]), 0)
	m.Memory().WriteUint32Le(uint32(stack[1]), 0)
	stack[0] = 0
}

func clock(m api.Module, stack []uint64) {
	m.Memory().WriteUint64Le(uint32(stack[2]), uint64(time.Now().UnixNano()))
	stack[0] = 0
}

func dateNow(_ api.Module, stack []uint64) {
	stack[0] = api.EncodeF64(float64(time.Now().UnixMilli()))
}

// openAt: directory, path, flags, arguments → descriptor.
func (f *files) openAt(m api.Module, stack []uint64) {
	data, is := f.models[sandbox.Text(m, uint32(stack[1]))]
	if !is {
		answer(-noEntry)(m, stack)
		return
	}
	f.next++
	f.open[f.next] = &openFile{data: data}
	stack[0] = uint64(f.next)
}

func (f *files) close(m api.Module, stack []uint64) {
	delete(f.open, uint32(stack[0]))
	stack[0] = 0
}

// opened is a call whose first argument is the descriptor of an open file; for any other it answers with wrong.
func (f *files) opened(wrong int32, do func(file *openFile, m api.Module, stack []uint64)) call {
	return func(m api.Module, stack []uint64) {
		file := f.open[uint32(stack[0])]
		if file == nil {
			answer(wrong)(m, stack)
			return
		}
		do(file, m, stack)
		stack[0] = 0
	}
}

// read: descriptor, vectors, number of vectors, → bytes read.
func (file *openFile) read(m api.Module, stack []uint64) {
	total := uint32(0)
	for i := range uint32(stack[2]) {
		to, _ := m.Memory().ReadUint32Le(uint32(stack[1]) + 8*i)
		size, ok := m.Memory().ReadUint32Le(uint32(stack[1]) + 8*i + 4)
		if !ok || file.at >= int64(len(file.data)) {
			break
		}
		piece := file.data[file.at:min(file.at+int64(size), int64(len(file.data)))]
		m.Memory().Write(to, piece)
		file.at += int64(len(piece))
		total += uint32(len(piece))
	}
	m.Memory().WriteUint32Le(uint32(stack[3]), total)
}

// seek: descriptor, offset, from where, → position.
func (file *openFile) seek(m api.Module, stack []uint64) {
	from := [3]int64{0, file.at, int64(len(file.data))}[min(stack[2], 2)]
	file.at = max(0, from+int64(stack[1]))
	m.Memory().WriteUint64Le(uint32(stack[3]), uint64(file.at))
}

func (file *openFile) fstat(m api.Module, stack []uint64) {
	writeStat(m, uint32(stack[1]), len(file.data))
}

// statAt: directory, path, → what is known of the file, flags.
func (f *files) statAt(m api.Module, stack []uint64) {
	data, is := f.models[sandbox.Text(m, uint32(stack[1]))]
	if !is {
		answer(-noEntry)(m, stack)
		return
	}
	writeStat(m, uint32(stack[2]), len(data))
	stack[0] = 0
}

// writeStat writes musl's struct stat of an ordinary file.
func writeStat(m api.Module, at uint32, size int) {
	var stat [96]byte
	binary.LittleEndian.PutUint32(stat[4:], 0o100644) // mode
	binary.LittleEndian.PutUint32(stat[8:], 1)        // links
	binary.LittleEndian.PutUint64(stat[24:], uint64(size))
	m.Memory().Write(at, stat[:])
}
