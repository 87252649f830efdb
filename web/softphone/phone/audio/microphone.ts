/** Why the microphone does not work, in terms that the user can act on. */
export type MicrophoneProblem = 'denied' | 'missing' | 'busy' | 'insecure'

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem

  constructor(problem: MicrophoneProblem, options?: ErrorOptions) {
    super(`the microphone cannot be used: ${problem}`, options)
    this.name = 'MicrophoneError'
    this.problem = problem
  }
}

/** The chosen microphone, or another if it is gone. */
export async function openMicrophone(deviceId: string | null): Promise<MediaStream> {
  // Browsers allow it only over HTTPS and on localhost.
  if (!navigator.mediaDevices) throw new MicrophoneError('insecure')
  try {
    return await (deviceId ? openExactly(deviceId) : openAny())
  } catch (error) {
    throw new MicrophoneError(problemOf(error), { cause: error })
  }
}

const WISH = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

const openAny = () => navigator.mediaDevices.getUserMedia({ audio: WISH })

/** Without `exact`, it would weigh no more than echo cancellation, and another device may be chosen. */
const openExactly = (deviceId: string) =>
  navigator.mediaDevices
    .getUserMedia({ audio: { ...WISH, deviceId: { exact: deviceId } } })
    .catch((error: unknown) => {
      if (problemOf(error) !== 'missing') throw error
      return openAny()
    })

export const closeMicrophone = (stream: MediaStream | undefined) =>
  stream?.getTracks().forEach((track) => track.stop())

function problemOf(error: unknown): MicrophoneProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'missing'
    default:
      return 'busy'
  }
}

const METER = { samples: 512, perSecond: 20 }

/** Reports the level of the microphone, from 0 to 1, until the returned function is called. */
export function followLevel(stream: MediaStream, tell: (level: number) => void): () => void {
  const context = new AudioContext()
  const ear = new AnalyserNode(context, { fftSize: METER.samples })
  const source = new MediaStreamAudioSourceNode(context, { mediaStream: stream })
  source.connect(ear)
  const samples = new Float32Array(METER.samples)
  const timer = setInterval(() => {
    ear.getFloatTimeDomainData(samples)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    // Logarithmic, from a whisper to full scale.
    tell(Math.min(1, Math.max(0, 1 + Math.log10(Math.sqrt(power) + 1e-6) / 2.5)))
  }, 1_000 / METER.perSecond)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}

export interface Devices {
  microphones: MediaDeviceInfo[]
  speakers: MediaDeviceInfo[]
}

/** Without labels until the page may use the microphone. */
export async function listDevices(): Promise<Devices> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? []
  return {
    microphones: all.filter(({ kind }) => kind === 'audioinput'),
    speakers: all.filter(({ kind }) => kind === 'audiooutput'),
  }
}
