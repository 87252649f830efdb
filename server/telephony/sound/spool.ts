import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'

import type { CallRef } from '../../modules/calls/index.ts'

/** Sound of a call that is being recorded, or was when its edge died. */
export interface Spooled extends CallRef {
  kind: 'recording' | 'voicemail'
  file: string
}

const NAME = /^(recording|voicemail)-([0-9a-f-]{36})-([0-9a-f-]{36})\.wav$/

/** Where the sound of a call is written; the name says all that is needed to keep it later. */
export function spooled(dir: string, kind: Spooled['kind'], { companyId, callId }: CallRef): Spooled {
  return { kind, companyId, callId, file: join(dir, `${kind}-${companyId}-${callId}.wav`) }
}

/** In the folder of each edge: who it is. */
const HOLDER = 'holder'

/** Edges of this very process. */
const own = new Set<string>()

/**
 * The folders of the edges of this machine. They outlive an edge that was killed, and so tell the next one, at once
 * and for certain, that it is gone.
 */
export function spoolFor(dir: string) {
  const ours = `${hostname()} `

  /** Who has which folder; a data folder may be shared with other machines. */
  async function holders(): Promise<{ edgeId: string; path: string; isOurs: boolean; pid: number }[]> {
    const found = []
    // There is no folder before the first edge, and an edge that has just left has no holder any more.
    for (const edgeId of await readdir(dir).catch(() => [])) {
      const path = join(dir, edgeId)
      const holder = await readFile(join(path, HOLDER), 'utf8').catch(() => undefined)
      if (holder === undefined) continue
      const [host, pid] = holder.split(' ')
      found.push({ edgeId, path, isOurs: `${host} ` === ours, pid: Number(pid) })
    }
    return found
  }

  /** What an edge has recorded and not kept. */
  async function sounds(edgeId: string): Promise<Spooled[]> {
    const path = join(dir, edgeId)
    // An edge that left took its folder with it.
    return (await readdir(path).catch(() => [])).flatMap((name) => {
      const [, kind, companyId, callId] = NAME.exec(name) ?? []
      if (!kind || !companyId || !callId) return []
      return [spooled(path, kind as Spooled['kind'], { companyId, callId })]
    })
  }

  return {
    sounds,
    async make(edgeId: string): Promise<string> {
      own.add(edgeId)
      const path = join(dir, edgeId)
      await mkdir(path, { recursive: true })
      await writeFile(join(path, HOLDER), `${ours}${process.pid}\n`)
      return path
    },
    /** Edges of this machine whose process is no more. */
    async abandoned(): Promise<string[]> {
      const dead = (await holders()).filter(({ isOurs, edgeId, pid }) => isOurs && !isHeld(edgeId, pid))
      return dead.map(({ edgeId }) => edgeId)
    },
    /**
     * Edges of other machines that have written nothing since then. Their processes are not ours to judge, but a
     * container that is made anew has another name, and nobody else would look for what it has left.
     */
    async deserted(quietSince: Date): Promise<string[]> {
      const found: string[] = []
      for (const { edgeId, path, isOurs } of await holders())
        // What is gone by now has not been deserted.
        if (!isOurs && (await lastWrittenMs(path).catch(() => Infinity)) < quietSince.getTime())
          found.push(edgeId)
      return found
    },
    /** Makes it the edge's own. Undefined when another was faster. */
    async take(sound: Spooled, edgeId: string): Promise<Spooled | undefined> {
      const file = join(dir, edgeId, basename(sound.file))
      try {
        await rename(sound.file, file)
        return { ...sound, file }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    /** The edge is gone. Its folder stays as long as there is something to keep. */
    async leave(edgeId: string): Promise<void> {
      own.delete(edgeId)
      if ((await sounds(edgeId)).length === 0) await rm(join(dir, edgeId), { recursive: true, force: true })
    },
  }
}

export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function lastWrittenMs(path: string): Promise<number> {
  const names = await readdir(path)
  const times = names.map((name) => stat(join(path, name)).then(({ mtimeMs }) => mtimeMs))
  return Math.max(...(await Promise.all(times)))
}

export type Spool = ReturnType<typeof spoolFor>

/** In a container the next process often has the number of the one before. */
function isHeld(edgeId: string, pid: number): boolean {
  return pid === process.pid ? own.has(edgeId) : isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
