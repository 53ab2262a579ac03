/** Sets of values that the checks render: each is a way in which the chart is meant to be used. */
import type { Values } from './render.js'

export const POOLS = [
  { name: 'small', models: [{ name: 'demo', demo: true }], gpu: { count: 0 }, tolerations: [] },
  {
    name: 'large',
    gpu: { count: 2 },
    train: true,
    replicas: 2,
    nodeSelector: { 'node-pool': 'gpu' },
    models: [
      { name: 'base-8b', model: '/models/base-8b' },
      { name: 'Base_70B', model: 'someone/base-70b' },
    ],
    modelsVolume: { existingClaim: 'models' },
    cache: { size: '200Gi', storageClass: 'fast' },
  },
]

const external: Values = {
  clickhouse: { enabled: false },
  externalClickhouse: {
    url: 'https://clickhouse.example.com:8443',
    existingSecret: 'clickhouse-login',
    cluster: 'main',
  },
  redis: { enabled: false },
  externalRedis: { existingSecret: 'redis-login' },
}

const scaling = { enabled: true, minReplicas: 2, maxReplicas: 20 }

const scaled: Values = {
  artifacts: { address: 's3://heddle/a', existingSecret: 's3' },
  roleDefaults: { autoscaling: scaling },
  modelServer: { pools: POOLS.map((pool) => ({ ...pool, autoscaling: { enabled: true, maxReplicas: 3 } })) },
}

export const SETS = {
  'as it comes': {},
  everything: {
    ...scaled,
    commonLabels: { team: 'loom' },
    commonAnnotations: { owner: 'weavers' },
    imagePullSecrets: ['pull'],
    extraEnv: [{ name: 'TZ', value: 'UTC' }],
    extraEnvFrom: [{ configMapRef: { name: 'more', optional: true } }],
    settings: { HEDDLE_SLOW_SECONDS: 2 },
    ingest: {
      enabled: true,
      antiAffinity: 'hard',
      settings: { HEDDLE_DECODE_THREADS: 3, HEDDLE_TRUSTED_PROXIES: '10.244.0.0/16' },
    },
    tracing: { podLabels: { a: 'b' }, extraVolumes: [{ name: 'x', emptyDir: {} }] },
    artifacts: { address: 's3://heddle/a', endpoint: 'http://minio:9000', existingSecret: 's3' },
    ingress: { enabled: true, trainingHost: 'train.example.com', tlsSecret: 'tls', regexPaths: true },
    httpRoute: { enabled: true, parentRefs: [{ name: 'gateway' }], trainingHost: 'train.example.com' },
    monitoring: {
      spans: { endpoint: 'http://collector.monitoring:4318', existingSecret: 'collector', ratio: 0.1 },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      rules: { enabled: true },
      dashboards: { enabled: true },
    },
    networkPolicy: {
      interfacesFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    },
    tests: { existingSecret: 'test-key' },
    backup: { enabled: true, place: 's3://backups/heddle/', timeZone: 'Europe/Paris' },
    export: { enabled: true, place: 's3://files/heddle/', by: 'day' },
    extraManifests: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-more', labels: {} } },
    ],
  },
  'with KEDA': { ...scaled, keda: { enabled: true } },
  'stores of others': {
    ...external,
    retention: { enabled: false },
    backup: { enabled: true, place: 's3://backups/heddle', existingSecret: 'backup-keys' },
  },
  'a cluster of its own': {
    clickhouse: { shards: 2, replicas: 2, keeper: ['keeper-0.keeper:9181', 'keeper-1.keeper:9181'] },
  },
  'writes alone': {
    ...external,
    tracing: { enabled: false },
    ingest: { enabled: true },
    trainingApi: { enabled: false },
    evaluationWorker: { enabled: false },
  },
  'nodes with TLS, and some of others': {
    artifacts: { address: 's3://heddle/a', existingSecret: 's3' },
    modelServer: {
      pools: POOLS,
      externalNodes: ['gpu.example.com:50051'],
      tls: { existingSecret: 'node-tls' },
    },
  },
} satisfies Record<string, Values>
