# Base images are named by the digest of their index (all architectures). To move to newer ones, ask for
# theirs: docker buildx imagetools inspect golang:1.26-alpine.

# What reads PDFs and scans, from npm, as the package-lock.json of docs/pdfium and docs/ocr pin it.
FROM node:24.19.0-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS engine
WORKDIR /engine/pdfium
COPY docs/pdfium/package.json docs/pdfium/package-lock.json docs/pdfium/.npmrc ./
RUN npm ci --ignore-scripts
WORKDIR /engine/ocr
COPY docs/ocr/package.json docs/ocr/package-lock.json docs/ocr/.npmrc ./
RUN npm ci --ignore-scripts

FROM golang:1.26.8-alpine@sha256:8ac98ca534ac3f51e1f420a1dd2c15e74c75cfa0f23f3ad27eb5d7236c349a0c AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=engine /engine/pdfium/node_modules/@embedpdf/pdfium/dist/pdfium.wasm docs/pdfium/wasm/pdfium.wasm
COPY --from=engine /engine/ocr/node_modules/tesseract.js-core/tesseract-core-simd-lstm.wasm docs/ocr/data/tesseract.wasm
COPY --from=engine /engine/ocr/node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz docs/ocr/data/eng.traineddata.gz
RUN printf '%s  %s\n' \
    5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa docs/pdfium/wasm/pdfium.wasm \
    34e8d50cac216427d86bf397d610fdd9f49492539bbcdfbfccc4eda20c810bea docs/ocr/data/tesseract.wasm \
    45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91 docs/ocr/data/eng.traineddata.gz | sha256sum -c -
ARG REVISION
RUN CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags "-s -w -X main.revision=$REVISION" \
    -o /out/bin/ ./cmd/threadkeeper ./cmd/evaluate
# One PDF read at build time leaves the compiled engine in the cache, so that the first upload does
# not wait for it.
RUN mkdir -p /out/data /out/cache /out/tmp && chmod 1777 /out/tmp && \
    echo "Who supplies the new roaster?" | \
    XDG_CACHE_HOME=/out/cache /out/bin/threadkeeper chat --json --db /tmp/warm.db --attach docs/testdata/sample.pdf >/dev/null && \
    chown -R 65532:65532 /out/data /out/cache

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/bin /bin
COPY --from=build /out/tmp /tmp
COPY --from=build --chown=65532:65532 /out/cache /cache
COPY --from=build --chown=65532:65532 /out/data /data
COPY LICENSE NOTICE THIRD_PARTY_NOTICES /
ENV HOME=/data XDG_DATA_HOME=/data XDG_CACHE_HOME=/cache
USER 65532:65532
VOLUME /data
# Slack's events by HTTP, where they are wanted.
EXPOSE 3000
WORKDIR /data
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["/bin/threadkeeper", "doctor", "--quick"]
ENTRYPOINT ["/bin/threadkeeper"]
CMD ["chat"]
