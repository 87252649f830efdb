import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

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
  return {
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
    discard: (edgeId: string) => rm(join(dir, edgeId), { recursive: true, force: true }),
  }
}

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
