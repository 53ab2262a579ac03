/** What the chart makes of its values, set by set and rule by rule. */
import { describe, expect, it } from 'vitest'
import { type Manifest, one, podsOf, render, selects, type Values } from './testing/render.js'
import { checkFor, RELEASES } from './testing/schemas.js'
import { POOLS, SETS } from './testing/sets.js'

const sets = Object.entries(SETS).map(([name, values]) => ({ name, manifests: render(values) }))
const everything = render(SETS.everything)

describe.each(RELEASES)('Kubernetes %s', (release) => {
  const check = checkFor(release)
  it.each(sets)('takes every object: $name', ({ manifests }) => {
    expect(manifests.flatMap(check)).toEqual([])
  })
})

describe.each(sets)('every set: $name', ({ manifests }) => {
  const pods = podsOf(manifests)

  it('names each object once, and labels it', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { metadata } of manifests) expect(metadata.name.length, metadata.name).toBeLessThan(64)
  })

  it("keeps pods to Pod Security's restricted, without a token", () => {
    for (const { owner, spec } of pods) {
      const about = owner.metadata.name
      expect(spec.automountServiceAccountToken, about).toBe(false)
      expect(spec.securityContext, about).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(spec.securityContext.runAsUser, about).toBeGreaterThan(0)
      for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
        expect(container.securityContext, about).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.requests, about).toBeDefined()
        expect(container.resources.limits?.memory, about).toBeDefined()
        expect(container.resources.limits, about).not.toHaveProperty('cpu')
      }
    }
    for (const account of manifests.filter(({ kind }) => kind === 'ServiceAccount')) {
      expect(account.automountServiceAccountToken).toBe(false)
    }
  })

  it('gives an environment without a name twice', () => {
    for (const { spec } of pods)
      for (const { env = [] } of [...spec.containers, ...(spec.initContainers ?? [])]) {
        const names = env.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
      }
  })

  it('sets no number of pods where an autoscaler does', () => {
    const scaled = manifests
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
      .map(({ spec }) => `${spec.scaleTargetRef.kind} ${spec.scaleTargetRef.name}`)
    for (const { kind, metadata, spec } of manifests.filter(({ kind }) =>
      /^(Deployment|StatefulSet)$/.test(kind),
    ))
      expect(spec.replicas === undefined, metadata.name).toBe(scaled.includes(`${kind} ${metadata.name}`))
  })

  it('selects pods that are there, by ports that they have', () => {
    for (const { metadata, spec } of manifests.filter(({ kind }) => kind === 'Service')) {
      const behind = pods.filter(({ labels }) => selects(spec.selector, labels))
      expect(behind.length, metadata.name).toBeGreaterThan(0)
      const open = behind.flatMap((one) =>
        one.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
      )
      for (const { targetPort } of spec.ports) expect(open, metadata.name).toContain(targetPort)
    }
    for (const { metadata, spec } of manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')) {
      const held = pods.filter(({ labels }) => selects(spec.selector.matchLabels, labels))
      expect(held.length, metadata.name).toBeGreaterThan(0)
    }
    for (const { metadata, spec } of manifests.filter(({ kind }) => kind === 'NetworkPolicy')) {
      const held = pods.filter(({ labels }) => selects(spec.podSelector.matchLabels, labels))
      // The Job of migrations may be one that helm takes away again.
      expect(held.length, metadata.name).toBeGreaterThan(0)
    }
  })

  it('probes ports that are there, and leaves time to end', () => {
    for (const { owner, spec } of pods.filter(({ owner }) => /Deployment|StatefulSet/.test(owner.kind))) {
      const [container] = spec.containers
      const open = container?.ports?.map(({ name }) => name)
      for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]) {
        expect(probe, owner.metadata.name).toBeDefined()
        const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port
        if (port !== undefined) expect(open).toContain(port)
      }
      const value = (name: string) => Number(container?.env?.find((one) => one.name === name)?.value ?? 0)
      const stop = value('HEDDLE_STOP_SECONDS') + value('HEDDLE_NODE_GRACE')
      const drain = container?.lifecycle?.preStop.sleep.seconds ?? 0
      expect(spec.terminationGracePeriodSeconds ?? 30, owner.metadata.name).toBeGreaterThan(stop + drain)
    }
  })

  it('lets every pod reach what it uses, and nobody else', () => {
    const uses = (pattern: RegExp) =>
      pods.filter(({ spec }) =>
        [...spec.containers, ...(spec.initContainers ?? [])].some(({ env = [] }) =>
          env.some(({ name, value }) => pattern.test(`${name}=${value ?? ''}`)),
        ),
      )
    for (const [policy, users] of [
      ['r-clickhouse', uses(/^CLICKHOUSE_URL=http:\/\/r-clickhouse/)],
      ['r-redis', uses(/^REDIS_URL=redis:\/\/:\$\(REDIS_PASSWORD\)@r-redis/)],
    ] as const) {
      const found = manifests.find(
        ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === policy,
      )
      if (!found) continue
      const from = found.spec.ingress[0]?.from?.[0]?.podSelector?.matchLabels ?? {}
      const admitted = pods
        .filter(({ labels }) => selects(from, labels))
        .map(({ owner }) => owner.metadata.name)
      expect(admitted.sort()).toEqual(users.map(({ owner }) => owner.metadata.name).sort())
      for (const { labels, owner } of users) {
        const own = manifests.find(
          ({ kind, spec }) =>
            kind === 'NetworkPolicy' && spec.egress && selects(spec.podSelector.matchLabels, labels),
        )
        const target = pods.find((pod) => selects(found.spec.podSelector.matchLabels, pod.labels))
        const reached = own?.spec.egress.flatMap(({ to = [] }) => to) ?? []
        const may = reached.some(
          ({ podSelector }) =>
            podSelector?.matchLabels && selects(podSelector.matchLabels, target?.labels ?? {}),
        )
        expect(may, `${owner.metadata.name} to ${policy}`).toBe(true)
      }
    }
  })
})

