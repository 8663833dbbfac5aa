# Everything needs Go 1.26, make and npm; `make test` also a C compiler, for the race detector.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

REVISION    ?= $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

FAKESLACK   := bot/slack/fakeslack
FAKEDISCORD := bot/discord/fakediscord
PDFIUM      := docs/pdfium
OCR         := docs/ocr
SUM         := $(shell command -v sha256sum >/dev/null && echo sha256sum || echo shasum -a 256)
# What is embedded: the folder of its package.json, the file in its node_modules, the file it becomes, its SHA-256.
ENGINES := \
	$(PDFIUM):@embedpdf/pdfium/dist/pdfium.wasm:wasm/pdfium.wasm:5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa \
	$(OCR):tesseract.js-core/tesseract-core-simd-lstm.wasm:data/tesseract.wasm:34e8d50cac216427d86bf397d610fdd9f49492539bbcdfbfccc4eda20c810bea \
	$(OCR):@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz:data/eng.traineddata.gz:45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91

# One set of flags for all, so that a package is compiled once and not once for each command; the race detector needs cgo.
export GOFLAGS += -trimpath -buildvcs=false
export CGO_ENABLED = 0

.PHONY: build release cross run engine test quick torture bench load certify-slack certify-discord lint clean

## build: bin/threadkeeper and bin/evaluate, static
build: engine
	@mkdir -p bin
	go build -ldflags '-s -w -X main.revision=$(REVISION)' -o bin/ ./cmd/threadkeeper ./cmd/evaluate

## release: bin/release/threadkeeper-VERSION-SYSTEM-PROCESSOR for all of them, static, with the engine inside; the image's context (docker build - < it); checksums
SYSTEMS := $(foreach os,linux darwin windows,$(addprefix $(os)/,amd64 arm64))
VERSION  = $(shell sed -n 's/^const version = "\(.*\)"/\1/p' cmd/threadkeeper/version.go)
release: engine
	@rm -rf bin/release && mkdir -p bin/release
	@for system in $(SYSTEMS); do \
		os=$${system%/*}; arch=$${system#*/}; name=threadkeeper-$(VERSION)-$$os-$$arch; [ $$os != windows ] || name=$$name.exe; \
		GOOS=$$os GOARCH=$$arch go build -ldflags '-s -w -X main.revision=$(REVISION)' -o bin/release/$$name ./cmd/threadkeeper; \
		tried=untested; [ $$system != "$$(go env GOHOSTOS)/$$(go env GOHOSTARCH)" ] || { bin/release/$$name version >/dev/null; tried='runs here'; }; \
		echo "$$name: $$tried"; \
	done
	@git archive --format=tar.gz -o bin/release/threadkeeper-$(VERSION)-image.tar.gz HEAD
	@cd bin/release && $(SUM) threadkeeper-* > SHA256SUMS && cat SHA256SUMS

## cross: what differs by system compiles for Windows and macOS too
cross:
	GOOS=windows GOARCH=amd64 go vet ./memory ./docs/pdfium
	GOOS=darwin GOARCH=arm64 go vet ./memory ./docs/pdfium

## run: the assistant in this terminal
run: build
	@bin/threadkeeper chat

