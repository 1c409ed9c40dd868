# svc-sim for other machines and for compose. .ci/docker-steps.mjs carries these steps out without Docker.
FROM node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e AS build
WORKDIR /build/src
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm pack --pack-destination ..
WORKDIR /build/app
RUN npm init -y && npm install --no-audit --no-fund --omit=dev ../svc-sim-*.tgz

FROM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/app /app
COPY docker/ /app/docker/
RUN mkdir /data && chown 1000:1000 /data
ENV PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
WORKDIR /data
USER 1000:1000
EXPOSE 4477
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s CMD ["node", "/app/docker/healthy.mjs"]
ENTRYPOINT ["sh", "/app/docker/start.sh"]
CMD ["--json"]
