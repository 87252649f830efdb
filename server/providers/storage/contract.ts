import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { ByteRange, Storage } from './port.ts'

/** The contract of every storage. `open` creates an empty one; the caller closes what it opened. */
export function storageContract(open: () => Promise<Storage>): void {
  test('a stored file is read back byte for byte, with its size', async () => {
    const storage = await open()
    const bytes = randomBytes(300_000)
    await storage.put('recordings/com_1/call-1.wav', bytes)
    expect(await storage.size('recordings/com_1/call-1.wav')).toBe(bytes.length)
    expect((await bytesOf(storage, 'recordings/com_1/call-1.wav')).equals(bytes)).toBe(true)
  })

  test('a file on the disk is stored byte for byte, and stays where it is', async () => {
    const storage = await open()
    const bytes = randomBytes(300_000)
    await onDisk(bytes, async (file) => {
      await storage.put('recordings/com_1/call-1.wav', Buffer.from('replaced by it'))
      await storage.putFile('recordings/com_1/call-1.wav', file)
      expect((await bytesOf(storage, 'recordings/com_1/call-1.wav')).equals(bytes)).toBe(true)
      expect((await readFile(file)).equals(bytes)).toBe(true)
    })
    await onDisk(Buffer.alloc(0), (file) => storage.putFile('empty.wav', file))
    expect(await storage.size('empty.wav')).toBe(0)
  })

  test('a file that is not on the disk is not stored', async () => {
    const storage = await open()
    await expect(storage.putFile('a', '/never/was')).rejects.toThrow('ENOENT')
    expect(await storage.size('a')).toBeUndefined()
  })

  test('an empty file is a file', async () => {
    const storage = await open()
    await storage.put('empty.wav', Buffer.alloc(0))
    expect(await storage.size('empty.wav')).toBe(0)
    expect(await bytesOf(storage, 'empty.wav')).toHaveLength(0)
  })

  test.each([
    [{ start: 0, end: 0 }, 'a'],
    [{ start: 2, end: 4 }, 'cde'],
    [{ start: 7, end: 9 }, 'hij'],
    [{ start: 0, end: 9 }, 'abcdefghij'],
  ])('both ends of a range are inclusive: %o', async (range, part) => {
    const storage = await open()
    await storage.put('letters', Buffer.from('abcdefghij'))
    expect((await bytesOf(storage, 'letters', range)).toString()).toBe(part)
  })

  test('storing again replaces the whole file, also with a shorter one', async () => {
    const storage = await open()
    await storage.put('prompts/a.wav', Buffer.from('the first, longer version'))
    await storage.put('prompts/a.wav', Buffer.from('second'))
    expect(await storage.size('prompts/a.wav')).toBe(6)
    expect((await bytesOf(storage, 'prompts/a.wav')).toString()).toBe('second')
  })

  test('concurrent writes to one key leave one complete file', async () => {
    const storage = await open()
    const versions = Array.from({ length: 8 }, (_, i) => Buffer.alloc(100_000, i))
    await Promise.all(versions.map((bytes) => storage.put('same', bytes)))
    const left = await bytesOf(storage, 'same')
    expect(versions.filter((bytes) => bytes.equals(left))).toHaveLength(1)
  })

  test('a removed file is gone, others stay, and removing it again succeeds', async () => {
    const storage = await open()
    await storage.put('a/one', Buffer.from('1'))
    await storage.put('a/two', Buffer.from('2'))
    await storage.remove('a/one')
    expect(await storage.size('a/one')).toBeUndefined()
    await expect(bytesOf(storage, 'a/one')).rejects.toThrow()
    expect((await bytesOf(storage, 'a/two')).toString()).toBe('2')
    await storage.remove('a/one')
  })

  test('a file that does not exist has no size, and reading it fails', async () => {
    const storage = await open()
    expect(await storage.size('never/was')).toBeUndefined()
    await expect(bytesOf(storage, 'never/was')).rejects.toThrow()
    await storage.remove('never/was')
  })

  test.each([
    '',
    '/',
    '/etc/passwd',
    '.',
    '..',
    '../outside',
    'a/../../outside',
    'a/..',
    'a/./b',
    'a//b',
    'a/',
    '.hidden',
    'a\\..\\b',
    'a\0b',
    'a\n',
    'a b',
    'a?versionId=1',
    'a#b',
    'a%2e%2e/b',
    'å',
  ])('every operation refuses a key that is not a path of plain names: %j', async (key) => {
    const storage = await open()
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('not a storage key')
    await expect(storage.putFile(key, import.meta.filename)).rejects.toThrow('not a storage key')
    await expect(storage.size(key)).rejects.toThrow('not a storage key')
    await expect(storage.read(key)).rejects.toThrow('not a storage key')
    await expect(storage.remove(key)).rejects.toThrow('not a storage key')
  })
}

async function bytesOf(storage: Storage, key: string, range?: ByteRange): Promise<Buffer> {
  return buffer(await storage.read(key, range))
}

async function onDisk(bytes: Buffer, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-stored-'))
  try {
    const file = join(folder, 'recording.wav')
    await writeFile(file, bytes)
    await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