## engine: what reads PDFs and scans, in WebAssembly, by npm, checked; nothing to do when it is there
engine:
	@for e in $(ENGINES); do \
		IFS=: read -r folder file target sum <<< "$$e"; \
		check() { [ -f "$$1" ] && [ "$$($(SUM) < "$$1" | cut -d' ' -f1)" = "$$sum" ]; }; \
		if check "$$folder/$$target"; then continue; fi; \
		command -v npm >/dev/null || { echo "$$target comes through npm: install Node.js with npm, then run make again." >&2; exit 1; }; \
		echo "Obtaining $$target …" >&2; \
		[ -f "$$folder/node_modules/$$file" ] || (cd "$$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2; \
		cp "$$folder/node_modules/$$file" "$$folder/$$target.new"; \
		check "$$folder/$$target.new" || { rm -f "$$folder/$$target.new"; echo "The $$target that npm delivered is not the one that was checked (SHA-256 differs)." >&2; exit 1; }; \
		mv "$$folder/$$target.new" "$$folder/$$target"; \
	done

## test: every test, offline; with the race detector where things happen side by side
# WATCHED packages share state between goroutines and run under the detector, but for the tests in ALONE, which look at words, at
# hostile and large files, or at what another test sees under it. Elsewhere only the tests in SIDE do: they run the whole program, several processes or several readers.
# The detector takes three to eight times as long. -skip and -run of one pattern leave nothing out.
WATCHED := ./bot/... ./agent/model/... ./docs/pdfium/...
ALONE   := TestNoAttack.* TestHostile(Output|FormsFit) TestForgedButtons TestCommandsAnswerInTheLanguageOfThePerson TestEveryCommandIsAnswered \
	TestConformanceByHTTP TestAnAnswerWithoutEndIsCutOff TestStableTextIsNotTakenBack TestAHostileEventIsTrimmed \
	TestNotesAreBounded TestPicture(Sizes|Errors) TestBadFiles TestNoReadablePageIsAnError TestBadPageIsNamedAndTheRestRead
SIDE    := TestCanaries TestABusyChannel \
	TestTheSameQuestionAtOnceWaitsForItsAnswer TestStoppedTurn TestCancelledCompactionIsHandedBack TestAFaultyModelLosesNothing TestAWholeReportIsRead TestDocumentsAreCompared \
	TestAHeldNameIsFreeAgain TestRunnersShareTheDatabaseAndImportHasItAlone TestTwoRunnersLoseAndDoubleNothing TestWritesThatWaitAreCommittedTogether \
	TestAddReadsTheSameBytesOnce TestAddReadsEveryKind TestAddContinuesAfterACrash TestRemoveWhileReading
SPACE   := $(subst ,, )
any      = ^($(subst $(SPACE),|,$(strip $(1))))$$
# of lists packages that have one of some tests: of(packages,tests)
of       = $$(grep -lE 'func $(patsubst ^%$$,%,$(call any,$(2)))\(t ' $$(go list -f '{{$$d := .Dir}}{{range .TestGoFiles}}{{$$d}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$d}}/{{.}} {{end}}' $(1)) | xargs -n1 dirname | sort -u)
rest     = $$(go list ./... | grep -vxF "$$(go list $(WATCHED))")
# The detector leaves out code of others that computes much and shares nothing: SQLite and its C library, translated from C, regular
# expressions, compression, the counting of tokens and the compiler of the PDF engine take most of the time otherwise.
# What uses sync.Map, or another generic type of locks, must stay in: the linker keeps one copy of it.
WAZERO    := github.com/tetratelabs/wazero/internal
UNWATCHED := $(foreach p,modernc.org/sqlite/lib modernc.org/libc modernc.org/memory regexp regexp/syntax compress/flate image/png hash/adler32 \
	github.com/pkoukk/tiktoken-go github.com/dlclark/regexp2/... $(WAZERO)/leb128 $(WAZERO)/wasm/binary \
	$(addprefix $(WAZERO)/engine/wazevo/,ssa frontend backend/...),-gcflags=$(p)=-race=false)
# Property tests draw the same each time; by hand, go test draws anew.
test watched plain quick: export RAPID_SEED := 17
# Side by side, for the program's tests wait for most of their time. The packages that take longest begin first.
test: engine
	+@$(MAKE) --no-print-directory -j 2 watched plain
.PHONY: watched plain
watched: export CGO_ENABLED = 1
watched:
	go test -race $(UNWATCHED) -skip '$(call any,$(ALONE))' -p 2 -parallel 8 -timeout 90m ./bot $(WATCHED)
	go test -race $(UNWATCHED) -run '$(call any,$(SIDE))' -p 2 -timeout 90m $(call of,$(rest),$(SIDE))
plain:
	go test -skip '$(call any,$(SIDE))' -p 2 -parallel 8 -timeout 90m ./cmd/threadkeeper ./agent $(rest)
	go test -run '$(call any,$(ALONE))' -p 2 -parallel 8 -timeout 90m $(call of,$(WATCHED),$(ALONE))

# What takes long beside those that skip themselves.
LONG := TestConversations TestEverydayMessages TestReplies TestLongAnswers TestFirstLine TestPromptFitsTheWindow TestASearchIsAlwaysLeft \
	TestAFollowingMessageIsMostlyCached TestAModelThatCountsMore TestEveryPromptIsAnnounced TestTheWeightiestNotesFillACell TestAPoorScanIs.* TestPicturesStayWithinThePrompt \
	TestUpgrade TestAPictureWithoutAVisionModelIsReadByOCR TestAScannedPageIsReadAndCited TestANoteOnAScanStays TestReadDOCXIsBounded TestHostileFilesAreRefused \
	TestALargeNumberOfPartsEnds TestALargePictureIsReadInLittleMemory TestAPictureIsStoredAsItIsSentToAModel TestAddSaysWhyAFileIsNotRead TestAnOversizedFileIsRefused TestAnArchiveIsUnpackedOnlySoFar \
	TestKill.* TestRestart.* TestInit.* TestDoctor.* TestTheReadme.*
## quick: vet, build and the fast tests, without the race detector; a package that has not changed takes no time
quick: engine
	go vet ./...
	go build ./...
	go test -short -skip '$(call any,$(ALONE) $(LONG))' ./...

## torture: long random histories of who may see what, and many kills of the program, on each platform; hours
TORTURE := -canaries 300 -canary-steps 200 -kills 100
torture: engine
	go test ./cmd/threadkeeper -count=1 -v -timeout 12h -run 'TestCanaries|TestKills' $(TORTURE)

## bench: speed and size on this machine, and pdf.js beside it; PDF=file.pdf reads another file
bench: build
	@cd $(PDFIUM)/bench && npm ci --no-audit --no-fund --loglevel=error >&2
	@cmd/evaluate/bench $(PDF)

## load: 200 messages a second for a minute on bin/threadkeeper, on both platforms; LOAD='-for 20s' is shorter and holds counts and order only
LOAD := -for 60s -strict
load: build
	go build -o bin/load ./cmd/load
	bin/load -platform slack $(LOAD)
	bin/load -platform discord $(LOAD)

## certify-slack: Slack's own SDK for Node as a client of our fake Slack, and its types over what is sent
certify-slack:
	@command -v npm >/dev/null || { echo "Slack's SDK comes through npm: install Node.js 20 or later with npm, then run make again." >&2; exit 1; }
	@cd $(FAKESLACK)/certify && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
	@cd $(FAKESLACK)/certify && node shapes.mjs $(abspath $(wildcard $(FAKESLACK)/testdata/requests.json bot/slack/testdata/requests.json bot/slack/testdata/look/*.json))
	@go run ./$(FAKESLACK)/certify

## certify-discord: discord.js as a client of our fake Discord, and our bodies against Discord's types
certify-discord:
	@cd $(FAKEDISCORD)/certify && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 && go run .

## lint: vet and staticcheck
lint:
	go vet ./... ./docs/testdata/make
	go run $(STATICCHECK) ./... ./docs/testdata/make

clean:
	rm -rf bin $(PDFIUM)/node_modules $(PDFIUM)/bench/node_modules $(FAKESLACK)/certify/node_modules $(FAKEDISCORD)/certify/node_modules $(OCR)/node_modules $(PDFIUM)/wasm/*.wasm $(OCR)/data/*.wasm $(OCR)/data/*.gz
