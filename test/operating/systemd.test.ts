import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { expect, onTestFinished, test, vi } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { newFolder, startService } from '../harness/processes/bellhop-process.ts'

const LISTENER = `
import socket, sys
door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
door.bind(sys.argv[1])
print('listening', flush=True)
while True:
  said = door.recv(4096).decode()
  # systemd-notify also waits until what it sent is read.
  if said != 'BARRIER=1': print(said, flush=True)
`

/** The socket on which systemd waits for news of a unit. */
async function openNotifySocket(): Promise<{ path: string; next(): Promise<string> }> {
  const path = join(await newFolder(), 'notify')
  const listener = spawn('python3', ['-c', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void listener.kill())
  const lines = createInterface(listener.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value as string
  expect(await next()).toBe('listening')
  return { path, next }
}

test('systemd is told when the service is ready, and when it stops', async () => {
  const { path, next } = await openNotifySocket()
  const cwd = await newFolder()
  const service = await startService({ cwd, env: { NOTIFY_SOCKET: path } })
  expect(await next()).toBe('READY=1')
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  service.signal('SIGTERM')
  expect(await next()).toBe('STOPPING=1')
  expect(await service.ended).toBe(0)
})

test('a socket that nobody reads does not keep the service from starting', async () => {
  const cwd = await newFolder()
  const service = await startService({ cwd, env: { NOTIFY_SOCKET: join(cwd, 'nobody') } })
  await vi.waitFor(() => expect(service.stderr()).toContain('systemd cannot be told'), { timeout: 30_000 })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
})

const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', args)

test.each(['bellhop.service', 'bellhop@.service'])(
  'systemd accepts %s, and finds little that it could do without',
  async (name) => {
    const unit = join(packageRoot, 'deploy/systemd', name)
    const { stdout } = await analyze('security', '--offline=true', '--no-pager', unit)
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)!
    expect(Number(exposure)).toBeLessThan(2)

    // Here the program is not where the package has it, and systemd looks for it.
    const copy = join(await newFolder(), name)
    const text = await readFile(unit, 'utf8')
    await writeFile(copy, text.replace('/usr/bin/bellhop', process.execPath))
    expect(await analyze('verify', '--man=no', copy)).toEqual({ stdout: '', stderr: '' })
  },
)
