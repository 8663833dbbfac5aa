# Everything needs Go 1.26, make and npm; `make test` also a C compiler, for the race detector.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

PDFIUM      := docs/pdfium
ENGINE      := $(PDFIUM)/wasm/pdfium.wasm
ENGINE_SUM  := 5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa
SUM         := $(shell command -v sha256sum >/dev/null && echo sha256sum || echo shasum -a 256)
CHECK_SUM    = [ "$$($(SUM) < $(1) | cut -d' ' -f1)" = $(ENGINE_SUM) ]

.PHONY: build run engine test bench lint clean

## build: bin/threadkeeper and bin/evaluate, static
build: engine
	@mkdir -p bin
	CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/ ./cmd/threadkeeper ./cmd/evaluate

## run: the assistant in this terminal
run: build
	@bin/threadkeeper chat

## engine: PDFium in WebAssembly, by npm, checked; nothing to do when it is there
engine:
	@if [ -f $(ENGINE) ] && $(call CHECK_SUM,$(ENGINE)); then exit 0; fi; \
	command -v npm >/dev/null || { echo 'The PDF engine comes through npm: install Node.js with npm, then run make again.' >&2; exit 1; }; \
	echo 'Obtaining the PDF engine …' >&2; \
	(cd $(PDFIUM) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2; \
	cp $(PDFIUM)/node_modules/@embedpdf/pdfium/dist/pdfium.wasm $(ENGINE).new; \
	$(call CHECK_SUM,$(ENGINE).new) || { rm -f $(ENGINE).new; echo 'The PDF engine that npm delivered is not the one that was checked (SHA-256 differs).' >&2; exit 1; }; \
	mv $(ENGINE).new $(ENGINE)

## test: every test, offline, with the race detector
test: engine
	go test -race ./...

## bench: speed and size on this machine, and pdf.js beside it; PDF=file.pdf reads another file
bench: build
	@cd $(PDFIUM)/bench && npm ci --no-audit --no-fund --loglevel=error >&2
	@cmd/evaluate/bench $(PDF)

## lint: vet and staticcheck
lint:
	go vet ./... ./docs/testdata/make
	go run $(STATICCHECK) ./... ./docs/testdata/make

clean:
	rm -rf bin $(PDFIUM)/node_modules $(PDFIUM)/bench/node_modules $(ENGINE)
