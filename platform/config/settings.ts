/** Every setting of Heddle, grouped by what it is about, and which groups each process reads. */
import { REDIS_ADDRESS } from '../redis/redis-url.js'
import {
  bytes,
  choice,
  count,
  flag,
  fraction,
  hosts,
  optional,
  origins,
  port,
  portOrOff,
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
    doc: 'The address to listen on. The default accepts connections from this machine only. 0.0.0.0 accepts them from everywhere: put a proxy with TLS in front.',
  }),
  port: port({
    variable: 'HEDDLE_PORT',
    fallback: 8080,
    doc: 'The port of the tracing interface, `/openapi.json` and `/docs`.',
  }),
  metricsPort: port({
    variable: 'HEDDLE_METRICS_PORT',
    fallback: 9464,
    doc: 'The port of `/metrics`, `/livez` and `/readyz`, which need no key.',
  }),
  trustedProxies: ranges({
    variable: 'HEDDLE_TRUSTED_PROXIES',
    doc: 'Addresses and networks of the proxies in front, such as 127.0.0.1 or 10.0.0.0/8, by commas. The address of a client is then the one that they name in `X-Forwarded-For`: limits of keys and of tries count by it, and the audit log has it. Unset: whoever connects is the client.',
  }),
  httpServer: choice({
    variable: 'HEDDLE_HTTP_SERVER',
    fallback: 'uws',
    values: ['uws', 'node'],
    doc: '`uws`: uWebSockets.js, which is the fastest. `node`: the server of Node.js, at about twice the CPU a request, where uWebSockets.js has no binary for the system, or for a proxy that speaks HTTP/1.0.',
  }),
  corsOrigins: origins({
    variable: 'HEDDLE_CORS_ORIGINS',
    doc: 'Origins of web pages that may call from browsers, such as `https://app.example.com`, separated by commas. `*`: all; a page still needs a key. Unset: none.',
  }),
  bodyMemory: bytes({
    variable: 'HEDDLE_BODY_MEMORY',
    fallback: '192MiB',
    min: 32 * MIB,
    doc: 'Maximum memory for request bodies. Beyond it, requests get 503 with Retry-After.',
  }),
  stopSeconds: seconds({
    variable: 'HEDDLE_STOP_SECONDS',
    fallback: 20,
    min: 0,
    max: 3600,
    doc: 'How long a stopping process waits for running requests.',
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
    doc: 'The ClickHouse user.',
  }),
  clickhousePassword: optional({
    variable: 'CLICKHOUSE_PASSWORD',
    secret: true,
    doc: 'The password of the ClickHouse user.',
  }),
  clickhouseDatabase: optional({
    variable: 'CLICKHOUSE_DATABASE',
    kind: 'name',
    pattern: /^[A-Za-z_]\w{0,62}$/,
    must: 'a name of letters, digits and _',
    doc: 'The database of the tables. Unset: `default`.',
  }),
  clickhouseCluster: optional({
    variable: 'CLICKHOUSE_CLUSTER',
    kind: 'name',
    pattern: /^[A-Za-z_]\w{0,62}$/,
    must: 'a cluster name of letters, digits and _',
    doc: 'The cluster, as `system.clusters` lists it. Tables are then replicated and distributed. Unset: a single server.',
  }),
  clickhouseQuorum: optional({
    variable: 'CLICKHOUSE_INSERT_QUORUM',
    kind: 'auto or number',
    pattern: /^(auto|\d)$/,
    must: 'auto (most replicas), or a number of replicas, 0 for the one that was asked',
    doc: 'On a cluster: how many replicas of a shard must store a row before it is acknowledged. Unset or auto: the majority. 0: only the replica that received it.',
  }),
}

const embedded = {
  ...server,
  clickhouseUrl: url({
    variable: 'CLICKHOUSE_URL',
    doc: 'The HTTP address of a ClickHouse server. Unset: the embedded engine stores everything in the data folder.',
  }),
  dataDir: text({
    variable: 'HEDDLE_DATA_DIR',
    fallback: './data',
    kind: 'folder',
    doc: "The folder of the embedded engine's data and the development key.",
  }),
  engineMemory: bytes({
    variable: 'HEDDLE_ENGINE_MEMORY',
    fallback: '600MiB',
    min: 256 * MIB,
    doc: 'Maximum memory of the embedded engine: queries, merges and caches.',
  }),
  engineLog: flag({
    variable: 'HEDDLE_ENGINE_LOG',
    fallback: true,
    doc: 'Acknowledge calls when they are in a log on disk, and store many at once. false: store each write before it is acknowledged.',
  }),
}

