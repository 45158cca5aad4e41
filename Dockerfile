# The command in an image, without its sources. Results go to /work, which belongs to its user:
#
#   docker build --tag antipode .
#   docker run --rm --volume "$PWD/antipode-out:/work/antipode-out" antipode certify tilt
#
# The folder has to be writable for user 10001, or run with --user "$(id -u):$(id -g)".
FROM rust:1.92-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p antipode -p antipode-checker

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Antipode" \
      org.opencontainers.image.description="Derives published claims about puzzles again and says which hold." \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /source/target/release/antipode /source/target/release/antipode-checker /usr/local/bin/
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/share/doc/antipode/
RUN useradd --uid 10001 --create-home --home-dir /work antipode
USER antipode
WORKDIR /work
ENTRYPOINT ["antipode"]
CMD ["certify"]
