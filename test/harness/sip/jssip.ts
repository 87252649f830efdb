import { createRequire } from 'node:module'

import { build, type Rolldown } from 'vite'

import { openPage } from '../browser/browser.ts'

const PATIENCE_MS = 30_000

/** JsSIP bundled as one script. */
async function bundleJssip(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('jssip')
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, name: 'JsSIP', formats: ['iife'] } },
  })
  const [{ output }] = built as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput]
  return output[0].code
}

let bundle: Promise<string> | undefined

/** A phone in a page: JsSIP, with an oscillator as its microphone and an analysis of the received audio. */
export async function openJssip(account: { url: string; user: string; password: string; hz: number }) {
  const script = await (bundle ??= bundleJssip())
  const page = await openPage()
  await page.goto(account.url)
  await page.addScriptTag({ content: script })
  const run = <T = void>(code: string): Promise<T> => page.evaluate(code)
  await run(INSTALL)
  await run(`phone.register(${JSON.stringify(account)})`)
  const happens = async (condition: string): Promise<void> => {
    await page.waitForFunction(condition, undefined, { timeout: PATIENCE_MS, polling: 50 })
  }
  return {
    /** Resolves when the call is established. */
    dial: (user: string) => run(`phone.call('sip:${user}@127.0.0.1')`),
    /** Waits for a call and answers it. */
    async answer(): Promise<void> {
      await happens(`phone.session?.direction === 'incoming'`)
      await run('phone.answer()')
    },
    hold: () => run('phone.change("hold")'),
    resume: () => run('phone.change("unhold")'),
    renegotiate: () => run('phone.change("renegotiate")'),
    isHeld: () => happens('phone.session.isOnHold().remote'),
    isTakenUpAgain: () => happens('!phone.session.isOnHold().remote'),
    press: (keys: string, by: 'INFO' | 'RFC2833') =>
      run(`void phone.session.sendDTMF('${keys}', { transportType: '${by}' })`),
    hears: (hz: number) => run(`phone.hears(${hz})`),
    hearsNothing: () => run('phone.hearsNothing()'),
    hangUp: () => run('phone.session.terminate()'),
    isHungUp: () => happens('phone.session.isEnded()'),
  }
}

/** Runs in the page. */
const INSTALL = `(async () => {
  const audio = new AudioContext()
  await audio.resume()
  const oscillator = new OscillatorNode(audio)
  const volume = new GainNode(audio, { gain: 0.5 })
  const microphone = new MediaStreamAudioDestinationNode(audio)
  oscillator.connect(volume).connect(microphone)
  oscillator.start()
  const ear = new AnalyserNode(audio, { fftSize: 8192, smoothingTimeConstant: 0 })
  let source
  const options = () => ({ mediaStream: microphone.stream.clone(), pcConfig: { iceServers: [] } })

  function listen(connection) {
    connection.addEventListener('track', ({ track }) => {
      const stream = new MediaStream([track])
      // Chromium passes a remote stream to Web Audio only if it is also played.
      const speaker = new Audio()
      speaker.muted = true
      speaker.srcObject = stream
      globalThis.speaker = speaker
      // A resumed track is reported again: the same audio twice, slightly shifted, may cancel itself out.
      source?.disconnect()
      source = new MediaStreamAudioSourceNode(audio, { mediaStream: stream })
      source.connect(ear)
    })
  }

  const confirmed = (session) => new Promise((resolve, reject) => {
    session.on('confirmed', () => resolve())
    session.on('failed', ({ cause, message }) => reject(new Error(cause + ' ' + (message?.status_code ?? ''))))
  })

  async function until(holds) {
    const levels = new Float32Array(ear.frequencyBinCount)
    const width = audio.sampleRate / ear.fftSize
    for (const started = Date.now(); ;) {
      ear.getFloatFrequencyData(levels)
      const loudest = levels.indexOf(Math.max(...levels))
      if (holds(loudest * width, levels[loudest], width)) return
      if (Date.now() - started > ${PATIENCE_MS}) throw new Error('heard ' + loudest * width + ' Hz at ' + levels[loudest] + ' dB')
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }

  const phone = globalThis.phone = {
    session: undefined,
    register({ url, user, password, hz }) {
      oscillator.frequency.value = hz
      const socket = new JsSIP.WebSocketInterface(url.replace('http', 'ws') + '/sip')
      const ua = phone.ua = new JsSIP.UA({ sockets: [socket], uri: 'sip:' + user + '@127.0.0.1', password })
      ua.on('newRTCSession', ({ session }) => {
        phone.session = session
        if (session.connection) listen(session.connection)
        else session.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
      })
      return new Promise((resolve, reject) => {
        ua.on('registered', () => resolve())
        ua.on('registrationFailed', ({ cause }) => reject(new Error(cause)))
        ua.start()
      })
    },
    call: (target) => confirmed(phone.ua.call(target, options())),
    answer() {
      const up = confirmed(phone.session)
      phone.session.answer(options())
      return up
    },
    change: (how) => new Promise((resolve, reject) => {
      const failed = () => reject(new Error(how + ' was refused'))
      if (!phone.session[how]({ eventHandlers: { failed } }, () => resolve())) reject(new Error(how + ' is not possible now'))
    }),
    hears: (hz) => until((loudest, level, width) => level > -50 && Math.abs(loudest - hz) < 2 * width),
    hearsNothing: () => until((loudest, level) => level < -70),
  }
})()`
