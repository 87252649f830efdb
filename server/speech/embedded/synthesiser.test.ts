import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { analyseWav, type Heard, readWav } from '../../../test/harness/sound/wav-analysis.ts'
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { LANGUAGE_ALIASES, SPEECH_LANGUAGES } from '../languages.ts'
import { canSay, canSpeak, SPEECH_LIMITS, SpeechFailed, type Synthesiser } from '../port.ts'
import { createEmbeddedSynthesiser } from './synthesiser.ts'
import { encodeWav, SPEECH_SAMPLE_RATE } from './wav.ts'

const DANISH =
  'Velkommen til Hansens Blomster. Vi har åbent mandag til fredag fra klokken 8 til 16. Læg venligst en besked.'
const ENGLISH =
  'Welcome to Hansen Flowers. We are open Monday to Friday from 8:30 am to 4 pm. Please leave a message.'
const LONGEST = DANISH.repeat(100).slice(0, SPEECH_LIMITS.textCharsMax)

let clock: TestClock
let speaker: Synthesiser

function createSpeaker() {
  clock = createTestClock()
  speaker = createEmbeddedSynthesiser({ clock, log: createLog({ level: 'silent' }) })
}
// One for all tests: the English voice takes seconds to load.
beforeAll(createSpeaker)
afterAll(() => speaker.close())

/** Running engine processes, as the operating system lists them. */
function engines(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return parent === process.pid && command.includes(`${name}/program.js`)
      } catch {
        return false
      }
    })
}

/** Unlike `rejects`, does not print the whole audio if there was one. */
const whyNot = (spoken: Promise<Buffer>): Promise<string> =>
  spoken.then(
    () => 'spoken',
    (error: unknown) => (error instanceof SpeechFailed ? error.why : String(error)),
  )

const threeSeconds = (sample: (i: number) => number) =>
  Float32Array.from({ length: SPEECH_SAMPLE_RATE * 3 }, (_, i) => sample(i))

function expectSpeech(heard: Heard, text: string) {
  const secondsPerCharacter = heard.seconds / text.length
  expect(secondsPerCharacter).toBeGreaterThan(0.045)
  expect(secondsPerCharacter).toBeLessThan(0.11)
  expect(heard.level).toBeGreaterThan(0.08)
  expect(heard.level).toBeLessThan(0.16)
  expect(heard.peak).toBeGreaterThan(0.3)
  expect(heard.peak).toBeLessThan(0.98)
  expect(heard.longestPauseSeconds).toBeLessThan(1)
  expect(heard.loudnessSpreadDb).toBeGreaterThan(5)
  expect(heard.timbreSpreadHz).toBeGreaterThan(400)
}

