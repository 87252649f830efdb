import type { MediaOperations } from '../sound/media-operations.ts'
import type { DiallingPhone } from './code-call.ts'

/** The phone that dialled hears a beep: what it asked for is done. */
export async function confirm(sounds: MediaOperations, { leg, accept }: DiallingPhone): Promise<void> {
  if (leg.isOver) return
  accept()
  await sounds.play(leg.sound, { tone: 'beep' })
  leg.hangUp()
}
