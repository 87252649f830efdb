import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { request } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { variableNames } from '../../server/config.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { newFolder, run } from '../harness/processes/bellhop-process.ts'
import { freePort } from '../harness/processes/ports.ts'
import { readCompose, readDeployed } from './compose-file.ts'

const dockerfile = await readFile(join(packageRoot, 'Dockerfile'), 'utf8')
const valueOf = (pattern: RegExp) => pattern.exec(dockerfile)?.[1]

test('the image runs as a number that is not root, stops by SIGTERM, and has its data in one volume', async () => {
  const [last] = dockerfile.split('\nFROM ').toReversed() as [string]
  const users = [...last.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)
  expect(users).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD \["node", "\/usr\/lib\/bellhop\/health\.mjs"\]$/m)
  const folder = valueOf(/BELLHOP_DATA_DIR=(\S+)/)
  expect([...last.matchAll(/^VOLUME (.*)$/gm)].map(([, volume]) => volume)).toEqual([folder])
  const settings = [...last.slice(last.indexOf('ENV ')).matchAll(/^(?:ENV)? *([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  )
  const known = new Set<string>([...variableNames, 'NODE_ENV'])
  expect(settings.length).toBeGreaterThan(3)
  expect(settings.filter((name) => !known.has(name!))).toEqual([])
})

test('compose.yaml builds on the base of the Dockerfile, which names no registry', async () => {
  const filledIn = Object.fromEntries(
    [...(await readDeployed('compose/.env.example')).matchAll(/^([A-Z]\w*)=$/gm)].map(([, name]) => [
      name,
      'x',
    ]),
  ) as Record<string, string>
  const { services } = await readCompose(filledIn)
  const base = valueOf(/^ARG BASE=(\S+)$/m)
  expect(base).toMatch(/^node:\d+-[a-z-]+$/)
  expect(services.api!.build!.args.BASE).toBe(base)
})

/** A server that says its name, to requests and to WebSockets. */
async function serveName(name: string): Promise<{ port: number; server: Server }> {
  const server = createServer(({ url }, response) => void response.end(`${name} ${url}`))
  const sockets = new WebSocketServer({ server, handleProtocols: ([first]) => first ?? false })
  sockets.on('connection', (socket) => socket.send(name))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

test('Caddy leads softphones to the edge, and everything else to the API', async () => {
  const [api, edge, port] = [await serveName('api'), await serveName('edge'), await freePort()]
  let file = await readDeployed('compose/Caddyfile')
  for (const [from, to] of [
    ['127.0.0.1:3000', `127.0.0.1:${api.port}`],
    ['127.0.0.1:3001', `127.0.0.1:${edge.port}`],
  ] as const) {
    expect(file).toContain(from)
    file = file.replace(from, to)
  }
  const home = await newFolder()
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', '-'], {
    env: { ...process.env, PUBLIC_HOST: `http://localhost:${port}`, HOME: home, XDG_DATA_HOME: home },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  onTestFinished(async () => {
    caddy.kill()
    await once(caddy, 'exit')
  })
  caddy.stdin.end(file)
  // `fetch` refuses some of the ports that may be free.
  const ask = async (path: string) => (await request(`http://localhost:${port}${path}`)).body.text()
  await vi.waitFor(async () => expect(await ask('/api/v1/contacts')).toBe('api /api/v1/contacts'), {
    timeout: 30_000,
  })
  const greeting = async (path: string, protocol: string) => {
    const socket = new WebSocket(`ws://localhost:${port}${path}`, protocol)
    const [said] = await once(socket, 'message')
    socket.terminate()
    return String(said)
  }
  expect(await greeting('/sip', 'sip')).toBe('edge')
  expect(await greeting('/cable', 'actioncable-v1-json')).toBe('api')
  expect(await ask('/sip-phones')).toBe('api /sip-phones')
})

test.each([
  ['serve', 'PORT'],
  ['api', 'PORT'],
  ['edge', 'EDGE_HTTP_PORT'],
  ['worker', 'WORKER_HTTP_PORT'],
])('the health check asks a process of the role %s at its %s', async (role, setting) => {
  const { port, server } = await serveName('alive')
  const program = join(packageRoot, 'deploy/container/health.mjs')
  const check = () =>
    run(process.execPath, [program, role], {
      cwd: packageRoot,
      env: { HOST: '0.0.0.0', [setting]: String(port) },
    })
  expect(await check()).toMatchObject({ code: 0 })
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining(`${role}: `) as string })
})
