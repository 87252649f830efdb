import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readConfig, variableNames } from '../../server/config.ts'
import { packageRoot } from '../../server/platform/package-root.ts'

// It has no types.
const yaml = createRequire(import.meta.url)('js-yaml') as { loadAll(text: string): unknown[] }

type Labels = Record<string, string>
interface Container {
  args: string[]
  image: string
  env?: { name: string; value?: string }[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports: { name: string; containerPort: number }[]
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
}
interface Manifest {
  kind: string
  metadata: { name: string; labels: Labels }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    replicas?: number
    maxUnavailable?: number
    podManagementPolicy?: string
    selector: Labels & { matchLabels: Labels }
    scaleTargetRef?: { name: string }
    volumeClaimTemplates?: { metadata: { name: string } }[]
    rules?: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[]
    template: {
      metadata: { labels: Labels }
      spec: {
        hostNetwork?: boolean
        dnsPolicy?: string
        terminationGracePeriodSeconds: number
        securityContext: object
        affinity?: object
        containers: [Container]
        volumes: { name: string }[]
      }
    }
  }
}

const CHART = join(packageRoot, 'deploy/helm/bellhop')
const RENDERED = join(import.meta.dirname, 'helm')
const ROLES = ['api', 'worker', 'edge']

const rendered = (name: string) => readFileSync(join(RENDERED, `${name}.rendered.yaml`), 'utf8')

/** All but the one with its version. */
function filesOfChart(): string[] {
  const entries = readdirSync(CHART, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'Chart.yaml',
  )
  return entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
}

const selects = (wanted: Labels, labels: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

test('the chart, and the image that it starts, have the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Labels
  const chart = yaml.loadAll(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))
  expect(chart).toEqual([expect.objectContaining({ version, appVersion: version })])
})

describe.each(['least', 'most'])('the chart, rendered with the values in test/operating/helm/%s', (name) => {
  const manifests = yaml.loadAll(rendered(name)).filter((manifest) => manifest !== null) as Manifest[]
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  const workload = (role: string) =>
    workloads.find(({ spec }) => spec.template.spec.containers[0].args[0] === role)!.spec
  const pod = (role: string) => workload(role).template
  const container = (role: string) => pod(role).spec.containers[0]
  const settings = { ...ofKind('ConfigMap')[0]!.data, ...ofKind('Secret')[0]?.stringData }
  const config = readConfig(settings)

  test('is up to date: `test/operating/helm/render` renders it', () => {
    const hash = createHash('sha256')
    for (const file of [join(RENDERED, `${name}.values.yaml`), ...filesOfChart()])
      hash.update(readFileSync(file))
    expect(rendered(name).split('\n', 1)[0]).toBe(
      `# Rendered by test/operating/helm/render of ${hash.digest('hex')}`,
    )
  })

  test('has a workload for each role, and names only settings that there are', () => {
    expect(workloads.map(({ spec }) => spec.template.spec.containers[0].args)).toEqual(
      expect.arrayContaining(ROLES.map((role) => [role])),
    )
    const named = ROLES.flatMap((role) => container(role).env ?? []).map((variable) => variable.name)
    expect(
      [...Object.keys(settings), ...named].filter((key) => !variableNames.includes(key as never)),
    ).toEqual([])
    expect(named).toContain('SIP_HOST')
    expect(config).toMatchObject({ host: '0.0.0.0', baseUrl: 'https://phone.example.com' })
  })

  test.each(ROLES)('asks %s for its health at the port that it opens, and gives it its settings', (role) => {
    const { ports, envFrom, ...rest } = container(role)
    const opened = { api: config.port, worker: Number(settings.WORKER_HTTP_PORT), edge: config.edge.httpPort }
    expect(ports).toEqual([{ name: 'http', containerPort: opened[role as 'api' | 'worker' | 'edge'] }])
    expect(rest.startupProbe!.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(rest.livenessProbe!.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(rest.readinessProbe!.httpGet).toEqual({ path: '/readyz', port: 'http' })
    const secret = ofKind('Secret')[0]?.metadata.name ?? 'made-elsewhere'
    expect(envFrom).toEqual([
      { configMapRef: { name: ofKind('ConfigMap')[0]!.metadata.name } },
      { secretRef: { name: secret } },
    ])
  })

  test.each(ROLES)('runs %s without privileges, and lets it write its data and nothing else', (role) => {
    expect(pod(role).spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(container(role).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const mounted = container(role).volumeMounts
    expect(mounted.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining([config.dataDir, '/tmp']),
    )
    const volumes = [
      ...pod(role).spec.volumes.map((volume) => volume.name),
      ...(workload(role).volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ]
    expect(mounted.map((mount) => mount.name).toSorted()).toEqual(volumes.toSorted())
  })

  test('gives each edge the network of a node of its own, a volume that stays, and time for its calls', () => {
    const { spec, metadata } = pod('edge')
    expect(spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' })
    expect(spec.affinity).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: workload('edge').selector.matchLabels },
          },
        ],
      },
    })
    expect(metadata.labels).toMatchObject(workload('edge').selector.matchLabels)
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(config.edge.drainMs + 60_000)
    expect(workload('edge')).toMatchObject({ podManagementPolicy: 'Parallel' })
    expect(workload('edge').volumeClaimTemplates).toHaveLength(1)
    for (const role of ['api', 'worker']) expect(pod(role).spec.hostNetwork).toBeUndefined()
  })

  test('lets a drain of nodes take one pod of each role at a time', () => {
    for (const role of ROLES) {
      const budgets = ofKind('PodDisruptionBudget').filter(({ spec }) =>
        selects(spec.selector.matchLabels, pod(role).metadata.labels),
      )
      expect(budgets.map(({ spec }) => spec.maxUnavailable)).toEqual([1])
    }
  })

  test('leads the WebSockets of softphones to the edges, and everything else to the API', () => {
    const paths = ofKind('Ingress')[0]!.spec.rules![0]!.http.paths
    const leadsTo = paths.map(({ path, backend }) => {
      const { selector } = ofKind('Service').find(
        ({ metadata }) => metadata.name === backend.service.name,
      )!.spec
      return [path, ROLES.filter((role) => selects(selector, pod(role).metadata.labels))]
    })
    expect(leadsTo).toEqual([
      ['/sip', ['edge']],
      ['/', ['api']],
    ])
    expect(settings.SIP_WEBSOCKET_URL).toBe('wss://phone.example.com/sip')
  })

  test('scales the API automatically only if it is told to', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef!.name)
    expect(scaled).toEqual(name === 'most' ? ['phone-api'] : [])
    expect(workload('api').replicas).toBe(name === 'most' ? undefined : 2)
  })
})
