import { setTimeout as pause } from 'node:timers/promises'

export const FRAME_MS = 20

/** The parties are spread over the 20 ms, and each sends when it is due. Returns how often they spoke. */
export async function speakInTurn(
  parties: number,
  ms: number,
  say: (party: number) => void,
): Promise<number> {
  const start = performance.now()
  const total = Math.floor(ms / FRAME_MS) * parties
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / FRAME_MS) * parties))
    for (; sent < due; sent++) say(sent % parties)
    await pause(1)
  }
  return total
}