describe('a greeting', () => {
  test('in Danish sounds like speech', async () => {
    expectSpeech(analyseWav(await speaker.speak({ text: DANISH, language: 'da' })), DANISH)
  })

  test('in English sounds like speech, and does not block the event loop', async () => {
    const before = performance.eventLoopUtilization()
    const spoken = await speaker.speak({ text: ENGLISH, language: 'en' })
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.3)
    expectSpeech(analyseWav(spoken), ENGLISH)
  })

  test('is distinguished from a tone and from noise', () => {
    let random = 1
    const sounds = [
      threeSeconds((i) => Math.sin((2 * Math.PI * 440 * i) / SPEECH_SAMPLE_RATE)),
      threeSeconds(() => (random = (random * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5),
    ]
    for (const sound of sounds) {
      const heard = analyseWav(encodeWav(sound) ?? Buffer.alloc(0))
      expect(heard.loudnessSpreadDb).toBeLessThan(3)
      expect(heard.timbreSpreadHz).toBeLessThan(400)
    }
  })

  test('begins and ends with a short silence', async () => {
    for (const language of ['en', 'da']) {
      const { samples } = readWav(await speaker.speak({ text: 'Hello', language }))
      const first = samples.findIndex((sample) => Math.abs(sample) > 0.02) / SPEECH_SAMPLE_RATE
      const last =
        (samples.length - samples.findLastIndex((sample) => Math.abs(sample) > 0.02)) / SPEECH_SAMPLE_RATE
      expect(first).toBeGreaterThan(0.09)
      expect(first).toBeLessThan(0.25)
      expect(last).toBeGreaterThan(0.2)
      expect(last).toBeLessThan(0.5)
    }
  })
})

/** A text in a script, and voices that read it. The Danish one reads only what every voice does. */
const SCRIPTS: [text: string, voices: string][] = [
  ['Καλημέρα σας', 'el'],
  ['नमस्ते दोस्तों', 'hi'],
  ['안녕하세요', 'ko'],
  ['გამარჯობა', 'ka'],
  ['Добро пожаловать', 'ru uk'],
  ['感谢您的来电', 'cmn yue'],
  ['こんにちは', 'ja'],
  ['日本語電話', 'cmn'],
  ['شكرا لاتصالكم', 'ar'],
  ['תודה שהתקשרתם', 'he'],
  ['ขอบคุณที่โทรมา', 'th'],
  ['እናመሰግናለን', 'am'],
]

describe('languages', () => {
  test('a voice that cannot read a script names its letters one by one, and canSay knows which do', async () => {
    for (const [text, voices] of SCRIPTS) {
      for (const language of new Set(['da', 'ja', ...voices.split(' ')])) {
        const { seconds } = analyseWav(await speaker.speak({ text, language }))
        const isRead = seconds / text.match(/\p{L}/gu)!.length < 0.5
        expect(canSay(language, text), `${text} in ${language}: ${seconds} s`).toBe(isRead)
      }
      expect(canSay('en', text)).toBe(false)
    }
  })

  test('each available voice produces audio', async () => {
    const silent: string[] = []
    for (const language of [...SPEECH_LANGUAGES, ...Object.keys(LANGUAGE_ALIASES)]) {
      const heard = analyseWav(await speaker.speak({ text: '1 2 3 4 5 6 7', language }))
      if (heard.seconds < 1.2 || heard.level < 0.05 || heard.loudnessSpreadDb < 3) silent.push(language)
    }
    expect(silent).toEqual([])
  })

  test('are those of the espeak-ng package that support numbers', async () => {
    const loader = createRequire(import.meta.url).resolve('@echogarden/espeak-ng-emscripten')
    const shipped = [
      ...(await readFile(loader, 'utf8')).matchAll(/espeak-ng-data\/lang\/(?:\w+\/)?([a-z]{2,3})"/g),
    ]
    const silentOnNumbers = new Set(['chr', 'cv', 'sjn'])
    const expected = new Set(
      shipped.map((match) => match[1] ?? '').filter((code) => !silentOnNumbers.has(code)),
    )
    expect(SPEECH_LANGUAGES).toEqual([...expected].toSorted())
  })

  test('include the usual codes of Norwegian and Chinese, and nothing that no engine supports', async () => {
    expect(['no', 'nb', 'zh', 'cmn', 'da', 'en'].every(canSpeak)).toBe(true)
    expect(['xx', 'chr', 'en-US', '', 'constructor'].some(canSpeak)).toBe(false)
    expect(await whyNot(speaker.speak({ text: 'hello', language: 'xx' }))).toBe('text')
  })
})

describe.each(['da', 'en'])('hostile texts in %s', (language) => {
  const speak = (text: string) => speaker.speak({ text, language })
  // The shortest number that the English voice reads digit by digit; longer ones only take longer.
  const manyNines = '9'.repeat(language === 'en' ? 16 : 60)

  test('without words or too long are refused', async () => {
    for (const text of ['', ' \n ', '...!?', '😀👩‍👩‍👧🇩🇰', '\u0000\u0007\u200B', '-- & %', 'a'.repeat(10_000)])
      expect(await whyNot(speak(text))).toBe('text')
  })

  test('are synthesised as text, never as markup', async () => {
    const plain = analyseWav(await speak('Hello there you'))
    for (const text of [
      'Hello <break time="9s"/> there',
      'Hello &lt;break time="9s"/&gt; there',
      '<speak><prosody rate="x-slow">Hello</prosody></speak>',
      '<audio src="file:///etc/passwd"/> Hello',
      '<!-- Hello --> there [[ h@l0U ]]',
    ]) {
      const heard = analyseWav(await speak(text))
      expect(heard.longestPauseSeconds).toBeLessThan(1.5)
      expect(heard.level).toBeGreaterThan(plain.level / 2)
    }
  })

  test('with odd characters are synthesised without them', async () => {
    for (const text of [
      'Hello\u0000 there\u0007 you',
      'Hello \u202Ethere\u202C you',
      'Hello 😀 there 👩‍👩‍👧 you',
      'Hello \uD800 there you',
      'Hello שלום there مرحبا you',
      `Hello ${'x'.repeat(60)}`,
      `Hello ${manyNines}`,
      `Hello${' .'.repeat(1_000)} there`,
      '__proto__ constructor toString hello',
    ])
      expect(analyseWav(await speak(text)).seconds).toBeGreaterThan(0.8)
  })
})

test('the longest text is synthesised, and does not block the event loop', async () => {
  const before = performance.eventLoopUtilization()
  const spoken = await speaker.speak({ text: LONGEST, language: 'da' })
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.3)
  expectSpeech(analyseWav(spoken), LONGEST)
})

test('a short text whose speech is too long is refused', async () => {
  const text = '9999, '.repeat(800)
  expect(await whyNot(speaker.speak({ text, language: 'fi' }))).toBe('text')
})

test.each([
  ['espeak', 'da'],
  ['piper', 'en'],
])('%s fails only the current text when it is killed', async (engine, language) => {
  await speaker.speak({ text: 'one', language })
  const [pid = 0] = engines(engine)
  process.kill(pid, 'SIGSTOP')
  const interrupted = speaker.speak({ text: 'two', language })
  const next = speaker.speak({ text: 'three', language })
  process.kill(pid, 'SIGKILL')
  expect(await whyNot(interrupted)).toBe('engine')
  expect(analyseWav(await next).level).toBeGreaterThan(0.05)
  expect(engines(engine)).not.toContain(pid)
})

describe('the engines', () => {
  beforeEach(async () => {
    await speaker.close()
    createSpeaker()
  })

  test('start with the first text, stop when idle for a while, and start again', async () => {
    expect([...engines('espeak'), ...engines('piper')]).toEqual([])
    await speaker.speak({ text: 'hej', language: 'da' })
    expect(engines('espeak')).toHaveLength(1)
    expect(engines('piper')).toEqual([])
    clock.advance(SPEECH_LIMITS.idleMs - 1)
    await speaker.speak({ text: 'hej', language: 'da' })
    clock.advance(SPEECH_LIMITS.idleMs - 1)
    expect(engines('espeak')).toHaveLength(1)
    clock.advance(1)
    await expect.poll(() => engines('espeak')).toEqual([])
    expect(analyseWav(await speaker.speak({ text: 'hej', language: 'da' })).level).toBeGreaterThan(0.05)
  })

  test('start before the first text if somebody is about to write one, and stop if nobody does', async () => {
    speaker.prepare('da')
    const [prepared] = engines('espeak')
    expect(prepared).toBeDefined()
    speaker.prepare('da')
    await speaker.speak({ text: 'Hej.', language: 'da' })
    expect(engines('espeak')).toEqual([prepared])
    clock.advance(SPEECH_LIMITS.idleMs - 1)
    speaker.prepare('da')
    clock.advance(SPEECH_LIMITS.idleMs - 1)
    expect(engines('espeak')).toEqual([prepared])
    clock.advance(1)
    await expect.poll(() => engines('espeak')).toEqual([])
  })

  test('one that hangs is replaced after a timeout', async () => {
    await speaker.speak({ text: 'hej', language: 'da' })
    const [pid = 0] = engines('espeak')
    process.kill(pid, 'SIGSTOP')
    const hanging = speaker.speak({ text: 'hej', language: 'da' })
    clock.advance(SPEECH_LIMITS.startMsMax + 'hej'.length * SPEECH_LIMITS.perCharMsMax)
    expect(await whyNot(hanging)).toBe('timeout')
    await speaker.speak({ text: 'hej', language: 'da' })
    expect(engines('espeak')).not.toContain(pid)
  })

  test('refuse texts beyond the length of the queue, and synthesise the others', async () => {
    await speaker.speak({ text: 'hej', language: 'da' })
    const [pid = 0] = engines('espeak')
    process.kill(pid, 'SIGSTOP')
    const accepted = Array.from({ length: 1 + SPEECH_LIMITS.waitingMax }, () =>
      speaker.speak({ text: 'hej', language: 'da' }),
    )
    expect(await whyNot(speaker.speak({ text: 'hej', language: 'da' }))).toBe('busy')
    process.kill(pid, 'SIGCONT')
    expect(await Promise.all(accepted)).toHaveLength(1 + SPEECH_LIMITS.waitingMax)
    await speaker.speak({ text: 'hej', language: 'da' })
  })

  test('do not let a text wait for ever behind a long one', async () => {
    await speaker.speak({ text: 'hej', language: 'da' })
    const [pid = 0] = engines('espeak')
    process.kill(pid, 'SIGSTOP')
    const long = speaker.speak({ text: 'hej '.repeat(500), language: 'da' })
    const waiting = speaker.speak({ text: 'hej', language: 'da' })
    clock.advance(SPEECH_LIMITS.waitMsMax)
    expect(await whyNot(waiting)).toBe('busy')
    process.kill(pid, 'SIGCONT')
    expect(analyseWav(await long).seconds).toBeGreaterThan(60)
  })

  test('are gone after close, and pending texts have failed', async () => {
    await speaker.speak({ text: 'hej', language: 'da' })
    const texts = [1, 2].map(() => speaker.speak({ text: DANISH, language: 'da' }))
    const outcomes = Promise.allSettled(texts)
    await Promise.all([speaker.close(), speaker.close()])
    expect(engines('espeak')).toEqual([])
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
    await speaker.close()
    expect(await whyNot(speaker.speak({ text: 'hej', language: 'da' }))).toBe('engine')
  })
})
