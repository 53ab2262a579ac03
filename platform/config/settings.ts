/** Every setting of Heddle, grouped by what it is about, and which groups each process reads. */
import { REDIS_ADDRESS } from '../redis/redis-url.js'
import {
  bytes,
  choice,
  count,
  flag,
  optional,
  port,
  ranges,
  required,
  seconds,
  text,
  url,
} from './setting.js'

const MIB = 2 ** 20

const address = {
  host: text({
    variable: 'HEDDLE_HOST',
    fallback: '127.0.0.1',
    kind: 'address',
    doc: 'The address to listen on. The default answers this machine alone; 0.0.0.0 answers everyone who can reach it, so put TLS in front.',
  }),
  port: port({
    variable: 'HEDDLE_PORT',
    fallback: 8080,
    doc: 'The port of the tracing interface, `/openapi.json` and `/docs`.',
  }),
  metricsPort: port({
    variable: 'HEDDLE_METRICS_PORT',
    fallback: 9464,
    doc: 'The port of `/metrics`, `/livez` and `/readyz`, which ask for no key.',
  }),
  bodyMemory: bytes({
    variable: 'HEDDLE_BODY_MEMORY',
    fallback: '192MiB',
    min: 32 * MIB,
    doc: 'Most bytes of request bodies held at once; past it requests are answered 503 with Retry-After.',
  }),
  stopSeconds: seconds({
    variable: 'HEDDLE_STOP_SECONDS',
    fallback: 20,
    min: 0,
    max: 3600,
    doc: 'How long a stopping process waits for requests under way.',
  }),
}

const server = {
  clickhouseUrl: url({
    variable: 'CLICKHOUSE_URL',
    doc: 'The HTTP address of a ClickHouse server.',
  }),
  clickhouseUser: text({
    variable: 'CLICKHOUSE_USER',
    fallback: 'default',
    doc: 'The user at that server.',
  }),
  clickhousePassword: optional({
    variable: 'CLICKHOUSE_PASSWORD',
    secret: true,
    doc: 'The password of that user.',
  }),
  clickhouseDatabase: optional({
    variable: 'CLICKHOUSE_DATABASE',
    kind: 'name',
    pattern: /^[A-Za-z_]\w{0,62}$/,
    must: 'a name of letters, digits and _',
    doc: 'The database for the tables; the default is `default`.',
  }),
  clickhouseCluster: optional({
    variable: 'CLICKHOUSE_CLUSTER',
    kind: 'name',
    pattern: /^[A-Za-z_]\w{0,62}$/,
    must: 'a cluster name of letters, digits and _',
    doc: 'The name of the cluster, as `system.clusters` lists it: Replicated engines and Distributed tables.',
  }),
  clickhouseQuorum: optional({
    variable: 'CLICKHOUSE_INSERT_QUORUM',
    kind: 'auto or number',
    pattern: /^(auto|\d)$/,
    must: 'auto (most replicas), or a number of replicas, 0 for the one that was asked',
    doc: 'On a cluster: how many replicas of a shard have a row before it is acknowledged. Unset or auto: most of them; 0: the one that was asked.',
  }),
}

const embedded = {
  ...server,
  clickhouseUrl: url({
    variable: 'CLICKHOUSE_URL',
    doc: 'The HTTP address of a ClickHouse server. Unset: the embedded engine, with its data in the data folder.',
  }),
  dataDir: text({
    variable: 'HEDDLE_DATA_DIR',
    fallback: './data',
    kind: 'folder',
    doc: 'Where the embedded engine and the development key live.',
  }),
  engineMemory: bytes({
    variable: 'HEDDLE_ENGINE_MEMORY',
    fallback: '600MiB',
    min: 256 * MIB,
    doc: 'Most memory of the embedded engine for queries, merges and caches together.',
  }),
}

const development = {
  devApiKey: optional({
    variable: 'HEDDLE_DEV_API_KEY',
    secret: true,
    pattern: /^[\x21-\x7e]{16,256}$/,
    must: '16 to 256 printable characters without spaces',
    doc: 'Fixes the development key. Unset: one is made at first run and kept in the data folder.',
  }),
}

const logs = {
  logLevel: choice({
    variable: 'HEDDLE_LOG_LEVEL',
    fallback: 'info',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    doc: 'The least important lines that are written.',
  }),
  logFormat: choice({
    variable: 'HEDDLE_LOG_FORMAT',
    fallback: 'auto',
    values: ['auto', 'json', 'text'],
    doc: 'JSON lines, or text for eyes; auto is text on a terminal.',
  }),
  slowSeconds: seconds({
    variable: 'HEDDLE_SLOW_SECONDS',
    fallback: 5,
    min: 0,
    max: 3600,
    doc: 'Requests that take longer are logged.',
  }),
}