const development = {
  devApiKey: optional({
    variable: 'HEDDLE_DEV_API_KEY',
    secret: true,
    pattern: /^[\x21-\x7e]{16,256}$/,
    must: '16 to 256 printable characters without spaces',
    doc: 'The development key. Unset: one is generated at the first start and kept in the data folder.',
  }),
}

const logs = {
  logLevel: choice({
    variable: 'HEDDLE_LOG_LEVEL',
    fallback: 'info',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    doc: 'The lowest level that is logged.',
  }),
  logFormat: choice({
    variable: 'HEDDLE_LOG_FORMAT',
    fallback: 'auto',
    values: ['auto', 'json', 'text'],
    doc: 'The format of log lines. auto: text on a terminal, else JSON.',
  }),
  slowSeconds: seconds({
    variable: 'HEDDLE_SLOW_SECONDS',
    fallback: 5,
    min: 0,
    max: 3600,
    doc: 'Requests that take longer than this are logged.',
  }),
}

/** Names that every OpenTelemetry program knows; the SDK reads more of them itself. */
const spans = {
  otlpEndpoint: url({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    doc: "The collector that receives spans of Heddle's own work; `/v1/traces` is appended. Unset: no spans. It must not be this Heddle.",
  }),
  otlpTracesEndpoint: url({
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    doc: 'The full address of the collector for traces. Takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT.',
  }),
  otlpProtocol: optional({
    variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    kind: 'http/protobuf',
    doc: 'The protocol for spans. Only http/protobuf is supported.',
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
    doc: 'The service name in spans. Unset: `heddle-` and the role.',
  }),
  otelAttributes: optional({
    variable: 'OTEL_RESOURCE_ATTRIBUTES',
    kind: 'name=value,…',
    doc: 'More resource attributes for spans.',
  }),
  otelSampler: optional({
    variable: 'OTEL_TRACES_SAMPLER',
    kind: 'name',
    doc: 'The sampler, such as parentbased_traceidratio. Unset: parentbased_always_on, so callers decide with `traceparent`.',
  }),
  otelSamplerArg: optional({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    kind: '0 to 1',
    doc: 'The argument of the sampler, such as the ratio.',
  }),
  otelDisabled: flag({
    variable: 'OTEL_SDK_DISABLED',
    fallback: false,
    doc: 'Turns spans off.',
  }),
}

/** Requests under way at once, on all ports of a process together. */
const atOnce = {
  queriesPerKey: count({
    variable: 'HEDDLE_QUERIES_PER_KEY',
    fallback: 32,
    min: 1,
    max: 100_000,
    doc: 'Maximum concurrent reads per key. Beyond it: 429.',
  }),
  queriesPerEntity: count({
    variable: 'HEDDLE_QUERIES_PER_ENTITY',
    fallback: 64,
    min: 1,
    max: 100_000,
    doc: 'Maximum concurrent reads per entity, over all its keys. A key with rights in several entities counts towards its user instead.',
  }),
  writesPerKey: count({
    variable: 'HEDDLE_WRITES_PER_KEY',
    fallback: 128,
    min: 1,
    max: 100_000,
    doc: 'Maximum concurrent writes per key. Calls and spans are limited by their bytes instead.',
  }),
  writesPerEntity: count({
    variable: 'HEDDLE_WRITES_PER_ENTITY',
    fallback: 256,
    min: 1,
    max: 100_000,
    doc: 'Maximum concurrent writes per entity, over all its keys.',
  }),
}

