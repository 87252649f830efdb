import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { localStorage } from '../../../providers/storage/local.ts'
import { NUMBER_LIMITS } from '../limits.ts'
import { createPromptCache } from './prompt-cache.ts'

async function openCache() {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-prompts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = (key: string, bytes: Buffer) => writeFile(join(folder, key), bytes)
  return { prompts: createPromptCache(localStorage(folder)), write }
}

test('a prompt is read from the storage once, as long as it is among the latest', async () => {
  const { prompts, write } = await openCache()
  const half = Buffer.alloc(NUMBER_LIMITS.promptsKeptBytesMax / 2, 1)
  for (const key of ['a', 'b', 'c']) await write(key, half)
  const a = await prompts.read('a')
  await prompts.read('b')
  expect(await prompts.read('a')).toBe(a)
  await prompts.read('c')
  expect(await prompts.read('a')).toBe(a)
  await write('b', Buffer.from('read again'))
  expect(String(await prompts.read('b'))).toBe('read again')
})

test('a default greeting is read each time, because it may be replaced', async () => {
  const { prompts, write } = await openCache()
  expect(await prompts.readDefault('default')).toBeUndefined()
  await write('default', Buffer.from('one'))
  expect(String(await prompts.readDefault('default'))).toBe('one')
  await write('default', Buffer.from('two'))
  expect(String(await prompts.readDefault('default'))).toBe('two')
})
