import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { newFolder, run } from '../harness/processes/bellhop-process.ts'

const SCRIPT = join(import.meta.dirname, 'install-programs')

/** The programs that `fast` requires are expected in their Debian folders, except openssl; so are Kamailio, nginx and PgBouncer. */
const ON_THE_PATH = [
  'openssl',
  'baresip',
  'script',
  'caddy',
  'chromium',
  'curl',
  'git',
  'linphonec',
  'ps',
  'promtool',
  'rtpengine',
  'shellcheck',
  'sipp',
  'systemd-notify',
]
const PACKAGES =
  'openssl baresip-core bsdutils caddy chromium chromium-headless-shell curl git linphone-cli procps prometheus rtpengine-daemon shellcheck sip-tester systemd'

/** A machine whose PATH is one folder. */
let folder: string

beforeEach(async () => {
  folder = await newFolder()
})

async function add(program: string, script = ''): Promise<void> {
  await writeFile(join(folder, program), `#!/bin/bash\n${script}\n`)
  await chmod(join(folder, program), 0o755)
}

/** A passwordless sudo, and an apt-get that records its arguments. */
async function addApt({ uid, brings }: { uid: number; brings: string[] }): Promise<void> {
  await add('id', `echo ${uid}`)
  await add('sudo', `[ "$1" = -n ] && shift && exec "$@"`)
  await add('true')
  await symlink('/usr/bin/env', join(folder, 'env'))
  await symlink('/bin/sh', join(folder, 'sh'))
  for (const program of ['chmod', 'rm']) await symlink(`/bin/${program}`, join(folder, program))
  await mkdir(join(folder, 'usr/sbin'), { recursive: true })
  await add(
    'apt-get',
    `echo "$DEBIAN_FRONTEND apt-get $*" >>calls
     echo progress
     /bin/cp usr/sbin/policy-rc.d policy
     [ "$1" != update ] || exit 0
     for program in ${brings.join(' ')}; do /bin/cp apt-get "$program"; done`,
  )
}

const install = (...args: string[]) =>
  run('/bin/bash', [SCRIPT, ...args], { cwd: folder, env: { PATH: folder, DPKG_ROOT: folder } })

const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n')

test('nothing is printed or installed if everything is installed', async () => {
  for (const program of ON_THE_PATH) await add(program)
  expect(await install()).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each([
  ['root', 0],
  ['a user with passwordless sudo', 1000],
])('%s installs what is missing, with one line of progress', async (_, uid) => {
  await addApt({ uid, brings: ON_THE_PATH })
  const stdout = `Installing what the tests need, once, with apt-get: ${PACKAGES}\n`
  expect(await install()).toEqual({ code: 0, stdout, stderr: '' })
  expect(await calls()).toEqual([
    'noninteractive apt-get update',
    `noninteractive apt-get -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends ${PACKAGES}`,
  ])
  expect(await install()).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('no service is started by its installation, and those of later ones are', async () => {
  await addApt({ uid: 0, brings: ON_THE_PATH })
  await install()
  expect(await readFile(join(folder, 'policy'), 'utf8')).toBe('#!/bin/sh\nexit 101\n')
  expect(await readdir(join(folder, 'usr/sbin'))).toEqual([])
})

test('a user whose sudo requires a password gets the command to run, and nothing is installed', async () => {
  await addApt({ uid: 1000, brings: ON_THE_PATH })
  await add('sudo', 'exit 1')
  const command = `sudo sh -c 'apt-get update && apt-get install --yes --no-install-recommends ${PACKAGES}'`
  expect(await install()).toEqual({
    code: 1,
    stdout: '',
    stderr: `The tests need packages that only root can install: run  ${command}  once.\n`,
  })
  await expect(calls()).rejects.toThrow('ENOENT')
})

test.each([
  ['has no IPv6', undefined],
  ['has IPv6 on its network only', 'fd000000000000000000000000000002 04 40 00 82     eth0\n'],
])('a machine that %s learns that the tests need its loopback', async (_, addresses) => {
  for (const program of ON_THE_PATH) await add(program)
  const file = join(folder, 'if_inet6')
  if (addresses !== undefined) await writeFile(file, addresses)
  const env = { PATH: folder, IF_INET6: file }
  const { code, stderr } = await run('/bin/bash', [SCRIPT], { cwd: folder, env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^This machine has no IPv6 loopback \(::1\), over which the tests call: .+\n$/)
  const fast = await run('/bin/bash', [SCRIPT, 'fast'], { cwd: folder, env })
  expect(fast).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('without apt-get it names the missing programs', async () => {
  await add('baresip')
  await add('google-chrome')
  expect(await install()).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The tests need programs that are not on this machine: openssl, script, caddy, curl, git, linphonec, ps, promtool, rtpengine, shellcheck, sipp, systemd-notify.\n',
  })
})

test('a failing apt-get prints its own error', async () => {
  await addApt({ uid: 0, brings: [] })
  await add('apt-get', 'echo "E: Unable to locate package chromium" >&2; exit 100')
  const { code, stderr } = await install()
  expect(code).toBe(1)
  expect(stderr).toBe(
    'E: Unable to locate package chromium\napt-get could not install what the tests need; the lines above say why.\n',
  )
})

test('a program that is still missing after its package was installed is named', async () => {
  await addApt({ uid: 0, brings: ON_THE_PATH.filter((program) => program !== 'sipp') })
  expect(await install()).toMatchObject({
    code: 1,
    stderr: 'apt-get has installed sip-tester, but this is still missing: sipp.\n',
  })
})

test('the fast tests need no phone and no browser', async () => {
  await add('openssl')
  expect(await install('fast')).toEqual({ code: 0, stdout: '', stderr: '' })
})
