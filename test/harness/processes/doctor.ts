import { expect } from 'vitest'

import { bellhop, type Environment } from './bellhop-process.ts'

interface Found {
  check: string
  status: 'ok' | 'warning' | 'problem'
  message: string
  action?: string
}

/** Runs `bellhop doctor` in a folder, which gets nothing of our environment. */
export async function doctor(cwd: string, env: Environment, ...only: string[]) {
  const args = ['doctor', '--json', ...(only.length > 0 ? ['--only', ...only] : [])]
  const { code, stdout, stderr } = await bellhop(args, { cwd, env })
  expect(stderr).toBe('')
  const { status, findings } = JSON.parse(stdout) as { status: string; findings: Found[] }
  return { code, status, findings, of: (check: string) => findings.filter((each) => each.check === check) }
}

export const found = (status: Found['status'], message: string | RegExp, action?: RegExp) =>
  expect.objectContaining({
    status,
    message: expect.stringMatching(message),
    ...(action && { action: expect.stringMatching(action) }),
  })

/** Runs this before the program. */
export const preload = (source: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(source)}`,
})
