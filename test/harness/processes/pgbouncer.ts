import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import { afterFile } from '../after-file.ts'
import { newFolder, until } from './bellhop-process.ts'
import { accountToRunAs } from './outside-postgres.ts'
import { freePort } from './ports.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** A pooler in transaction mode in front of the server of this URL, with so few sessions that clients share them. */
export async function startPgBouncer(url: string, { sessions }: { sessions: number }): Promise<string> {
  if (!existsSync(PROGRAM)) throw new Error(`there is no ${PROGRAM}: run test/setup/install-programs`)
  const { hostname, port, username, password } = new URL(url)
  const folder = await newFolder()
  const account = await accountToRunAs()
  await chown(folder, account.uid, account.gid)
  const own = await freePort()
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${sessions}`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings.join('\n'))
  const program = spawn(PROGRAM, ['-q', file], { ...account, cwd: folder, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()))
  afterFile(async () => {
    program.kill('SIGKILL')
    await ended
  })
  await until(() => accepts(own))
  return url.replace(`${hostname}:${port}`, `127.0.0.1:${own}`)
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
