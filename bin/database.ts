import type { Command } from 'commander'

import { loadConfig } from '../server/config.ts'
import { createLog } from '../server/platform/log.ts'
import { copyIntoInstallationDatabase, openInstallationDatabase } from '../server/wiring/database.ts'
import { createDemo } from '../server/wiring/demo.ts'
import { localUrl } from '../server/wiring/local-url.ts'
import { openStory } from '../server/wiring/story/open-story.ts'
import { demoJson, demoText } from './demo-text.ts'
import { print, quietLog, runOperatorCommand } from './operator-command.ts'

export async function migrateDatabase(command: Command): Promise<void> {
  const store = await openInstallationDatabase(loadConfig(), quietLog())
  await store.close()
  const { migrated } = store
  const text = migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database was up to date.'
  print(command, { json: { migrated }, text })
}

export async function copyFrom(from: string, command: Command): Promise<void> {
  const { tables, migrated } = await copyIntoInstallationDatabase(loadConfig(), quietLog(), from)
  const steps = migrated.length > 0 ? ` Applied ${migrated.join(', ')}.` : ''
  print(command, { json: { tables, migrated }, text: `Copied ${tables} tables.${steps}` })
}

export function createDemoCompany(command: Command): Promise<void> {
  return runOperatorCommand(command, async (tx, { config }) => {
    const { baseUrl, host, port } = config
    // Whether the keys of texts are this machine's own is said by the service, when it starts.
    const demo = await createDemo(tx, openStory(config, createLog({ level: 'error' })))
    const url = baseUrl ?? (port === 0 ? undefined : localUrl({ address: host, port }))
    return { json: demoJson(demo), text: demoText(demo, url) }
  })
}
