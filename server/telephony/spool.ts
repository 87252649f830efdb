import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

import type { CallRef } from '../modules/live-calls/index.ts'

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

  /** What an edge has recorded and not kept. */
  async function sounds(edgeId: string): Promise<Spooled[]> {
    const path = join(dir, edgeId)
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
      const found: string[] = []
      for (const edgeId of await readdir(dir).catch(() => [])) {
        const holder = await readFile(join(dir, edgeId, HOLDER), 'utf8').catch(() => '')
        // A data folder may be shared: the processes of another machine are not ours to judge.
        if (holder.startsWith(ours) && !isHeld(edgeId, Number(holder.slice(ours.length)))) found.push(edgeId)
      }
      return found
    },
    /** The edge is gone. Its folder stays as long as there is something to keep. */
    async leave(edgeId: string): Promise<void> {
      own.delete(edgeId)
      if ((await sounds(edgeId)).length === 0) await rm(join(dir, edgeId), { recursive: true, force: true })
    },
  }
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
