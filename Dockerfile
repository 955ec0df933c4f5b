FROM node:20-bookworm-slim AS build
WORKDIR /exchange
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev && rm -rf dist/test dist/bench

FROM node:20-bookworm-slim
WORKDIR /exchange
COPY --from=build /exchange/package.json ./
COPY --from=build /exchange/node_modules node_modules
COPY --from=build /exchange/dist dist
RUN mkdir data creatives && chown node:node data creatives
USER node
# Inside a container only its own network reaches the operations port; publish it to nobody.
ENV OPS_HOST=0.0.0.0
# The process is told itself: it stops being ready, drains for DRAIN_SECONDS, answers what is under way. Allow it that long.
STOPSIGNAL SIGTERM
EXPOSE 8080 8081 9090
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/main.js"]