const reads = {
  signals: flag({
    variable: 'HEDDLE_SIGNALS',
    fallback: true,
    doc: 'Runs the built-in signals: refusals, frustrated users, personal data and others are noticed in answers, without a model. Projects can turn each off.',
  }),
  monitorScores: count({
    variable: 'HEDDLE_MONITOR_SCORES_PER_DAY',
    fallback: 100_000,
    min: 0,
    max: 1_000_000_000,
    doc: 'Scores that one monitor may ask for on a day (UTC). Later matches are counted and not scored.',
  }),
  monitorCost: count({
    variable: 'HEDDLE_MONITOR_COST_PER_DAY',
    fallback: 10,
    min: 0,
    max: 1_000_000_000,
    doc: 'What the scores of one monitor may cost on a day (UTC), in the currency of the prices. Beyond it a monitor with judges scores nothing. 0: no limit.',
  }),
  monitorProjectCost: count({
    variable: 'HEDDLE_MONITOR_COST_PER_PROJECT',
    fallback: 50,
    min: 0,
    max: 1_000_000_000,
    doc: 'The same for all monitors of a project.',
  }),
  publicUrl: url({
    variable: 'HEDDLE_PUBLIC_URL',
    doc: 'The address under which people reach the pages, for links in notifications and mails, and for providers to send browsers back to. Unset: the one that this process listens on; of browsers, the one that they asked.',
  }),
  signIn: optional({
    variable: 'HEDDLE_SIGN_IN',
    kind: 'file',
    doc: 'A JSON file with the providers of OpenID Connect, and the rules, by which people sign in to the pages; see [sign-in.md](operate/sign-in.md). Unset: with keys alone.',
  }),
  shareDaysMost: count({
    variable: 'HEDDLE_SHARE_DAYS_MOST',
    fallback: 365,
    min: 0,
    max: 365,
    doc: 'Days that a link to a trace, an evaluation run or a dashboard may be good for, also of links that exist. 0: there are no links.',
  }),
  auditWebhook: optional({
    variable: 'HEDDLE_AUDIT_WEBHOOK',
    kind: 'URL',
    secret: true,
    pattern: /^https?:\/\/\S+$/,
    must: 'an address such as https://siem.example.com/heddle',
    doc: 'Where lines of the audit log are sent as they are written, as Standard Webhooks. It needs `HEDDLE_AUDIT_WEBHOOK_SECRET`. Unset: nowhere.',
  }),
  auditWebhookSecret: optional({
    variable: 'HEDDLE_AUDIT_WEBHOOK_SECRET',
    secret: true,
    pattern: /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    must: 'whsec_ and at least 24 bytes in base64',
    doc: 'Signs what is sent to `HEDDLE_AUDIT_WEBHOOK`: `whsec_` and at least 24 random bytes in base64.',
  }),
  smtpUrl: optional({
    variable: 'HEDDLE_SMTP_URL',
    kind: 'URL',
    secret: true,
    pattern: /^smtps?:\/\/\S+$/,
    must: 'an address such as smtp://user:password@mail.example.com:587',
    doc: 'The server that sends mail of alerts and mentions, and links to sign in by: smtp://USER:PASSWORD@HOST:PORT, or smtps://. Unset: no mail is sent.',
  }),
  smtpFrom: text({
    variable: 'HEDDLE_SMTP_FROM',
    fallback: 'heddle@localhost',
    doc: 'Who mails are from.',
  }),
  querySeconds: seconds({
    variable: 'HEDDLE_QUERY_SECONDS',
    fallback: 60,
    min: 1,
    max: 3600,
    doc: 'Maximum time of a query. Beyond it: 504.',
  }),
  queryMemory: bytes({
    variable: 'HEDDLE_QUERY_MEMORY',
    fallback: '400MiB',
    min: 16 * MIB,
    doc: 'Maximum memory of a query. Beyond it: 502.',
  }),
  queryReadBytes: bytes({
    variable: 'HEDDLE_QUERY_READ_BYTES',
    fallback: '100GiB',
    min: MIB,
    doc: 'Maximum bytes a query reads from the store. Beyond it: 502.',
  }),
  readOverflow: bytes({
    variable: 'HEDDLE_READ_OVERFLOW',
    fallback: '1GiB',
    min: 0,
    doc: 'Maximum disk space for results that slow clients have not read yet, in the data folder or else the temporary folder. Beyond it, slow clients keep their queries running. 0: none.',
  }),
}

