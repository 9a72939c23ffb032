FROM node:24-bookworm-slim AS package
WORKDIR /source
COPY . .
RUN npm ci && mkdir /package && npm pack --pack-destination /package

FROM node:24-bookworm-slim
# git: history of notebooks. ffmpeg: merging and converting audiobooks.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git ffmpeg \
  && rm -rf /var/lib/apt/lists/*
RUN --mount=from=package,source=/package,target=/package npm install --global /package/holdfast-*.tgz
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
ENV HOLDFAST_HOME=/data
VOLUME /data
EXPOSE 4870
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:4870/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["holdfast", "serve"]
