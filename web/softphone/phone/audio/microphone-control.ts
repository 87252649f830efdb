import { chosenDevice } from '../phone-storage.ts'
import type { Display } from '../view.ts'
import { closeMicrophone, MicrophoneError, openMicrophone } from './microphone.ts'

/** The microphone of the phone, open only during calls. */
export function createMicrophoneControl({ view, show }: Display) {
  /** Undefined if there is none; then the page says why. */
  async function open(): Promise<MediaStream | undefined> {
    const before = view().microphone
    if (before) return before
    try {
      const stream = await openMicrophone(chosenDevice('microphone'))
      show({ microphone: stream, microphoneProblem: null })
      stream.getAudioTracks()[0]?.addEventListener('ended', () => show({ microphoneProblem: 'missing' }))
      return stream
    } catch (error) {
      show({ microphoneProblem: error instanceof MicrophoneError ? error.problem : 'busy' })
      return undefined
    }
  }

  return {
    open,
    close(): void {
      closeMicrophone(view().microphone ?? undefined)
      show({ microphone: null })
    },
    /** Switches to the chosen one. The old one is closed once the new one has replaced it. */
    async change(replace: (stream: MediaStream) => Promise<void> | undefined): Promise<void> {
      const before = view().microphone
      if (!before) return
      show({ microphone: null })
      const stream = await open()
      if (stream) await replace(stream)
      closeMicrophone(before)
    },
  }
}
