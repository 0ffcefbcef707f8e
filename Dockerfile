# Nadi in production: `docker compose up` (compose.yaml, docs/operations.md). The versions are those that npm test uses
# (scripts/deploy.test.ts compares them).
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
ENV NPM_CONFIG_AUDIT=false NPM_CONFIG_FUND=false NPM_CONFIG_UPDATE_NOTIFIER=false

# All packages, for the build.
FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --include=dev
COPY . .
RUN npm run build

# Runtime packages only.
FROM base AS packages
COPY package.json package-lock.json ./
# npm installs the compiler, because a runtime package names it as an optional peer.
RUN npm ci --omit=dev && rm -r node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver

FROM base
# DEMO=0: without its environment it lists what is missing, and is never a demo by mistake.
ENV NODE_ENV=production DEMO=0 DATA_DIR=/data HOST=0.0.0.0 PORT=3000
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json server.ts ./
COPY drizzle ./drizzle
COPY demo ./demo
# Node runs migrations and the commands of docs/operations.md from the sources, next to those of the server.
COPY scripts ./scripts
COPY --from=build /app/app ./app
COPY --from=build /app/build ./build
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.ts"]