const statements = {
  sqlAtOnce: count({
    variable: 'HEDDLE_SQL_AT_ONCE',
    fallback: 4,
    min: 1,
    max: 1000,
    doc: 'SQL statements of callers that run at a time; further ones wait, each key and entity in turn.',
  }),
  sqlSeconds: seconds({
    variable: 'HEDDLE_SQL_SECONDS',
    fallback: 30,
    min: 1,
    max: 3600,
    doc: 'Maximum time of an SQL statement. Beyond it: 504.',
  }),
  sqlMemory: bytes({
    variable: 'HEDDLE_SQL_MEMORY',
    fallback: '300MiB',
    min: 16 * MIB,
    doc: 'Maximum memory of an SQL statement. Beyond it: 502.',
  }),
  sqlReadRows: count({
    variable: 'HEDDLE_SQL_READ_ROWS',
    fallback: 1_000_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    doc: 'Maximum rows that an SQL statement reads from the store. Beyond it: 502.',
  }),
  sqlReadBytes: bytes({
    variable: 'HEDDLE_SQL_READ_BYTES',
    fallback: '20GiB',
    min: MIB,
    doc: 'Maximum bytes that an SQL statement reads from the store. Beyond it: 502.',
  }),
  sqlResultRows: count({
    variable: 'HEDDLE_SQL_RESULT_ROWS',
    fallback: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Maximum rows of the result of an SQL statement. Beyond it: 502, or a cut connection if the answer has begun.',
  }),
  sqlResultBytes: bytes({
    variable: 'HEDDLE_SQL_RESULT_BYTES',
    fallback: '256MiB',
    min: MIB,
    doc: 'The same in bytes. JSON is made in memory by the embedded engine: at most 48 MiB.',
  }),
}

const redis = {
  redisUrl: optional({
    variable: 'REDIS_URL',
    kind: 'address',
    secret: true,
    pattern: REDIS_ADDRESS,
    must: 'an address such as redis://127.0.0.1:6379, redis-sentinel://one:26379,two:26379/main or redis-cluster://one:6379,two:6379',
    doc: 'The Redis of the queues and of locks between processes. Unset: `heddle up` starts its own; other roles do without and must run as one process.',
  }),
}

/** Of the S3 store where artifacts, backups and exports are. */
const s3Access = {
  s3Endpoint: url({
    variable: 'HEDDLE_S3_ENDPOINT',
    doc: 'The address of an S3-compatible store, such as MinIO. Unset: AWS.',
  }),
  s3Region: text({
    variable: 'AWS_REGION',
    fallback: 'us-east-1',
    kind: 'name',
    doc: 'The region of the S3 store.',
  }),
  s3KeyId: optional({
    variable: 'AWS_ACCESS_KEY_ID',
    doc: "The access key of the S3 store. Unset: the AWS SDK's default credential chain (profile, web identity, container or instance role).",
  }),
  s3Secret: optional({
    variable: 'AWS_SECRET_ACCESS_KEY',
    secret: true,
    doc: 'The secret of the access key.',
  }),
  s3Session: optional({
    variable: 'AWS_SESSION_TOKEN',
    secret: true,
    doc: 'The session token, for temporary keys.',
  }),
}

const artifacts = {
  artifacts: optional({
    variable: 'HEDDLE_ARTIFACTS',
    kind: 'folder or s3://bucket/prefix',
    doc: 'Where large files are stored. Unset: in the data folder, or in ClickHouse if there is none.',
  }),
  fileInline: bytes({
    variable: 'HEDDLE_FILE_INLINE',
    fallback: '8MiB',
    min: 0,
    doc: 'Files up to this size are stored in ClickHouse, larger ones in HEDDLE_ARTIFACTS.',
  }),
  ...s3Access,
}

const exports = {
  exportUnit: choice({
    variable: 'HEDDLE_EXPORT_BY',
    fallback: 'hour',
    values: ['hour', 'day'],
    doc: 'The time that an exported file is for. A file is written again when any of its rows changed.',
  }),
}

const scheduledExports = {
  exportTo: optional({
    variable: 'HEDDLE_EXPORT_TO',
    kind: 'folder or s3://bucket/prefix',
    doc: 'Where calls, feedback, evaluations and predictions are written as Parquet files, at the start and every hour. Unset: nowhere.',
  }),
  ...exports,
}

