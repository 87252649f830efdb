import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'

import type { CallRef } from '../../modules/calls/index.ts'

/** A recording that is being written, or was when its edge died. */
export interface SpooledRecording extends CallRef {
  kind: 'recording' | 'voicemail'
  file: string
}

const NAME = /^(recording|voicemail)-([0-9a-f-]{36})-([0-9a-f-]{36})\.wav$/

/** The spool file of a call. Its name contains all that is needed to store it later. */
export function spooledRecording(
  dir: string,
  kind: SpooledRecording['kind'],
  { companyId, callId }: CallRef,
): SpooledRecording {
  return { kind, companyId, callId, file: join(dir, `${kind}-${companyId}-${callId}.wav`) }
}

/** A file in the directory of each edge that identifies its process. */
const HOLDER = 'holder'

/** Edges of this process. */
const own = new Set<string>()

/**
 * The spool directories of the edges on this machine. They outlive an edge that was killed, so the next one knows at
 * once that it is dead.
 */
export function openSpool(dir: string) {
  const ours = `${hostname()} `

  /** The owners of all directories. The data folder may be shared with other machines. */
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

  /** The recordings that an edge has not stored. */
  async function sounds(edgeId: string): Promise<SpooledRecording[]> {
    const path = join(dir, edgeId)
    // An edge that left took its folder with it.
    return (await readdir(path).catch(() => [])).flatMap((name) => {
      const [, kind, companyId, callId] = NAME.exec(name) ?? []
      if (!kind || !companyId || !callId) return []
      return [spooledRecording(path, kind as SpooledRecording['kind'], { companyId, callId })]
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
    /** Edges of this machine whose process no longer exists. */
    async abandoned(): Promise<string[]> {
      const dead = (await holders()).filter(({ isOurs, edgeId, pid }) => isOurs && !isHeld(edgeId, pid))
      return dead.map(({ edgeId }) => edgeId)
    },
    /**
     * Edges of other machines that have written nothing since then. We cannot check their processes, but a recreated
     * container has a new host name, and nobody else would look for the recordings of the old one.
     */
    async deserted(quietSince: Date): Promise<string[]> {
      const found: string[] = []
      for (const { edgeId, path, isOurs } of await holders())
        // What is gone by now has not been deserted.
        if (!isOurs && (await lastWrittenMs(path).catch(() => Infinity)) < quietSince.getTime())
          found.push(edgeId)
      return found
    },
    /** Moves the file to the edge's own directory. Undefined if another edge was faster. */
    async take(sound: SpooledRecording, edgeId: string): Promise<SpooledRecording | undefined> {
      const file = join(dir, edgeId, basename(sound.file))
      try {
        await rename(sound.file, file)
        return { ...sound, file }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    /** The edge has stopped. Its directory stays while it has recordings. */
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

export type Spool = ReturnType<typeof openSpool>

/** In a container, the next process often has the same process id. */
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