/** Names that every OpenTelemetry program knows; the SDK reads more of them itself. */
const spans = {
  otlpEndpoint: url({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    doc: 'The collector for spans of what Heddle itself does; `/v1/traces` is added. Unset: there are none. Never Heddle.',
  }),
  otlpTracesEndpoint: url({
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    doc: 'The same with its path, in the place of the other.',
  }),
  otlpProtocol: optional({
    variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    kind: 'http/protobuf',
    doc: 'How spans are sent; http/protobuf alone is known.',
  }),
  otlpHeaders: optional({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: 'name=value,…',
    secret: true,
    doc: 'Headers for the collector, such as its key.',
  }),
  otelService: optional({
    variable: 'OTEL_SERVICE_NAME',
    kind: 'name',
    doc: 'The name of the service in spans. Unset: `heddle-` and the role.',
  }),
  otelAttributes: optional({
    variable: 'OTEL_RESOURCE_ATTRIBUTES',
    kind: 'name=value,…',
    doc: 'What else is said of the process in spans.',
  }),
  otelSampler: optional({
    variable: 'OTEL_TRACES_SAMPLER',
    kind: 'name',
    doc: 'Which traces are sent, such as parentbased_traceidratio. Unset: all that callers do not say otherwise of.',
  }),
  otelSamplerArg: optional({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    kind: '0 to 1',
    doc: 'The part of them, for samplers that take one.',
  }),
  otelDisabled: flag({
    variable: 'OTEL_SDK_DISABLED',
    fallback: false,
    doc: 'Whether there are no spans whatever else is set.',
  }),
}

/** Requests under way at once, on all ports of a process together. */
const atOnce = {
  queriesPerKey: count({
    variable: 'HEDDLE_QUERIES_PER_KEY',
    fallback: 32,
    min: 1,
    max: 100_000,
    doc: 'Most reads of one key at the same time; further ones are answered 429.',
  }),
  queriesPerEntity: count({
    variable: 'HEDDLE_QUERIES_PER_ENTITY',
    fallback: 64,
    min: 1,
    max: 100_000,
    doc: 'Most reads of all keys of one entity at the same time. A key with rights in several entities counts for its user instead.',
  }),
  writesPerKey: count({
    variable: 'HEDDLE_WRITES_PER_KEY',
    fallback: 128,
    min: 1,
    max: 100_000,
    doc: 'Most writes of one key at the same time, but calls and spans, which are bounded by their bytes.',
  }),
  writesPerEntity: count({
    variable: 'HEDDLE_WRITES_PER_ENTITY',
    fallback: 256,
    min: 1,
    max: 100_000,
    doc: 'Most writes of all keys of one entity at the same time.',
  }),
}

const reads = {
  querySeconds: seconds({
    variable: 'HEDDLE_QUERY_SECONDS',
    fallback: 60,
    min: 1,
    max: 3600,
    doc: 'Most time of one query; past it 504.',
  }),
  queryMemory: bytes({
    variable: 'HEDDLE_QUERY_MEMORY',
    fallback: '400MiB',
    min: 16 * MIB,
    doc: 'Most memory of one query; past it 502.',
  }),
  queryReadBytes: bytes({
    variable: 'HEDDLE_QUERY_READ_BYTES',
    fallback: '100GiB',
    min: MIB,
    doc: 'Most bytes that one query reads from the store; past it 502.',
  }),
  readOverflow: bytes({
    variable: 'HEDDLE_READ_OVERFLOW',
    fallback: '1GiB',
    min: 0,
    doc: 'Most disk space in which results wait for slow readers, in the data folder or else the folder for temporary files; past it slow readers hold up their queries.',
  }),
}

const redis = {
  redisUrl: optional({
    variable: 'REDIS_URL',
    kind: 'address',
    secret: true,
    pattern: REDIS_ADDRESS,
    must: 'an address such as redis://127.0.0.1:6379, redis-sentinel://one:26379,two:26379/main or redis-cluster://one:6379,two:6379',
    doc: 'The Redis of queues, and through which several processes agree on decisions with one winner. Unset: one process decides alone, and `heddle up` starts a Redis for queues.',
  }),
}