const secrets = {
  secretsKey: optional({
    variable: 'HEDDLE_SECRETS_KEY',
    secret: true,
    pattern: /^.{16,}$/s,
    must: 'a text of at least 16 characters',
    doc: 'Encrypts the stored keys of model providers, and tokens of sign-in providers. Keep it safe: without it they must be set again.',
  }),
}

const providers = {
  ...secrets,
  providerSeconds: seconds({
    variable: 'HEDDLE_PROVIDER_SECONDS',
    fallback: 180,
    min: 1,
    max: 3600,
    doc: "Maximum time of a model provider's answer.",
  }),
  allowPrivateAddresses: ranges({
    variable: 'HEDDLE_ALLOW_PRIVATE_ADDRESSES',
    doc: 'Private address ranges that Heddle may connect to, for model providers in your network. Everyone with write access can then make this machine send requests there.',
  }),
}

/** Where exporters send by gRPC if nobody tells them otherwise. */
export const OTLP_GRPC_PORT = 4317

const writes = {
  otlpGrpcPort: portOrOff({
    variable: 'HEDDLE_OTLP_GRPC_PORT',
    fallback: OTLP_GRPC_PORT,
    doc: 'The port of OTLP over gRPC. `off`: none. If the default is taken, `heddle up` starts without it and says so.',
  }),
  decodeThreads: count({
    variable: 'HEDDLE_DECODE_THREADS',
    fallback: 1,
    min: 1,
    max: 64,
    doc: 'Threads that decode incoming calls and spans.',
  }),
}

const arrival = {
  sensitiveData: choice({
    variable: 'HEDDLE_SENSITIVE_DATA',
    fallback: 'off',
    values: ['off', 'pii-v1'],
    doc: 'pii-v1: mask e-mail addresses, phone, card and bank account numbers and US social security numbers in all texts before they are stored. `heddle masking` has rules for projects.',
  }),
  sampleRate: fraction({
    variable: 'HEDDLE_SAMPLE_RATE',
    fallback: 1,
    doc: 'The part of OpenTelemetry traces that is stored, from 0 to 1, chosen by trace id. The others are accepted and left out, except spans of evaluations.',
  }),
}

const chatImages = {
  chatImages: count({
    variable: 'HEDDLE_CHAT_IMAGES',
    fallback: 8,
    min: 0,
    max: 1000,
    doc: 'Maximum images of a chat request. Beyond it: 400. Together they may have 16 MiB.',
  }),
  chatImageBytes: bytes({
    variable: 'HEDDLE_CHAT_IMAGE_BYTES',
    fallback: '8MiB',
    min: 1,
    doc: 'Maximum size of an image of a chat request. Beyond it: 400.',
  }),
  chatImagePixels: count({
    variable: 'HEDDLE_CHAT_IMAGE_PIXELS',
    fallback: 16_777_216,
    min: 1,
    max: 67_108_864,
    doc: 'Maximum pixels of an image of a chat request. Beyond it: 400.',
  }),
  chatImageAddresses: flag({
    variable: 'HEDDLE_CHAT_IMAGE_ADDRESSES',
    fallback: false,
    doc: 'Fetches the http and https addresses of images in chat requests, of the public internet only. Off: images have to be data URLs.',
  }),
}

const chatWaiting = {
  ...chatImages,
  chatQueue: count({
    variable: 'HEDDLE_CHAT_QUEUE',
    fallback: 5000,
    min: 1,
    max: 1_000_000,
    doc: 'Maximum waiting chat completions per base model. Beyond it, entities that already use their equal share get 429.',
  }),
  chatQueuePerEntity: count({
    variable: 'HEDDLE_CHAT_QUEUE_PER_ENTITY',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
    doc: 'Maximum waiting chat completions per base model and entity. Beyond it: 429. Entities take turns.',
  }),
  chatQueuePerKey: count({
    variable: 'HEDDLE_CHAT_QUEUE_PER_KEY',
    fallback: 500,
    min: 1,
    max: 1_000_000,
    doc: 'Maximum waiting chat completions per base model and key. Beyond it: 429.',
  }),
  chatSeconds: seconds({
    variable: 'HEDDLE_CHAT_SECONDS',
    fallback: 600,
    min: 1,
    max: 86_400,
    doc: 'Maximum time of a chat completion, waiting included. Beyond it: 504.',
  }),
  nodeReturnSeconds: seconds({
    variable: 'HEDDLE_NODE_RETURN_SECONDS',
    fallback: 120,
    min: 0,
    max: 86_400,
    doc: 'How long chat completions wait for a lost node to return, within HEDDLE_CHAT_SECONDS. Beyond it: 503. Set it longer than a node takes to restart. The limit does not apply while a node pauses for training.',
  }),
}

