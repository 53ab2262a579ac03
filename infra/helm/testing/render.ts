/** Renders the chart with helm and reads what comes out. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

export const root = resolve(import.meta.dirname, '../../..')
export const chart = join(root, 'infra/helm/heddle')
export const tools = join(root, '.cache/tools')

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: {
    secretKeyRef?: { name: string; key: string }
    fieldRef?: { fieldPath: string }
  }
}

export interface Probe {
  httpGet?: { path: string; port: string }
  tcpSocket?: { port: string }
  exec?: { command: string[] }
  periodSeconds?: number
  failureThreshold?: number
}

export interface Container {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  envFrom?: object[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  resources: { requests?: Record<string, string>; limits?: Record<string, string | number> }
  securityContext: {
    allowPrivilegeEscalation: boolean
    readOnlyRootFilesystem: boolean
    capabilities: { drop: string[] }
  }
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[]
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  terminationGracePeriodSeconds?: number
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } }
  tolerations?: object[]
  nodeSelector?: Record<string, string>
  affinity?: object
  volumes?: { name: string; configMap?: { name: string }; emptyDir?: object }[]
  imagePullSecrets?: { name: string }[]
}

interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> }
  spec: PodSpec
}

export interface Peer {
  podSelector?: { matchLabels?: Record<string, string> }
  namespaceSelector?: object
  ipBlock?: { cidr: string; except?: string[] }
}

/** An object of Kubernetes, with the fields that tests look at. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    labels: Record<string, string>
    annotations?: Record<string, string>
  }
  data?: Record<string, string>
  automountServiceAccountToken?: boolean
  spec: PodSpec & {
    replicas?: number
    template: PodTemplate
    schedule?: string
    timeZone?: string
    concurrencyPolicy?: string
    jobTemplate: { spec: { template: PodTemplate } }
    selector: Record<string, string> & { matchLabels: Record<string, string> }
    ports: { name: string; port: number; targetPort: string }[]
    serviceName?: string
    scaleTargetRef: { kind: string; name: string }
    minReplicas: number
    maxReplicas: number
    metrics: { type: string; external?: { metric: { name: string; selector?: object } } }[]
    triggers: { type: string; metadata: Record<string, string> }[]
    podSelector: { matchLabels: Record<string, string> }
    ingress: { from?: Peer[]; ports?: { port: number }[] }[]
    egress: { to?: Peer[]; ports?: { port: number }[] }[]
    rules: {
      http: { paths: { path: string; pathType: string; backend: { service: { name: string } } }[] }
      matches: { path: { type: string; value: string } }[]
      backendRefs: { name: string; port: number }[]
    }[]
    groups: { name: string; rules: { alert?: string; expr: string }[] }[]
  }
}

export type Values = Record<string, unknown>

export interface RenderOptions {
  release?: string
  /** as for an upgrade of a release that is there */
  upgrade?: boolean
}

/** Every object that the chart makes of `values`. @throws with helm's words if it makes none */
export function render(
  values: Values = {},
  { release = 'r', upgrade = false }: RenderOptions = {},
): Manifest[] {
  const helm = join(tools, 'helm')
  if (!existsSync(helm)) throw new Error('the tools are missing; run infra/tools/install.sh first')
  const text = execFileSync(
    helm,
    ['template', release, chart, '--namespace', 'spun', '-f', '-', ...(upgrade ? ['--is-upgrade'] : [])],
    { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw new Error(`not YAML: ${document.errors[0]?.message}`)
      return document.toJS() as Manifest | null
    })
    .filter((manifest) => manifest !== null)
}

/** The only object of a kind whose name ends like this. */
export function one(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter(
    (manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(name),
  )
  if (found.length !== 1) throw new Error(`${found.length} of ${kind} ${name}`)
  return found[0]!
}

export interface Pods {
  owner: Manifest
  labels: Record<string, string>
  spec: PodSpec
}

/** Everything that becomes pods. */
export function podsOf(manifests: readonly Manifest[]): Pods[] {
  return manifests.flatMap((owner) => {
    if (owner.kind === 'CronJob') {
      const { metadata, spec } = owner.spec.jobTemplate.spec.template
      return [{ owner, labels: metadata.labels, spec }]
    }
    if (owner.kind === 'Pod') return [{ owner, labels: owner.metadata.labels, spec: owner.spec }]
    if (!['Deployment', 'StatefulSet', 'Job'].includes(owner.kind)) return []
    return [{ owner, labels: owner.spec.template.metadata.labels, spec: owner.spec.template.spec }]
  })
}

/** Whether a selector takes what has these labels. */
export function selects(selector: Record<string, string>, labels: Record<string, string>): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}
