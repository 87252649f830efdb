import { setTimeout as pause } from 'node:timers/promises'

interface ComeBackOptions {
  attempt(): Promise<void>
  /** Before the next attempt, after so many. */
  pauseMs(tries: number): number
  closing: AbortSignal
  /** Counts the attempts that failed, by their reason. */
  refused: Record<string, number>
}

/** Connects again as a client does that was disconnected: after a pause, and until it succeeds. */
export async function comeBack({ attempt, pauseMs, closing, refused }: ComeBackOptions): Promise<void> {
  for (let tries = 0; !closing.aborted; tries++) {
    await pause(pauseMs(tries))
    if (closing.aborted) return
    try {
      return await attempt()
    } catch (error) {
      const why = (error as Error).message
      refused[why] = (refused[why] ?? 0) + 1
    }
  }
}
