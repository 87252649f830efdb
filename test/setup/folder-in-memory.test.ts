import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { newFolder } from '../harness/processes/bellhop-process.ts'
import { folderInMemory } from './folder-in-memory.ts'

test('a run gets a folder of its own, and removes only those of runs that have ended', async () => {
  const place = await newFolder()
  // No process has this id: the largest possible one is 4194304.
  const names = ['bellhop-tests-4194305-a', `bellhop-tests-${process.pid}-b`, 'bellhop-data-c']
  for (const name of names) await mkdir(join(place, name))
  await writeFile(join(place, names[0]!, 'left'), 'by a run that was killed')
  const folder = folderInMemory(place)!
  await writeFile(join(folder, 'new'), '')
  expect((await readdir(place)).map((name) => join(place, name)).toSorted()).toEqual(
    [folder, ...names.slice(1).map((name) => join(place, name))].toSorted(),
  )
})

test('there is none where nothing can be written', async () => {
  expect(folderInMemory(join(await newFolder(), 'missing'))).toBeUndefined()
  expect(folderInMemory('/proc')).toBeUndefined()
})
