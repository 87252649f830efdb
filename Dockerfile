# The image of Bellhop: see docs/operating/container.md.
#   docker build -t bellhop .

# Any Debian 12 or newer, or another Linux with glibc, that has Node.js 20, 22 or 24, npm and tar.
ARG BASE=node:22-bookworm-slim

# The package, as `npm pack` makes it. It is the same for every platform, so this stage is never emulated.
FROM --platform=$BUILDPLATFORM ${BASE} AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN mkdir /package && npm pack --silent --pack-destination /package

# The installation: the package, and its engines for the platform of the image.
FROM ${BASE} AS installation
# For instance "passwords" alone: an image for an external PostgreSQL and for endpoints of speech and search.
ARG ENGINES="database passwords search speech"
COPY --from=package /package /package
RUN npm install --prefix /usr/lib/bellhop --omit=dev --omit=optional --ignore-scripts /package/*.tgz \
  && /usr/lib/bellhop/node_modules/.bin/bellhop engines add ${ENGINES}

FROM ${BASE}
# PostgreSQL runs only for an account that has a name, and never as root.
RUN groupadd --gid 10001 bellhop \
  && useradd --uid 10001 --gid bellhop --home-dir /var/lib/bellhop --no-create-home --shell /usr/sbin/nologin bellhop \
  && install -d -m 700 -o bellhop -g bellhop /var/lib/bellhop
COPY --from=installation /usr/lib/bellhop /usr/lib/bellhop
COPY deploy/container/health.mjs /usr/lib/bellhop/health.mjs
RUN ln -s /usr/lib/bellhop/node_modules/.bin/bellhop /usr/local/bin/bellhop

# A number, because Kubernetes can only tell of a number that it is not root.
USER 10001:10001
WORKDIR /var/lib/bellhop
VOLUME /var/lib/bellhop
ENV NODE_ENV=production \
  BELLHOP_DATA_DIR=/var/lib/bellhop \
  HOST=0.0.0.0 \
  SIP_HOST=0.0.0.0 \
  WORKER_HTTP_PORT=3002
EXPOSE 3000 3001 3002 5060/tcp 5060/udp 5061/tcp
STOPSIGNAL SIGTERM
# The first start creates a database, and the first one of a new version migrates it.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30m --retries=3 \
  CMD ["node", "/usr/lib/bellhop/health.mjs"]
ENTRYPOINT ["bellhop"]
CMD ["serve"]