const artifacts = {
  artifacts: optional({
    variable: 'HEDDLE_ARTIFACTS',
    kind: 'folder or s3://bucket/prefix',
    doc: 'Where large files lie. Unset: in the data folder, or in ClickHouse where there is none.',
  }),
  fileInline: bytes({
    variable: 'HEDDLE_FILE_INLINE',
    fallback: '8MiB',
    min: 0,
    doc: 'Files up to this size lie in ClickHouse, larger ones with the artifacts.',
  }),
  s3Endpoint: url({
    variable: 'HEDDLE_S3_ENDPOINT',
    doc: 'The address of an S3-compatible store, such as MinIO. Unset: that of AWS.',
  }),
  s3Region: text({
    variable: 'AWS_REGION',
    fallback: 'us-east-1',
    kind: 'name',
    doc: 'The region of that store.',
  }),
  s3KeyId: optional({
    variable: 'AWS_ACCESS_KEY_ID',
    doc: 'The key for that store. Unset: keys are found as AWS SDKs find them: a profile, a web identity, a role of the container or the machine.',
  }),
  s3Secret: optional({ variable: 'AWS_SECRET_ACCESS_KEY', secret: true, doc: 'The secret of that key.' }),
  s3Session: optional({
    variable: 'AWS_SESSION_TOKEN',
    secret: true,
    doc: 'With temporary keys, their token.',
  }),
}

const secrets = {
  secretsKey: optional({
    variable: 'HEDDLE_SECRETS_KEY',
    secret: true,
    pattern: /^.{16,}$/s,
    must: 'a text of at least 16 characters',
    doc: 'The key under which the keys of model providers are stored. Keep it: without it they have to be set again.',
  }),
}

const providers = {
  ...secrets,
  providerSeconds: seconds({
    variable: 'HEDDLE_PROVIDER_SECONDS',
    fallback: 180,
    min: 1,
    max: 3600,
    doc: 'Most time that a model provider may take for an answer.',
  }),
  allowPrivateAddresses: ranges({
    variable: 'HEDDLE_ALLOW_PRIVATE_ADDRESSES',
    doc: 'Ranges outside the public internet where model providers may lie. Whoever may write can make this machine send requests there.',
  }),
}

const writes = {
  decodeThreads: count({
    variable: 'HEDDLE_DECODE_THREADS',
    fallback: 1,
    min: 1,
    max: 64,
    doc: 'Threads that decode what comes in.',
  }),
}

const chatWaiting = {
  chatQueue: count({
    variable: 'HEDDLE_CHAT_QUEUE',
    fallback: 5000,
    min: 1,
    max: 1_000_000,
    doc: 'Chat completions of one base model that may wait for a place on a node; past it 429 for entities of which as many wait as their equal share of it, or more.',
  }),
  chatQueuePerEntity: count({
    variable: 'HEDDLE_CHAT_QUEUE_PER_ENTITY',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
    doc: 'Most chat completions of one base model and one entity that may wait; past it 429. Entities are served in turns.',
  }),
  chatQueuePerKey: count({
    variable: 'HEDDLE_CHAT_QUEUE_PER_KEY',
    fallback: 500,
    min: 1,
    max: 1_000_000,
    doc: 'Most chat completions of one base model and one key that may wait; past it 429.',
  }),
  chatSeconds: seconds({
    variable: 'HEDDLE_CHAT_SECONDS',
    fallback: 600,
    min: 1,
    max: 86_400,
    doc: 'Most time of one chat completion, waiting included; past it 504.',
  }),
  nodeReturnSeconds: seconds({
    variable: 'HEDDLE_NODE_RETURN_SECONDS',
    fallback: 120,
    min: 0,
    max: 86_400,
    doc: 'How long after a node went chat completions of its model wait for it to come back, within HEDDLE_CHAT_SECONDS; past it 503. Longer than a node takes to be started again. A node that is paused while it trains is waited for as long as it is.',
  }),
}

const chatLimits = {
  ...chatWaiting,
  chatRequestsPerMinute: count({
    variable: 'HEDDLE_CHAT_REQUESTS_PER_MINUTE',
    fallback: 0,
    min: 0,
    max: 1_000_000_000,
    doc: 'Most chat completions a minute of one key; past it 429. 0: any number.',
  }),
  chatTokensPerMinute: count({
    variable: 'HEDDLE_CHAT_TOKENS_PER_MINUTE',
    fallback: 0,
    min: 0,
    max: 1_000_000_000,
    doc: 'Most tokens a minute of one key, of prompts and answers together; past it 429. 0: any number.',
  }),
}

