import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { BIN } from '../harness/processes/outside-postgres.ts'
import { type Remembered, SECTIONS, thisVersion, writeRemembered, writeSection } from './dump.ts'

const OPTIONS = ['--no-owner', '--no-privileges', '--no-comments', '--column-inserts', '--rows-per-insert=50']

export async function writeDump(url: string, remembered: Remembered): Promise<void> {
  const name = await thisVersion()
  for (const section of SECTIONS) {
    const args = [...OPTIONS, `--section=${section}`, `--dbname=${url}`]
    const { stdout } = await promisify(execFile)(join(BIN, 'pg_dump'), args, { maxBuffer: 100_000_000 })
    // Lines that begin with a backslash are for psql only.
    await writeSection(name, section, stdout.replaceAll(/^\\.*\n/gm, ''))
  }
  await writeRemembered(name, remembered)
}
