import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import { storageContract } from './contract.ts'
import { localStorage } from './local.ts'

const opened: string[] = []

afterEach(async () => {
  for (const dir of opened.splice(0)) await rm(dir, { recursive: true, force: true })
})

async function openFolder() {
  const root = await mkdtemp(join(tmpdir(), 'bellhop-storage-'))
  opened.push(root)
  const dir = join(root, 'data', 'files')
  return { dir, storage: localStorage(dir) }
}

describe('files stored in a folder', () => {
  storageContract(async () => (await openFolder()).storage)

  test('are readable by their owner only', async () => {
    const { dir, storage } = await openFolder()
    await storage.put('recordings/a.wav', Buffer.from('x'))
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, 'recordings'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, 'recordings', 'a.wav'))).mode & 0o777).toBe(0o600)
    await storage.putFile('recordings/b.wav', import.meta.filename)
    expect((await stat(join(dir, 'recordings', 'b.wav'))).mode & 0o777).toBe(0o600)
  })

  test('no temporary file is left after a write, a replacement or a failed write', async () => {
    const { dir, storage } = await openFolder()
    await storage.put('a', Buffer.from('1'))
    await storage.put('a', Buffer.from('2'))
    await storage.put('folder/b', Buffer.from('3'))
    await expect(storage.put('folder', Buffer.from('a file where a folder is'))).rejects.toThrow()
    await expect(storage.putFile('folder', import.meta.filename)).rejects.toThrow()
    await expect(storage.putFile('c', '/never/was')).rejects.toThrow()
    expect((await readdir(dir, { recursive: true })).toSorted()).toEqual(['a', 'folder', 'folder/b'])
  })
})
