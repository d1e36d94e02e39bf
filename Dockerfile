# syntax=docker/dockerfile:1
# One file for every Node process: --build-arg APP=gateway (or a service) gives its image, --target set-up the
# one that prepares databases, streams, buckets and the realm. docker-compose.yml pins the base image.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# Only the package.json files: while they are unchanged, the layer of installed packages is cached.
FROM ${NODE_IMAGE} AS manifests
COPY . /from
WORKDIR /from
RUN mkdir /to && cp --parents package.json package-lock.json apps/*/package.json libs/*/package.json tools/*/package.json /to

FROM ${NODE_IMAGE} AS build
ENV NX_DAEMON=false
WORKDIR /stoa
COPY --from=manifests /to ./
# npm runs only the install scripts that package.json allows.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund \
    && npm rebuild $(node -p "Object.entries(require('./package.json').allowScripts).filter(([, allowed]) => allowed).map(([name]) => name).join(' ')")
COPY . .
RUN npx nx run-many -t build

FROM build AS set-up
USER 1000:1000
CMD ["node", "tools/stack/src/main.ts", "set-up"]

# What one app needs at run time; `npm test` starts just this folder, without a container.
FROM build AS assembled
ARG APP
RUN node tools/images/src/main.ts "${APP}" /out

FROM ${NODE_IMAGE} AS app
ARG APP
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stoa-${APP}" \
    org.opencontainers.image.description="Stoa, a commission-free creator storefront: ${APP}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
COPY --from=assembled /out /stoa
WORKDIR /stoa/apps/${APP}
# The image's user "node", by number, because Kubernetes cannot check a name against root.
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "@stoa/telemetry/register", "dist/main.js"]
