import type { Display } from '../view.ts'
import { listDevices, type MicrophoneProblem } from './microphone.ts'

/** Shows before a call that it would have no microphone, and when there is one again. */
export function watchMicrophone({ view, show }: Display): void {
  const { mediaDevices, permissions } = navigator
  // Only over HTTPS and on localhost.
  if (!mediaDevices) return

  let permission: PermissionStatus | undefined

  async function look(): Promise<void> {
    const foreseen = await foresee()
    const { microphone, microphoneProblem: shown } = view()
    // One that is in use reports its own end; and whether another program has it is only known by trying.
    if (!microphone && shown !== 'busy' && shown !== foreseen) show({ microphoneProblem: foreseen })
  }

  async function foresee(): Promise<MicrophoneProblem | null> {
    if (permission?.state === 'denied') return 'denied'
    return (await listDevices()).microphones.length === 0 ? 'missing' : null
  }

  async function start(): Promise<void> {
    // Not every browser can be asked for this permission.
    permission = await permissions?.query({ name: 'microphone' }).catch(() => undefined)
    permission?.addEventListener('change', () => void look())
    mediaDevices.addEventListener('devicechange', () => void look())
    await look()
  }

  void start()
}
