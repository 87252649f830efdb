import type { Command } from 'commander'

import { loadConfig } from '../server/config.ts'
import { createDemo } from '../server/wiring/demo.ts'
import { localUrl } from '../server/wiring/local-url.ts'
import { copyIntoStore, openStore } from '../server/wiring/store.ts'
import { demoJson, demoText } from './demo-text.ts'
import { operate, print, quietLog } from './operate.ts'

export async function bringUpToDate(command: Command): Promise<void> {
  const store = await openStore(loadConfig(), quietLog())
  await store.close()
  const { migrated } = store
  const text = migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database was up to date.'
  print(command, { json: { migrated }, text })
}

export async function copyFrom(from: string, command: Command): Promise<void> {
  const { tables, migrated } = await copyIntoStore(loadConfig(), quietLog(), from)
  const steps = migrated.length > 0 ? ` Applied ${migrated.join(', ')}.` : ''
  print(command, { json: { tables, migrated }, text: `Copied ${tables} tables.${steps}` })
}

export function makeDemo(command: Command): Promise<void> {
  return operate(command, async (tx, { config: { baseUrl, host, port } }) => {
    const demo = await createDemo(tx)
    const url = baseUrl ?? (port === 0 ? undefined : localUrl({ address: host, port }))
    return { json: demoJson(demo), text: demoText(demo, url) }
  })
}
