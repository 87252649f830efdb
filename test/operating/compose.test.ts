import { expect, test } from 'vitest'

import { readConfig, variableNames } from '../../server/config.ts'
import { namedVariables, readCompose, readDeployed, type Service } from './compose-file.ts'

const SECRET = 'a'.repeat(64)
const FILLED_IN = {
  PUBLIC_HOST: 'phone.example.com',
  BELLHOP_SECRET: SECRET,
  MESSAGE_KEYS: `k1:${SECRET}`,
  POSTGRES_PASSWORD: 'b'.repeat(48),
  S3_ACCESS_KEY_ID: 'bellhop',
  S3_SECRET_ACCESS_KEY: 'c'.repeat(48),
}
const OURS = ['api', 'worker', 'edge']

const { services, volumes } = await readCompose(FILLED_IN)
const ours = OURS.map((name) => [name, services[name]!] as const)
const example = await readDeployed('compose/.env.example')
const exampleLines = [...example.matchAll(/^(#?)([A-Z]\w*)=(.*)$/gm)].map(([, off, name, value]) => ({
  name: name!,
  value: value!,
  off: off === '#',
}))

const inProfile = (profile: string) =>
  Object.keys(services).filter((name) => services[name]!.profiles.includes(profile))

test('one machine has everything, and each of several the parts of Bellhop and the proxy', () => {
  expect(inProfile('one')).toEqual(['api', 'worker', 'edge', 'postgres', 's3', 'caddy'])
  expect(inProfile('several')).toEqual(['api', 'worker', 'edge', 'caddy'])
  for (const [name, { command }] of ours) expect(command).toEqual([name])
  const elsewhere = ours.flatMap(([, { depends_on: needed }]) => Object.entries(needed!))
  expect(elsewhere).toHaveLength(OURS.length * 2)
  for (const [name, { condition, required }] of elsewhere) {
    expect(condition).toBe('service_healthy')
    expect(services[name]!.healthcheck).toBeDefined()
    expect(required).toBe(false)
  }
})

test.each(ours)('the settings of %s are accepted, and lead to the other services', (_, service) => {
  const unknown = Object.keys(service.environment).filter(
    (name) => !variableNames.some((one) => one === name),
  )
  expect(unknown).toEqual([])
  const config = readConfig(service.environment)
  expect(config.baseUrl).toBe('https://phone.example.com')
  expect(config.databaseUrl).toBe(`postgres://bellhop:${FILLED_IN.POSTGRES_PASSWORD}@127.0.0.1:5432/bellhop`)
  expect(services.postgres!.environment).toMatchObject({
    POSTGRES_USER: 'bellhop',
    POSTGRES_PASSWORD: FILLED_IN.POSTGRES_PASSWORD,
  })
  expect(services.postgres!.ports).toEqual(['127.0.0.1:5432:5432'])
  expect(config.s3).toMatchObject({
    endpoint: 'http://127.0.0.1:9000',
    bucket: services.s3!.environment.BUCKET,
  })
  expect(services.s3!.environment).toMatchObject({
    ROOT_ACCESS_KEY_ID: config.s3!.accessKeyId,
    ROOT_SECRET_ACCESS_KEY: config.s3!.secretAccessKey,
    VGW_REGION: config.s3!.region,
  })
  expect(services.s3!.ports).toEqual(['127.0.0.1:9000:9000'])
  // The proxy is on the same machine, and nobody else is to reach them without it.
  expect(config.host).toBe('127.0.0.1')
  expect(config.trustedProxies).toEqual(['loopback'])
})

test('on several machines the database, the bucket and the public URL are those that are set', async () => {
  const elsewhere = {
    ...FILLED_IN,
    POSTGRES_PASSWORD: '',
    BELLHOP_BASE_URL: 'https://api.example.com',
    DATABASE_URL: 'postgres://bellhop:secret@10.0.0.1:5432,10.0.0.2:5432/bellhop',
    S3_URL: 'https://s3.example.com',
    S3_BUCKET: 'files',
  }
  const several = await readCompose(elsewhere)
  const config = readConfig(several.services.edge!.environment)
  expect(config).toMatchObject({ databaseUrl: elsewhere.DATABASE_URL, baseUrl: elsewhere.BELLHOP_BASE_URL })
  expect(config.s3).toMatchObject({ endpoint: elsewhere.S3_URL, bucket: 'files' })
  expect(several.services.caddy!.environment.PUBLIC_HOST).toBe('phone.example.com')
})

test.each(Object.keys(FILLED_IN))(
  'without %s nothing starts, and there is no default for it',
  async (name) => {
    await expect(readCompose({ ...FILLED_IN, [name]: '' })).rejects.toThrow(`${name} is not set`)
    expect(exampleLines.find((line) => line.name === name)).toEqual({ name, value: '', off: false })
  },
)

test('the example lists every variable of compose.yaml, and otherwise only settings of Bellhop', async () => {
  const named = await namedVariables()
  expect(named.length).toBeGreaterThan(10)
  const listed = exampleLines.map(({ name }) => name)
  expect(named.filter((name) => !listed.includes(name))).toEqual([])
  const known = new Set<string>([...named, ...variableNames])
  expect(listed.filter((name) => !known.has(name))).toEqual([])
})

test.each(ours)('%s can write to its volume and to /tmp, and has no privileges', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp'],
    volumes: ['data:/var/lib/bellhop'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    init: true,
    env_file: '.env',
  })
  expect(service.user).toBeUndefined()
})

test('containers are given longer to stop than calls are given to finish', () => {
  for (const [, service] of ours) {
    const { drainMs } = readConfig(service.environment).edge
    expect(minutes(service) * 60_000).toBeGreaterThanOrEqual(drainMs + 60_000)
  }
})

const minutes = ({ stop_grace_period: period }: Service) => Number(/^(\d+)m$/.exec(period!)![1])

test('every volume is declared, and every service is started again and has a health check', async () => {
  const named = Object.values(services).flatMap((service) =>
    service.volumes.map((volume) => volume.split(':')[0]!).filter((name) => !name.startsWith('.')),
  )
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(volumes).toSorted())
  for (const [name, service] of Object.entries(services)) {
    expect(service.restart).toBe('unless-stopped')
    // Ours have that of the image.
    expect(service.healthcheck !== undefined || OURS.includes(name)).toBe(true)
  }
})

test('every image can be replaced by one of another registry', async () => {
  const variables = {
    BELLHOP_IMAGE: 'registry.example.com/bellhop',
    BASE_IMAGE: 'registry.example.com/node',
    POSTGRES_IMAGE: 'registry.example.com/postgres',
    S3_IMAGE: 'registry.example.com/s3',
    CADDY_IMAGE: 'registry.example.com/caddy',
  }
  const replaced = await readCompose({ ...FILLED_IN, ...variables })
  const all = Object.values(replaced.services)
  const images = [...all.map(({ image }) => image), ...all.flatMap(({ build }) => build?.args.BASE ?? [])]
  expect([...new Set(images)].toSorted()).toEqual(Object.values(variables).toSorted())
})
