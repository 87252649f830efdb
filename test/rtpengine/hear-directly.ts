import { expect } from 'vitest'

import type { openRtpenginePlane } from '../harness/sound/media-plane.ts'

type Plane = Awaited<ReturnType<typeof openRtpenginePlane>>
type Called = Awaited<ReturnType<Plane['call']>>

/** Anna, who says 440 Hz, and Bob, who says 700 Hz, hear each other, and this process hears neither. */
export async function hearDirectly({ embedded }: Plane, anna: Called, bob: Called): Promise<void> {
  const packets = async () =>
    Promise.all([anna, bob].map(async ({ leg }) => (await embedded.statistics(leg)).receivedPackets))
  await expect
    .poll(
      async () => {
        const before = await packets()
        await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
        const after = await packets()
        return after.map((count, i) => count - before[i]!)
      },
      { timeout: 20_000 },
    )
    .toEqual([0, 0])
}