const chatLimits = {
  ...chatWaiting,
  chatRequestsPerMinute: count({
    variable: 'HEDDLE_CHAT_REQUESTS_PER_MINUTE',
    fallback: 0,
    min: 0,
    max: 1_000_000_000,
    doc: 'Maximum chat completions per minute and key. Beyond it: 429. 0: unlimited.',
  }),
  chatTokensPerMinute: count({
    variable: 'HEDDLE_CHAT_TOKENS_PER_MINUTE',
    fallback: 0,
    min: 0,
    max: 1_000_000_000,
    doc: 'Maximum tokens per minute and key, prompts and answers together. Beyond it: 429. 0: unlimited.',
  }),
}

const chat = {
  trainingPort: port({
    variable: 'HEDDLE_TRAINING_PORT',
    fallback: 8081,
    doc: 'The port of the training and chat interface and its `/openapi.json`.',
  }),
  ...chatLimits,
  trainingQueue: count({
    variable: 'HEDDLE_TRAINING_QUEUE',
    fallback: 1000,
    min: 0,
    max: 1_000_000,
    doc: 'Maximum waiting and running training jobs per entity. Beyond it: 429. 0: unlimited. Entities take turns.',
  }),
  trainingData: bytes({
    variable: 'HEDDLE_TRAINING_DATA',
    fallback: '16GiB',
    min: 0,
    doc: 'Maximum training data per entity in uploads and unfinished jobs. Beyond it: 429. 0: unlimited.',
  }),
  batchQueue: count({
    variable: 'HEDDLE_BATCH_QUEUE',
    fallback: 100,
    min: 0,
    max: 1_000_000,
    doc: 'Maximum unfinished batches per key. Beyond it: 429. 0: unlimited. Entities take turns.',
  }),
  batchFiles: bytes({
    variable: 'HEDDLE_BATCH_FILES',
    fallback: '4GiB',
    min: 0,
    doc: 'Maximum input files of batches per key. Beyond it: 429. 0: unlimited.',
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
    doc: 'The GPU nodes: host:port of each, separated by commas.',
  }),
  nodeToken: optional({
    variable: 'HEDDLE_NODE_TOKEN',
    secret: true,
    doc: 'The token that nodes require.',
  }),
  nodeCa: optional({
    variable: 'HEDDLE_NODE_CA',
    kind: 'file',
    doc: "The nodes' certificate, or the CA that signed it. Turns on TLS to the nodes.",
  }),
}

const localNodes = {
  ...nodes,
  nodes: optional({
    ...nodesAbout,
    doc: 'The GPU nodes: host:port of each, separated by commas. Unset: one node on this machine, if `make model-server` was run.',
  }),
  model: optional({
    variable: 'HEDDLE_MODEL',
    kind: 'folder or name',
    doc: 'The base model of the node on this machine: a folder or a name on the Hugging Face hub. Several, with commas between them, get a node each. `demo` (the default) and `demo-embedding` are tiny models that are made here.',
  }),
  modelServerSetup: flag({
    variable: 'HEDDLE_MODEL_SERVER_SETUP',
    fallback: false,
    doc: 'Installs the missing Python packages of the node on this machine, once, as `make run` does.',
  }),
  chat: flag({
    variable: 'HEDDLE_CHAT',
    fallback: true,
    doc: 'Starts chat and training: Redis, the workers, a node and the training interface. Off: without a REDIS_URL there are no evaluations, monitors, alerts and rules either.',
  }),
  evaluations: flag({
    variable: 'HEDDLE_EVALUATIONS',
    fallback: true,
    doc: 'Starts the worker that runs evaluations, if chat is on or REDIS_URL is set.',
  }),
}