const chat = {
  trainingPort: port({
    variable: 'HEDDLE_TRAINING_PORT',
    fallback: 8081,
    doc: 'The port of the training and chat interface, and its `/openapi.json`.',
  }),
  ...chatLimits,
  trainingQueue: count({
    variable: 'HEDDLE_TRAINING_QUEUE',
    fallback: 1000,
    min: 0,
    max: 1_000_000,
    doc: 'Most training jobs of one entity that may wait or run; past it 429. Nodes are given to entities in turns. 0: any number.',
  }),
  trainingData: bytes({
    variable: 'HEDDLE_TRAINING_DATA',
    fallback: '16GiB',
    min: 0,
    doc: 'Most bytes of training data of one entity in jobs that wait or run, and on their way to them; past it 429. 0: any number.',
  }),
}

const nodesAbout = {
  variable: 'HEDDLE_NODES',
  kind: 'addresses',
  pattern: /^[^\s,]+(\s*,\s*[^\s,]+)*$/,
  must: 'addresses such as 10.0.0.5:8090, with commas between them',
}

const nodes = {
  nodes: optional({
    ...nodesAbout,
    doc: 'Where the GPU nodes listen: host:port of each, with commas between them.',
  }),
  nodeToken: optional({
    variable: 'HEDDLE_NODE_TOKEN',
    secret: true,
    doc: 'The token that nodes ask for.',
  }),
  nodeCa: optional({
    variable: 'HEDDLE_NODE_CA',
    kind: 'file',
    doc: 'The certificate of the nodes, or of who signed theirs: then connections to them are encrypted.',
  }),
}

const localNodes = {
  ...nodes,
  nodes: optional({
    ...nodesAbout,
    doc: 'Where the GPU nodes listen: host:port of each, with commas between them. Unset: one node on this machine, where `scripts/model-server.sh` was run.',
  }),
  model: optional({
    variable: 'HEDDLE_MODEL',
    kind: 'folder or name',
    doc: 'The base model of the node on this machine: a folder, or a name on the Hugging Face hub. Unset: a tiny demo model.',
  }),
  modelServerSetup: flag({
    variable: 'HEDDLE_MODEL_SERVER_SETUP',
    fallback: false,
    doc: 'Whether to install the packages of the node on this machine where they are missing, as `make run` does: Python and torch, a few minutes, once.',
  }),
  chat: flag({
    variable: 'HEDDLE_CHAT',
    fallback: true,
    doc: 'Whether to start what chat needs: Redis, a worker, a node, and the training interface.',
  }),
  evaluations: flag({
    variable: 'HEDDLE_EVALUATIONS',
    fallback: true,
    doc: 'Whether to start the worker that runs evaluations, where chat is on or REDIS_URL is set.',
  }),
}

const evaluations = {
  evaluationJobs: count({
    variable: 'HEDDLE_EVALUATION_JOBS',
    fallback: 4,
    min: 1,
    max: 1000,
    doc: 'Evaluations that one worker runs at once.',
  }),
  evaluationRows: count({
    variable: 'HEDDLE_EVALUATION_ROWS',
    fallback: 8,
    min: 1,
    max: 1000,
    doc: 'Rows of one evaluation that are asked about at once.',
  }),
  evaluationTries: count({
    variable: 'HEDDLE_EVALUATION_TRIES',
    fallback: 5,
    min: 1,
    max: 100,
    doc: "How often a model is asked about a row before its failure is the row's error; what another try will not mend is asked once.",
  }),
  evaluationPatience: count({
    variable: 'HEDDLE_EVALUATION_PATIENCE_SECONDS',
    fallback: 900,
    min: 0,
    max: 86_400,
    doc: 'Seconds for which an evaluation waits for a model that can not be had, from its last answer; rows that were not scored then fail the run.',
  }),
}

