# The command in an image, without its sources. Results go to /work, which belongs to its user:
#
#   docker build --tag antipode --build-arg ANTIPODE_BUILD_COMMIT="$(git rev-parse HEAD)" .
#   mkdir -p antipode-out
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD/antipode-out:/work/antipode-out" \
#     antipode certify tilt
#
# Make the folder first: docker makes a missing one as root. Without --user, user 10001 has to be
# able to write it. The commit is for certificates, which say "unknown" without it.
FROM rust:1.92-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
ARG ANTIPODE_BUILD_COMMIT=""
RUN cargo build --release --locked -p antipode -p antipode-checker

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Antipode" \
      org.opencontainers.image.description="Derives published claims about puzzles again and says which hold." \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /source/target/release/antipode /source/target/release/antipode-checker /usr/local/bin/
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/share/doc/antipode/
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /work antipode \
    && install --directory --owner=antipode --group=antipode /work /work/antipode-out
USER 10001:10001
WORKDIR /work
ENTRYPOINT ["antipode"]
CMD ["certify"]