const evaluations = {
  evaluationJobs: count({
    variable: 'HEDDLE_EVALUATION_JOBS',
    fallback: 4,
    min: 1,
    max: 1000,
    doc: 'Evaluations that one worker runs at the same time.',
  }),
  evaluationRows: count({
    variable: 'HEDDLE_EVALUATION_ROWS',
    fallback: 8,
    min: 1,
    max: 1000,
    doc: 'Rows of an evaluation that run at the same time.',
  }),
  remoteScorerHosts: hosts({
    variable: 'HEDDLE_REMOTE_SCORER_HOSTS',
    doc: 'The only hosts that a RemoteScorer, or its token endpoint, may be at, by commas, with a port or without. Unset: all that are public, and HEDDLE_ALLOW_PRIVATE_ADDRESSES.',
  }),
  evaluationTries: count({
    variable: 'HEDDLE_EVALUATION_TRIES',
    fallback: 5,
    min: 1,
    max: 100,
    doc: "Attempts per row before the failure becomes the row's error. Failures that a retry can't fix are not retried.",
  }),
  evaluationPatience: count({
    variable: 'HEDDLE_EVALUATION_PATIENCE_SECONDS',
    fallback: 900,
    min: 0,
    max: 86_400,
    doc: 'How many seconds an evaluation waits for a model that is unavailable, counted from its last answer; then the run fails. So long a training job waits for what rewards its answers.',
  }),
}

const training = {
  trainNodes: optional({
    ...nodesAbout,
    variable: 'HEDDLE_TRAINING_NODES',
    formerly: 'HEDDLE_TRAIN_NODES',
    doc: 'The GPU nodes that train: host:port of each, separated by commas. Unset: HEDDLE_NODES.',
  }),
  keepCheckpoints: count({
    variable: 'HEDDLE_KEEP_CHECKPOINTS',
    fallback: 0,
    min: 0,
    max: 1_000_000,
    doc: "How many of a model's newest checkpoints are kept after a job ends. 0: all.",
  }),
  keepBest: optional({
    variable: 'HEDDLE_KEEP_BEST',
    kind: 'metric',
    pattern: /^-?[^\s,]+$/,
    must: 'the name of a metric, such as reward, or -loss where less is better',
    doc: 'Also keeps the best checkpoint by this metric. Prefix it with a minus if lower is better.',
  }),
  loraRank: count({
    variable: 'HEDDLE_LORA_RANK',
    fallback: 0,
    min: 0,
    max: 1024,
    doc: "The rank of new adapters. 0: the recipe's default. A node refuses ranks above its HEDDLE_NODE_MAX_ADAPTER_RANK (16).",
  }),
  loraTargets: optional({
    variable: 'HEDDLE_LORA_TARGETS',
    kind: 'names',
    pattern: /^[\w.]+(\s*,\s*[\w.]+)*$/,
    must: 'names of linear layers with commas between them, such as q_proj, v_proj',
    doc: 'The layers that new adapters change. Unset: every linear layer except the head.',
  }),
  trainSaveSteps: optional({
    variable: 'HEDDLE_TRAINING_SAVE_STEPS',
    formerly: 'HEDDLE_TRAIN_SAVE_STEPS',
    kind: 'number',
    pattern: /^\d{1,9}$/,
    must: 'a whole number',
    doc: "Gradient steps between the saved states that an interrupted job resumes from. 0: only the last. Unset: the node's default.",
  }),
}

const tracing = {
  tracingUrl: url({
    variable: 'HEDDLE_TRACING_URL',
    doc: 'The address of the tracing interface, for logging chat completions as calls and for training on calls or datasets.',
  }),
}

const trainingAddress = {
  trainingUrl: url({
    variable: 'HEDDLE_TRAINING_URL',
    doc: 'The address of the training interface, for the training page and commands. Unset: this machine under `heddle up` and in commands, else none.',
  }),
}

