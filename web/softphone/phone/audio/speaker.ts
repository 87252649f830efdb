/** Tones of the phone: on and off in seconds, as in Denmark and most of Europe. */
const CADENCES = {
  ring: { hz: [880, 1_108], onSeconds: 0.9, offSeconds: 1.6, gain: 0.16 },
  ringback: { hz: [425], onSeconds: 1, offSeconds: 4, gain: 0.08 },
}

type Sink = { setSinkId?(id: string): Promise<void> }

/** The audio output: the remote party, and the tones of the phone. */
export function createSpeaker() {
  const voice = new Audio()
  voice.autoplay = true
  voice.hidden = true
  voice.dataset.phone = 'voice'
  document.body.append(voice)
  let context: AudioContext | undefined
  let sinkId = ''
  let stopTone: (() => void) | undefined

  async function send(to: Sink): Promise<void> {
    // Not every browser can choose an output; then it is the default one.
    await to.setSinkId?.(sinkId).catch(() => {})
  }

  function play(cadence: (typeof CADENCES)[keyof typeof CADENCES]): void {
    stopTone?.()
    const audio = (context ??= new AudioContext())
    void audio.resume()
    void send(audio as Sink)
    const volume = new GainNode(audio, { gain: 0 })
    volume.connect(audio.destination)
    const tones = cadence.hz.map((frequency) => new OscillatorNode(audio, { frequency }))
    for (const tone of tones) {
      tone.connect(volume)
      tone.start()
    }
    const sound = () => {
      const at = audio.currentTime
      volume.gain.setTargetAtTime(cadence.gain, at, 0.01)
      volume.gain.setTargetAtTime(0, at + cadence.onSeconds, 0.02)
    }
    sound()
    const timer = setInterval(sound, (cadence.onSeconds + cadence.offSeconds) * 1_000)
    stopTone = () => {
      clearInterval(timer)
      for (const tone of tones) tone.stop()
      volume.disconnect()
      stopTone = undefined
    }
  }

  return {
    hear(stream: MediaStream): void {
      voice.srcObject = stream
      void send(voice)
      // A browser may refuse before anybody has clicked in the page, and nothing here could change its mind.
      void voice.play().catch(() => {})
    },
    ring: () => play(CADENCES.ring),
    ringback: () => play(CADENCES.ringback),
    quiet: () => stopTone?.(),
    async choose(id: string): Promise<void> {
      sinkId = id
      await send(voice)
      if (context) await send(context as Sink)
    },
    /** Stops the audio of the remote party. */
    hangUp(): void {
      stopTone?.()
      voice.srcObject = null
    },
    canChoose: () => 'setSinkId' in voice,
  }
}

export type Speaker = ReturnType<typeof createSpeaker>
