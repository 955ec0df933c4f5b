FROM node:24-bookworm-slim AS build
WORKDIR /exchange
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY dashboard/package.json dashboard/
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev --workspaces=false && rm -rf dist/test dist/bench

FROM node:24-bookworm-slim
WORKDIR /exchange
COPY --from=build /exchange/package.json ./
COPY --from=build /exchange/node_modules node_modules
COPY --from=build /exchange/dist dist
COPY --from=build /exchange/bin bin
# `exchange` is the command line: docker exec <container> exchange doctor.
RUN ln -s /exchange/bin/exchange.mjs /usr/local/bin/exchange
# Volumes that are mounted here take over whose they are.
RUN mkdir data creatives && chown 1000:1000 data creatives
# Of the user `node`, by number: orchestrators that refuse root see that it is none.
USER 1000:1000
ENV NODE_ENV=production
# Told in exchange_build_info: docker build --build-arg REVISION=$(git rev-parse HEAD) .
ARG REVISION=unknown
ENV REVISION=$REVISION
# Inside a container only its own network reaches the operations port; publish it to nobody.
ENV OPS_HOST=0.0.0.0
# The process is told itself: it stops being ready, drains for DRAIN_SECONDS, answers what is under way. Allow it that long.
STOPSIGNAL SIGTERM
EXPOSE 8080 8081 9090
# A request over bash's own /dev/tcp costs a fraction of starting another node.
HEALTHCHECK --interval=5s --timeout=3s --start-period=90s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${OPS_PORT:-9090} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["node", "--max-semi-space-size=64", "--heap-growing-percent=50", "--v8-pool-size=1", "dist/bundle/main.js"]