describe('stores', () => {
  const job = (values: Values, upgrade = false): Manifest =>
    one(render(values, { upgrade }), 'Job', '-migrate')
  const hook = 'helm.sh/hook'

  it('migrates before anything else where the store is there already', () => {
    expect(job(SETS['stores of others']).metadata.annotations).toMatchObject({
      [hook]: 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
    expect(job({}, true).metadata.annotations?.[hook]).toBe('pre-install,pre-upgrade')
  })

  it('migrates beside the rest where the store comes with the release', () => {
    expect(job({}).metadata.annotations?.[hook]).toBeUndefined()
  })

  it('needs nothing of the release in a hook, as that is not there yet', () => {
    const made = render(SETS['stores of others']).filter(
      ({ metadata }) => metadata.annotations?.[hook] === undefined,
    )
    const [container] = job(SETS['stores of others']).spec.template.spec.containers
    for (const { valueFrom } of container?.env ?? [])
      expect(made.map(({ metadata }) => metadata.name)).not.toContain(valueFrom?.secretKeyRef?.name)
    expect(job(SETS['stores of others']).spec.template.spec.serviceAccountName).toBeUndefined()
  })

  it('holds new pods back until the tables are up to date', () => {
    for (const { metadata, spec } of everything.filter(({ kind }) => kind === 'Deployment')) {
      const store = spec.template.spec.containers[0]?.env?.some(({ name }) => name === 'CLICKHOUSE_URL')
      expect(spec.template.spec.initContainers?.[0]?.args?.slice(0, 2), metadata.name).toEqual(
        store ? ['migrate', '--check'] : undefined,
      )
    }
  })

  it('writes the cluster into the servers and the roles', () => {
    const manifests = render(SETS['a cluster of its own'])
    const config = one(manifests, 'ConfigMap', 'r-clickhouse').data?.['server.yaml'] ?? ''
    for (const host of ['s0-0', 's0-1', 's1-0', 's1-1'])
      expect(config).toContain(`host: r-clickhouse-${host}.r-clickhouse-nodes`)
    expect(config).toMatch(/host: keeper-0\.keeper\s+port: 9181/)
    expect(
      manifests.filter(({ kind, metadata }) => kind === 'StatefulSet' && /clickhouse/.test(metadata.name)),
    ).toHaveLength(2)
    const env = one(manifests, 'Deployment', '-tracing').spec.template.spec.containers[0]?.env
    expect(env).toContainEqual({ name: 'CLICKHOUSE_CLUSTER', value: 'heddle' })
  })

  it('keeps each server’s data when the release goes', () => {
    const kept = { whenDeleted: 'Retain', whenScaled: 'Retain' }
    for (const name of ['r-clickhouse-s0', 'r-redis'])
      expect(one(render(), 'StatefulSet', name).spec).toMatchObject({
        persistentVolumeClaimRetentionPolicy: kept,
      })
  })
})

/** What gives pods a role on one cloud. */
const role = (name: string) => ({ 'eks.amazonaws.com/role-arn': `arn:aws:iam::123456789012:role/${name}` })

it('gives a role instead of keys to all that use the artifacts, and to nothing else', () => {
  const manifests = render({
    artifacts: { address: 's3://heddle/a', accountAnnotations: role('heddle') },
    modelServer: { pools: POOLS },
    tracing: { serviceAccount: { annotations: { own: 'one' } } },
  })
  const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount')
  const given = accounts.filter(({ metadata }) => metadata.annotations?.['eks.amazonaws.com/role-arn'])
  const users = podsOf(manifests).filter(({ spec }) =>
    spec.containers.some(({ env = [] }) => env.some(({ name }) => name === 'AWS_REGION')),
  )
  expect(new Set(users.map(({ spec }) => spec.serviceAccountName))).toEqual(
    new Set(given.map(({ metadata }) => metadata.name)),
  )
  expect(given.length).toBeGreaterThan(2)
  expect(accounts.length).toBeGreaterThan(given.length)
  expect(one(manifests, 'ServiceAccount', '-tracing').metadata.annotations).toEqual({
    own: 'one',
    ...role('heddle'),
  })
  for (const { spec } of users)
    for (const { env = [] } of spec.containers)
      expect(env.map(({ name }) => name)).not.toContain('AWS_ACCESS_KEY_ID')
})

describe('what is run by the clock', () => {
  const pod = (manifests: readonly Manifest[], name: string) =>
    one(manifests, 'CronJob', name).spec.jobTemplate.spec.template.spec
  const keysOf = (manifests: readonly Manifest[]) =>
    pod(manifests, '-backup')
      .containers[0]?.env?.filter(({ name }) => name.startsWith('AWS_') && !name.endsWith('REGION'))
      .map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)

  it('is retention, unless it is taken away, and no backup, unless it is asked for', () => {
    const names = (values: Values) =>
      render(values).flatMap(({ kind, metadata }) => (kind === 'CronJob' ? [metadata.name] : []))
    expect(names({})).toEqual(['r-heddle-retention'])
    expect(names(SETS['stores of others'])).toEqual(['r-heddle-backup'])
  })

  it('deletes once a day, one run at a time', () => {
    const { schedule, concurrencyPolicy } = one(render(), 'CronJob', '-retention').spec
    expect([schedule, concurrencyPolicy]).toEqual(['23 3 * * *', 'Forbid'])
    expect(pod(render(), '-retention').containers[0]?.args).toEqual(['retention', 'run'])
    const hourly = render({ retention: { schedule: '5 * * * *', timeZone: 'Europe/Paris' } })
    expect(one(hourly, 'CronJob', '-retention').spec).toMatchObject({
      schedule: '5 * * * *',
      timeZone: 'Europe/Paris',
    })
  })

  it('backs up to a place of the run’s own', () => {
    const [container] = pod(everything, '-backup').containers
    expect(container?.command).toEqual([
      ...['tini', '--', 'sh', '-ec', 'exec heddle backup "$0/`date -u +%Y-%m-%dT%H-%M-%SZ`"'],
      's3://backups/heddle',
    ])
  })

  it('exports files to one place, with keys of its own or those of the artifacts', () => {
    const [container] = pod(everything, '-export').containers
    expect(container?.args).toEqual(['export-files', 's3://files/heddle', '--by', 'day'])
    const secret = { existingSecret: 'export-keys' }
    const own = render({ export: { enabled: true, place: 's3://b/c', ...secret } })
    const keys = [everything, own].map((manifests) =>
      pod(manifests, '-export').containers[0]?.env?.flatMap(
        ({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [],
      ),
    )
    expect(keys).toEqual([expect.arrayContaining(['s3', 's3']), expect.arrayContaining(['export-keys'])])
  })

  it('backs up by a role where there are no keys, its own or that of the artifacts', () => {
    const accounts = (values: Values) => {
      const manifests = render(values)
      expect(keysOf(manifests)).toEqual([])
      const name = pod(manifests, '-backup').serviceAccountName!
      return one(manifests, 'ServiceAccount', name).metadata.annotations
    }
    const artifacts = { address: 's3://heddle/a', accountAnnotations: role('artifacts') }
    const backup = { enabled: true, place: 's3://b/c' }
    expect(accounts({ artifacts, backup })).toEqual(role('artifacts'))
    expect(accounts({ artifacts, backup: { ...backup, accountAnnotations: role('backup') } })).toEqual(
      role('backup'),
    )
    expect(pod(everything, '-backup').serviceAccountName).toBeUndefined()
  })

  it('backs up with keys of its own, or else with those of the artifacts, which it reads', () => {
    expect(keysOf(everything)).toEqual(['s3', 's3'])
    const env = pod(everything, '-backup').containers[0]?.env
    expect(env).toContainEqual({ name: 'HEDDLE_ARTIFACTS', value: 's3://heddle/a' })
    expect(env).toContainEqual({ name: 'HEDDLE_S3_ENDPOINT', value: 'http://minio:9000' })
    expect(keysOf(render(SETS['stores of others']))).toEqual(['backup-keys', 'backup-keys'])
  })
})

describe('GPU nodes', () => {
  const manifests = render({
    artifacts: { address: 's3://a/b', existingSecret: 's3' },
    modelServer: { pools: POOLS },
  })

  it('is a StatefulSet for each model of each pool, with what the pool says', () => {
    const sets = manifests.filter(
      ({ spec, kind }) => kind === 'StatefulSet' && spec.template.metadata.labels['heddle/node'],
    )
    expect(sets.map(({ metadata }) => metadata.name)).toEqual([
      'r-heddle-small-demo',
      'r-heddle-large-base-8b',
      'r-heddle-large-base-70b',
    ])
    const large = one(manifests, 'StatefulSet', 'large-base-70b').spec.template.spec
    expect(large.containers[0]?.resources.limits).toMatchObject({ 'nvidia.com/gpu': 2 })
    expect(large.tolerations).toEqual([{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }])
    expect(large.nodeSelector).toEqual({ 'node-pool': 'gpu' })
    expect(large.containers[0]?.env).toContainEqual({ name: 'HEDDLE_NODE_MODEL_NAME', value: 'Base_70B' })
    const small = one(manifests, 'StatefulSet', 'small-demo').spec.template.spec
    expect(small.containers[0]?.resources.limits).not.toHaveProperty('nvidia.com/gpu')
    expect(small.tolerations).toBeUndefined()
  })

  it('is known to workers by each pod’s name, as many as there may be', () => {
    const nodes = (values: Values) =>
      one(render(values), 'Deployment', '-inference-worker')
        .spec.template.spec.containers[0]?.env?.find(({ name }) => name === 'HEDDLE_NODES')
        ?.value?.split(',')
    expect(
      nodes({
        artifacts: { address: 's3://a/b', existingSecret: 's3' },
        modelServer: { pools: POOLS, externalNodes: ['gpu:1'] },
      }),
    ).toEqual([
      'r-heddle-small-demo-0.r-heddle-small-demo:50051',
      ...[0, 1].map((i) => `r-heddle-large-base-8b-${i}.r-heddle-large-base-8b:50051`),
      ...[0, 1].map((i) => `r-heddle-large-base-70b-${i}.r-heddle-large-base-70b:50051`),
      'gpu:1',
    ])
    const scaled = [
      { name: 'a', models: [{ name: 'm', model: 'm' }], autoscaling: { enabled: true, maxReplicas: 7 } },
    ]
    expect(nodes({ modelServer: { pools: scaled } })).toHaveLength(7)
  })

  it('trains where a pool says so', () => {
    const env = one(manifests, 'Deployment', '-trainer-worker').spec.template.spec.containers[0]?.env
    const nodes = env?.find(({ name }) => name === 'HEDDLE_TRAINING_NODES')?.value?.split(',')
    expect(nodes?.every((node) => node.startsWith('r-heddle-large'))).toBe(true)
    const large = one(manifests, 'StatefulSet', 'large-base-8b').spec.template.spec.containers[0]?.env
    expect(large).toContainEqual({ name: 'HEDDLE_NODE_ARTIFACT_ROOTS', value: 's3://a/b' })
  })

  it('has no workers without nodes', () => {
    expect(render().some(({ metadata }) => metadata.name.endsWith('inference-worker'))).toBe(false)
    expect(render().some(({ metadata }) => metadata.name.endsWith('trainer-worker'))).toBe(false)
  })

  it('is reached by workers alone', () => {
    const policy = one(manifests, 'NetworkPolicy', '-model-server')
    const from = policy.spec.ingress.flatMap((rule) => rule.from ?? [])
    const admitted = podsOf(manifests).filter(({ labels }) =>
      from.some(({ podSelector }) => selects(podSelector?.matchLabels ?? {}, labels)),
    )
    expect(admitted.map(({ owner }) => owner.metadata.name).sort()).toEqual([
      'r-heddle-inference-worker',
      'r-heddle-trainer-worker',
    ])
  })
})

describe('what nobody named', () => {
  const policies = render().filter(({ kind }) => kind === 'NetworkPolicy')
  /** A peer that says whom it means. */
  const names = (peer: object) =>
    Object.values(peer).every(
      (part: { matchLabels?: object; cidr?: string }) => part.matchLabels ?? part.cidr,
    )

  it('reaches no pod: interfaces and metrics are open to this release alone', () => {
    expect(policies.length).toBeGreaterThan(3)
    for (const { metadata, spec } of policies)
      for (const { from = [] } of spec.ingress ?? []) {
        expect(from.length, metadata.name).toBeGreaterThan(0)
        for (const peer of from)
          expect([metadata.name, peer, names(peer)]).toEqual([metadata.name, peer, true])
      }
  })

  it('is asked for no name: look-ups go to the DNS of the cluster', () => {
    for (const { metadata, spec } of policies.filter((policy) => policy.spec.egress)) {
      const lookups = spec.egress.filter(({ ports = [] }) => ports.some(({ port }) => port === 53))
      for (const { to = [] } of lookups) {
        expect(to.length, metadata.name).toBeGreaterThan(0)
        for (const peer of to) expect(names(peer), metadata.name).toBeTruthy()
      }
    }
    const closed = render({ networkPolicy: { dns: [] } }).filter(({ kind }) => kind === 'NetworkPolicy')
    for (const { spec } of closed)
      for (const { ports = [] } of spec.egress ?? []) expect(ports.map(({ port }) => port)).not.toContain(53)
  })
})

describe('spans of the roles', () => {
  const roles = everything.filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('r-heddle'),
  )
  const environment = (manifest: Manifest) => manifest.spec.template.spec.containers[0]?.env ?? []

  it('go to the collector that is named, and every role may reach it', () => {
    expect(roles.length).toBeGreaterThan(5)
    for (const role of roles) {
      const { name } = role.metadata
      const address = { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector.monitoring:4318' }
      expect(environment(role), name).toContainEqual(address)
      const secret = { secretKeyRef: { name: 'collector', key: 'headers' } }
      expect(environment(role), name).toContainEqual({
        name: 'OTEL_EXPORTER_OTLP_HEADERS',
        valueFrom: secret,
      })
      const { egress } = one(everything, 'NetworkPolicy', name).spec
      expect(egress, name).toContainEqual({ ports: [{ port: 4318, protocol: 'TCP' }] })
    }
  })

  it.each([
    ['https://collector.example.com/otlp', 443],
    ['http://collector', 80],
  ])('go out by the port of %s', (endpoint, port) => {
    const { egress } = one(
      render({ monitoring: { spans: { endpoint } } }),
      'NetworkPolicy',
      'r-heddle-tracing',
    ).spec
    expect(egress).toContainEqual({ ports: [{ port, protocol: 'TCP' }] })
  })

  it('are nowhere unless one is named', () => {
    for (const role of render().filter(({ kind }) => kind === 'Deployment'))
      expect(environment(role).filter(({ name }) => name.startsWith('OTEL'))).toEqual([])
  })
})

describe('an artifact store in the cluster', () => {
  it.each(['tracing', 'training-api', 'trainer-worker', 'model-server', 'backup'])(
    'may be reached by its port: %s',
    (name) => {
      const { egress } = one(everything, 'NetworkPolicy', `r-heddle-${name}`).spec
      expect(egress).toContainEqual({ ports: [{ port: 9000, protocol: 'TCP' }] })
    },
  )

  it('opens no port to everywhere that is open to the outside already', () => {
    const artifacts = { address: 's3://a/b', endpoint: 'https://s3.example.com', existingSecret: 's3' }
    const { egress } = one(render({ artifacts }), 'NetworkPolicy', 'r-heddle-tracing').spec
    expect(egress).not.toContainEqual({ ports: [{ port: 443, protocol: 'TCP' }] })
  })
})

describe('scaling', () => {
  it('goes by CPU and by the length of a queue', () => {
    const metrics = one(everything, 'HorizontalPodAutoscaler', '-inference-worker').spec.metrics
    expect(metrics.map(({ type }) => type)).toEqual(['Resource', 'External'])
    expect(one(everything, 'HorizontalPodAutoscaler', 'large-base-8b').spec.metrics).toMatchObject([
      { external: { metric: { selector: { matchLabels: { model: 'base-8b' } } } } },
    ])
    expect(
      one(everything, 'HorizontalPodAutoscaler', '-tracing').spec.metrics.map(({ type }) => type),
    ).toEqual(['Resource'])
  })

  it('goes by KEDA in the same cases', () => {
    const manifests = render(SETS['with KEDA'])
    expect(manifests.some(({ kind }) => kind === 'HorizontalPodAutoscaler')).toBe(false)
    const { triggers } = one(manifests, 'ScaledObject', 'large-base-8b').spec
    expect(triggers).toMatchObject([{ type: 'prometheus', metadata: { threshold: '16' } }])
    expect(triggers[0]?.metadata.query).toContain('{model="base-8b"}')
  })
})

describe('the operator’s own', () => {
  it('settings go before the chart’s', () => {
    const env = one(everything, 'Deployment', '-ingest').spec.template.spec.containers[0]?.env
    expect(env).toContainEqual({ name: 'HEDDLE_DECODE_THREADS', value: '3' })
    const louder = render({ extraEnv: [{ name: 'HEDDLE_LOG_FORMAT', value: 'text' }] })
    const formats = one(louder, 'Deployment', '-tracing').spec.template.spec.containers[0]?.env
    expect(formats?.filter(({ name }) => name === 'HEDDLE_LOG_FORMAT')).toEqual([
      { name: 'HEDDLE_LOG_FORMAT', value: 'text' },
    ])
  })

  it('environment reaches also what waits for the tables', () => {
    const more = { configMapRef: { name: 'more', optional: true } }
    for (const { spec } of podsOf(everything))
      for (const { name, envFrom } of spec.initContainers ?? [])
        if (name === 'tables') expect(envFrom).toContainEqual(more)
  })

  it('objects are filled in, and labels and annotations reach all', () => {
    expect(everything.map(({ metadata }) => metadata.name)).toContain('r-more')
    expect(one(everything, 'Deployment', '-tracing').metadata).toMatchObject({
      labels: { team: 'loom' },
      annotations: { owner: 'weavers' },
    })
  })

  it('image is named by its digest, where there is one', () => {
    const image = { registry: 'registry.example.com', repository: 'a/b', tag: 'x' }
    const named = (more: object) =>
      one(render({ image: { ...image, ...more } }), 'Deployment', '-tracing').spec.template.spec.containers[0]
        ?.image
    expect(named({})).toBe('registry.example.com/a/b:x')
    expect(named({ digest: 'sha256:00' })).toBe('registry.example.com/a/b@sha256:00')
  })

  it.each([
    ['a value that is not there', { tracing: { replica: 2 } }, 'replica'],
    ['a setting that no environment can have', { settings: { 'a b': 1 } }, 'a b'],
    ['several servers without a Keeper', { clickhouse: { replicas: 2 } }, 'clickhouse.keeper'],
    ['no store at all', { clickhouse: { enabled: false } }, 'externalClickhouse.url'],
    ['roles that need a Redis without one', { redis: { enabled: false } }, 'externalRedis.existingSecret'],
    [
      'several pods that could not agree',
      { redis: { enabled: false }, trainingApi: { enabled: false }, evaluationWorker: { enabled: false } },
      'tracing.replicas=1',
    ],
    ['a pool without a model', { modelServer: { pools: [{ name: 'a', models: [] }] } }, 'models'],
    ['a backup to nowhere', { backup: { enabled: true } }, 'backup.place'],
    ['a backup to a folder', { backup: { enabled: true, place: '/backups' } }, 's3://bucket/prefix'],
    ['an export to a folder', { export: { enabled: true, place: '/files' } }, 's3://bucket/prefix'],
    ['a backup without keys', { backup: { enabled: true, place: 's3://b/c' } }, 'backup.existingSecret'],
    ['artifacts without keys', { artifacts: { address: 's3://a/b' } }, 'artifacts.existingSecret'],
    [
      'a pool that trains with nowhere to write to',
      { modelServer: { pools: [{ name: 'a', train: true, models: [{ name: 'm', model: 'm' }] }] } },
      'artifacts.address',
    ],
  ])('mistake is refused with a word on it: %s', (_, values, text) => {
    expect(() => render(values)).toThrow(text)
  })
})
