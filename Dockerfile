# syntax=docker/dockerfile:1

# The PDF engine, from npm, as docs/pdfium/package-lock.json pins it.
FROM node:24-alpine AS engine
WORKDIR /engine
COPY docs/pdfium/package.json docs/pdfium/package-lock.json docs/pdfium/.npmrc ./
RUN npm ci --ignore-scripts

FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=engine /engine/node_modules/@embedpdf/pdfium/dist/pdfium.wasm docs/pdfium/wasm/pdfium.wasm
RUN echo "5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa  docs/pdfium/wasm/pdfium.wasm" | sha256sum -c -
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