/** For commands that are clients of a server. */
const contexts = {
  context: optional({
    variable: 'HEDDLE_CONTEXT',
    kind: 'name',
    doc: 'The server of `heddle context` that commands use. Unset: the one in use; `local`: this machine.',
  }),
}

const client = {
  ...contexts,
  host: address.host,
  port: address.port,
  dataDir: embedded.dataDir,
  devApiKey: development.devApiKey,
}

/** What `heddle import` reads from: where other products' own clients look for their keys, too. */
const sources = {
  weave: {
    sourceKey: optional({
      variable: 'WANDB_API_KEY',
      secret: true,
      doc: 'The API key of the Weave server to import from.',
    }),
  },
  langfuse: {
    publicKey: optional({
      variable: 'LANGFUSE_PUBLIC_KEY',
      secret: true,
      doc: 'The public key of the Langfuse project to import.',
    }),
    secretKey: optional({
      variable: 'LANGFUSE_SECRET_KEY',
      secret: true,
      doc: 'The secret key of the Langfuse project to import.',
    }),
  },
  phoenix: {
    sourceKey: optional({
      variable: 'PHOENIX_API_KEY',
      secret: true,
      doc: 'The API key of the Phoenix server to import from, if it asks for one.',
    }),
  },
}

/** What each role tells of itself. */
const observed = { ...logs, ...spans }
/** Roles with an HTTP interface, on a ClickHouse server. */
const httpRole = {
  ...address,
  ...atOnce,
  ...server,
  clickhouseUrl: required(server.clickhouseUrl),
}
/** What the reads of the tracing interface need. */
const readRole = {
  ...arrival,
  ...reads,
  ...statements,
  ...artifacts,
  ...providers,
  ...redis,
  ...chatLimits,
  ...trainingAddress,
}

/** One schema a process: types, defaults, `--help` and the docs table come from here. */
export const processes = {
  up: {
    ...address,
    ...atOnce,
    ...embedded,
    ...development,
    ...writes,
    ...arrival,
    ...reads,
    ...statements,
    ...artifacts,
    ...scheduledExports,
    ...providers,
    ...redis,
    ...chat,
    ...localNodes,
    ...training,
    ...evaluations,
    ...observed,
  },
  ingest: { ...httpRole, ...writes, ...arrival, ...observed },
  query: { ...httpRole, ...readRole, ...observed },
  tracing: { ...httpRole, ...writes, ...readRole, ...observed },
  trainingApi: {
    ...httpRole,
    redisUrl: required(redis.redisUrl),
    ...chat,
    ...artifacts,
    allowPrivateAddresses: providers.allowPrivateAddresses,
    sensitiveData: arrival.sensitiveData,
    ...tracing,
    ...observed,
  },
  inferenceWorker: {
    host: address.host,
    metricsPort: address.metricsPort,
    stopSeconds: address.stopSeconds,
    redisUrl: required(redis.redisUrl),
    ...nodes,
    nodes: required(nodes.nodes),
    ...observed,
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
    sensitiveData: arrival.sensitiveData,
    artifacts: artifacts.artifacts,
    ...s3Access,
    ...observed,
  },
  trainerWorker: {
    host: address.host,
    metricsPort: address.metricsPort,
    ...server,
    clickhouseUrl: required(server.clickhouseUrl),
    redisUrl: required(redis.redisUrl),
    ...nodes,
    ...training,
    sensitiveData: arrival.sensitiveData,
    ...artifacts,
    artifacts: required(artifacts.artifacts),
    ...observed,
  },
  /** commands that do one thing with the store and end */
  tool: { ...embedded },
  secrets: { ...embedded, ...secrets },
  backup: { ...embedded, ...artifacts },
  exportFiles: { ...embedded, ...exports, ...s3Access },
  /** commands that speak to a running Heddle over HTTP */
  client,
  importWeave: { ...client, ...sources.weave },
  importLangfuse: { ...client, ...sources.langfuse },
  importPhoenix: { ...client, ...sources.phoenix },
  /** the same over the training interface */
  trainingClient: {
    ...contexts,
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
    otlpGrpcPort: writes.otlpGrpcPort,
    chat: localNodes.chat,
    nodes: localNodes.nodes,
    trainNodes: training.trainNodes,
    ...spans,
  },
}
