# docker build -t hydrant .          docs/scaling.md says how to run it.
# The system of the image has the libc that the tests run on; musl would save some megabytes, and is not tested.

# The workspace has the Node.js of a clone, which the image brings itself.
FROM node:24.21.0-slim AS dependencies
WORKDIR /hydrant
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-slim AS build
WORKDIR /hydrant
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY LICENSE ./
COPY tools/build.ts tools/build-package.ts tools/build-console.ts tools/bundle.ts tools/bundle-loader.ts ./tools/
COPY packages ./packages
COPY src ./src
COPY console ./console
RUN npm run build

FROM node:24.21.0-slim
# Where an installed package lies, so that what it says names the command as it is typed here.
COPY package.json /usr/local/lib/node_modules/hydrant/package.json
COPY examples /usr/local/lib/node_modules/hydrant/examples
COPY --from=dependencies /hydrant/node_modules /usr/local/lib/node_modules/hydrant/node_modules
COPY --from=build /hydrant/dist /usr/local/lib/node_modules/hydrant/dist
# The link node_modules/hydrant-client leads here.
COPY --from=build /hydrant/packages/client/dist /usr/local/lib/node_modules/hydrant/packages/client
# /data: an embedded database, unless HYDRANT_DB names another. /api: the folder with api.yaml.
RUN ln -s /usr/local/lib/node_modules/hydrant/dist/cli/main.js /usr/local/bin/hydrant \
  && install -d -o node -g node /data /api
ENV NODE_ENV=production \
  HYDRANT_HOST=0.0.0.0 \
  HYDRANT_PORT=8080 \
  HYDRANT_OPS_PORT=9090 \
  HYDRANT_CONSOLE_PORT=off \
  HYDRANT_DB=sqlite:/data/hydrant.db
VOLUME /data
WORKDIR /api
EXPOSE 8080
# By number, so that whoever forbids root need not look the name up: it is the user "node" of the image.
USER 1000:1000
# The image has no curl. /healthz answers from the first moment on, but on SQLite not while a changed API file is being
# adopted: that has a minute.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HYDRANT_OPS_PORT.split(':').at(-1) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between: signals reach Hydrant.
ENTRYPOINT ["node", "/usr/local/lib/node_modules/hydrant/dist/cli/main.js"]
CMD ["serve"]
