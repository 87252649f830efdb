import { execFile } from 'node:child_process'
import { mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ROOMY = '4g'
const LIMITS = { tries: 50 }

/** A directory in memory whose free space can be taken away. */
export interface SmallDisk {
  /** Leaves so little space that the next bytes do not fit. */
  fill(): Promise<void>
  empty(): Promise<void>
  unmount(): Promise<void>
}

/** Undefined if we may not mount, which takes root. */
export async function mountSmallDisk(
  path: string,
  owner: { uid: number; gid: number },
): Promise<SmallDisk | undefined> {
  await mkdir(path, { recursive: true })
  const options = `size=${ROOMY},mode=0755,uid=${owner.uid},gid=${owner.gid}`
  try {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])
  } catch {
    return undefined
  }
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, path])
  return {
    async fill() {
      for (let tried = 1; ; tried++) {
        const { blocks, bfree, bsize } = await statfs(path)
        // The used space and one page: a file system of size 0 would have no limit.
        const size = (blocks - bfree + 1) * bsize
        try {
          await resize(String(size))
          return
        } catch (error) {
          // More was written in the meantime.
          if (tried === LIMITS.tries) throw error
        }
      }
    },
    async empty() {
      await resize(ROOMY)
    },
    async unmount() {
      await run('umount', ['-l', path]).catch(() => {})
    },
  }
}