const training = {
  trainNodes: optional({
    ...nodesAbout,
    variable: 'HEDDLE_TRAIN_NODES',
    doc: 'Where the GPU nodes listen that train: host:port of each, with commas between them. Unset: those of HEDDLE_NODES.',
  }),
  keepCheckpoints: count({
    variable: 'HEDDLE_KEEP_CHECKPOINTS',
    fallback: 0,
    min: 0,
    max: 1_000_000,
    doc: 'How many of the newest checkpoints of a model stay when a job has ended. 0: all.',
  }),
  keepBest: optional({
    variable: 'HEDDLE_KEEP_BEST',
    kind: 'metric',
    pattern: /^-?[^\s,]+$/,
    must: 'the name of a metric, such as reward, or -loss where less is better',
    doc: 'The metric by which the best checkpoint stays as well; with a minus before it where less is better.',
  }),
  loraRank: count({
    variable: 'HEDDLE_LORA_RANK',
    fallback: 0,
    min: 0,
    max: 1024,
    doc: 'The rank of new adapters. 0: what the recipe takes. Nodes serve ranks up to their HEDDLE_NODE_MAX_ADAPTER_RANK (16), and refuse to train others.',
  }),
  loraTargets: optional({
    variable: 'HEDDLE_LORA_TARGETS',
    kind: 'names',
    pattern: /^[\w.]+(\s*,\s*[\w.]+)*$/,
    must: 'names of linear layers with commas between them, such as q_proj, v_proj',
    doc: 'The layers that new adapters change. Unset: every linear layer but the head.',
  }),
  trainSaveSteps: optional({
    variable: 'HEDDLE_TRAIN_SAVE_STEPS',
    kind: 'number',
    pattern: /^\d{1,9}$/,
    must: 'a whole number',
    doc: 'Gradient steps between the states from which a job that was interrupted goes on; 0: none but the last. Unset: what the node takes.',
  }),
}

const tracing = {
  tracingUrl: url({
    variable: 'HEDDLE_TRACING_URL',
    doc: 'The address of the tracing interface, for callers who want their chat completions logged there, or train on what it holds.',
  }),
}

const trainingAddress = {
  trainingUrl: url({
    variable: 'HEDDLE_TRAINING_URL',
    doc: 'The address of the training interface, for the page that shows how jobs train and for commands. Unset: the one on this machine, for a process of its own none.',
  }),
}

/** One schema a process: types, defaults, `--help` and the docs table come from here. */
export const processes = {
  up: {
    ...address,
    ...atOnce,
    ...embedded,
    ...development,
    ...writes,
    ...reads,
    ...artifacts,
    ...providers,
    ...redis,
    ...chat,
    ...localNodes,
    ...training,
    ...evaluations,
    ...logs,
    ...spans,
  },
  ingest: {
    ...address,
    ...atOnce,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    ...writes,
    ...logs,
    ...spans,
  },
  query: {
    ...address,
    ...atOnce,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    ...reads,
    ...artifacts,
    ...providers,
    ...redis,
    ...chatLimits,
    ...trainingAddress,
    ...logs,
    ...spans,
  },
  tracing: {
    ...address,
    ...atOnce,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    ...writes,
    ...reads,
    ...artifacts,
    ...providers,
    ...redis,
    ...chatLimits,
    ...trainingAddress,
    ...logs,
    ...spans,
  },
  trainingApi: {
    ...address,
    ...atOnce,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    redisUrl: required(redis.redisUrl),
    ...chat,
    ...artifacts,
    allowPrivateAddresses: providers.allowPrivateAddresses,
    ...tracing,
    ...logs,
    ...spans,
  },
  inferenceWorker: {
    host: address.host,
    metricsPort: address.metricsPort,
    stopSeconds: address.stopSeconds,
    redisUrl: required(redis.redisUrl),
    ...nodes,
    nodes: required(nodes.nodes),
    ...logs,
    ...spans,
  },
  evaluationWorker: {
    host: address.host,
    metricsPort: address.metricsPort,
    stopSeconds: address.stopSeconds,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    redisUrl: required(redis.redisUrl),
    ...providers,
    ...chatWaiting,
    ...evaluations,
    ...logs,
    ...spans,
  },
  trainerWorker: {
    host: address.host,
    metricsPort: address.metricsPort,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    redisUrl: required(redis.redisUrl),
    ...nodes,
    ...training,
    ...artifacts,
    artifacts: required(artifacts.artifacts),
    ...logs,
    ...spans,
  },
  /** commands that do one thing with the store and end */
  tool: { ...embedded },
  secrets: { ...embedded, ...secrets },
  backup: { ...embedded, ...artifacts },
  /** commands that speak to a running Heddle over HTTP */
  client: {
    host: address.host,
    port: address.port,
    dataDir: embedded.dataDir,
    devApiKey: development.devApiKey,
  },
  /** the same over the training interface */
  trainingClient: {
    host: address.host,
    trainingPort: chat.trainingPort,
    ...trainingAddress,
    dataDir: embedded.dataDir,
    devApiKey: development.devApiKey,
  },
  doctor: {
    ...address,
    ...embedded,
    ...development,
    ...redis,
    ...secrets,
    trainingPort: chat.trainingPort,
    chat: localNodes.chat,
    nodes: localNodes.nodes,
    trainNodes: training.trainNodes,
    ...spans,
  },
}
