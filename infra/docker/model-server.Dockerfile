# syntax=docker/dockerfile:1
# The image of the GPU nodes: `docker build -f infra/docker/model-server.Dockerfile -t heddle/model-server .`
# For nodes without a GPU: --build-arg BASE=debian:13-slim --build-arg TORCH=cpu
ARG BASE=nvidia/cuda:12.8.1-base-ubuntu24.04@sha256:133c78a0575303be34164d0b90137a042172bdf60696af01a3c424ab402d86e2

# hadolint ignore=DL3006
FROM ${BASE} AS python
# Python as the release has it; torch brings CUDA's libraries, the base the driver's place. vLLM's kernels in Triton are
# compiled where they run, which takes a C compiler.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates gcc libc6-dev python3 python3-dev python3-venv tini \
  && rm -rf /var/lib/apt/lists/*

FROM python AS build
ARG TORCH=cuda
ARG TORCH_INDEX=
WORKDIR /app
COPY scripts/model-server.sh ./scripts/
COPY proto ./proto
COPY model-server ./model-server
RUN HEDDLE_TORCH="$TORCH" HEDDLE_TORCH_INDEX="$TORCH_INDEX" ./scripts/model-server.sh && rm -rf model-server/tests model-server/bench

FROM python
WORKDIR /app
COPY --from=build /app/model-server ./model-server
# Volumes that are mounted here belong to who writes them.
RUN install -d -o 10001 -g 10001 /models /cache
ENV PATH=/app/model-server/.venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
USER 10001:10001
EXPOSE 50051
ENTRYPOINT ["tini", "--", "python", "-m", "heddle_model_server"]
CMD ["serve"]
