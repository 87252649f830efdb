import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { mediaPortContract } from '../../../test/harness/sound/media-contract.ts'
import { openMediaThread } from '../../../test/harness/sound/media-plane.ts'
import { readChannels } from '../../../test/harness/sound/wav-analysis.ts'

describe('media on a thread of its own', () => {
  mediaPortContract(openMediaThread)

  test('is run by the system before the main thread', async () => {
    const plane = await openMediaThread()
    onTestFinished(() => plane.close())
    const threads = await readdir('/proc/self/task')
    const others = await Promise.all(threads.filter((id) => id !== String(process.pid)).map(niceness))
    expect(Math.min(...others)).toBeLessThan(await niceness(String(process.pid)))
  })

  test('completes its recordings when it is shut down, and answers nothing after that', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellhop-media-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { media, call, events, close } = await openMediaThread()
    const { phone, leg } = await call()
    phone.say(440)
    const file = join(folder, 'unfinished.wav')
    const task = await media.record(leg, { file, channels: 1, maxMs: 60_000 })
    await expect.poll(async () => (await media.statistics(leg)).receivedPackets).toBeGreaterThan(50)
    await close()
    await media.shutdown()
    const ended = events.find(({ on }) => on === 'recording.ended')
    expect(ended).toMatchObject({ task, why: 'leg_closed' })
    const [sound] = readChannels(await readFile(file)).channels
    expect(sound!.length).toBe((ended as { durationMs: number }).durationMs * 8)
    await expect(media.portUsage()).rejects.toThrow('The media thread is closed.')
  })
})

/** The lower, the sooner. */
async function niceness(thread: string): Promise<number> {
  const status = await readFile(`/proc/self/task/${thread}/stat`, 'latin1')
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[16])
}
