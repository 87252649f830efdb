import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../../../config.ts'
import { createResampler } from '../../../media/audio/resampler.ts'
import { openWav } from '../../../media/audio/wav-reader.ts'
import { wavHeader } from '../../../media/audio/wav-writer.ts'
import { systemClock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { openEmbedder } from '../../../roles/shared.ts'
import { createEmbeddedRecogniser } from '../../../speech/embedded/recogniser.ts'
import { createEmbeddedSynthesiser } from '../../../speech/embedded/synthesiser.ts'
import { isEngineInstalled, missingEngines, WITHOUT } from '../../engines/missing-engines.ts'
import type { EngineName } from '../../engines/packages.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, errorReason, warning } from '../finding.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

const SENTENCE = 'Good morning. Is my bicycle ready?'
const REINSTALL = 'Check the free memory, and install Bellhop again.'

/** The embedded engines that speak, transcribe and search by meaning do something small. */
export const speech: Check = {
  name: 'speech',
  deadlineMs: DOCTOR_LIMITS.engineMs,
  async run({ config, log }) {
    // One after the other: together they would need the memory of all of them.
    return [
      ...missingEngines(config).flatMap(notInstalled),
      ...(await checkEmbedded(config, log)),
      ...(await checkSearch(config, log)),
    ]
  },
}

/** The check of the database reports its own. */
const notInstalled = (engine: EngineName): Finding[] =>
  engine === 'database'
    ? []
    : [
        warning(
          `The ${engine} engine is not installed: ${WITHOUT[engine]}.`,
          `Run \`bellhop engines add ${engine}\`.`,
        ),
      ]

async function checkEmbedded({ transcription }: Config, log: Log): Promise<Finding[]> {
  const speaker = createEmbeddedSynthesiser({ clock: systemClock, log })
  try {
    const spoken = await speaker.speak({ text: SENTENCE, language: 'en' })
    await speaker.speak({ text: 'God morgen', language: 'da' })
    const spoke = ok('The speech synthesis speaks.')
    const isTranscribing = transcription.engine === 'embedded' && isEngineInstalled('speech')
    return isTranscribing ? [spoke, await checkRecogniser(spoken, log)] : [spoke]
  } catch (error) {
    const message = `The speech synthesis does not work (${errorReason(error)}): new prompts stay silent.`
    return [problem(message, REINSTALL)]
  } finally {
    await speaker.close()
  }
}

/** It hears what the synthesis said. */
async function checkRecogniser(spoken: Buffer, log: Log): Promise<Finding> {
  const recogniser = createEmbeddedRecogniser({ atOnce: 1, clock: systemClock, log })
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-doctor-'))
  try {
    const file = join(folder, 'spoken.wav')
    await writeFile(file, recordingOf(spoken))
    const { channels } = await recogniser.transcribe({ file, language: 'en' })
    if (channels.flat().length > 0) return ok('The embedded transcription understands what is said.')
    return problem('The embedded transcription understands nothing.', REINSTALL)
  } catch (error) {
    return problem(`The embedded transcription does not work (${errorReason(error)}).`, REINSTALL)
  } finally {
    await recogniser.close()
    await rm(folder, { recursive: true })
  }
}

/** As a telephone would record it. */
function recordingOf(spoken: Buffer): Buffer {
  const read = openWav(spoken)
  if (!read.ok) throw new Error(`the synthesis made no audio: ${read.why}`)
  const { length, render } = createResampler(read.wav)
  const samples = Buffer.from(render(0, length).buffer)
  return Buffer.concat([wavHeader(1, samples.length), samples])
}

/** Without it, calls are still found by their words. */
async function checkSearch(config: Config, log: Log): Promise<Finding[]> {
  const embedder = config.embeddings.engine === 'embedded' && openEmbedder(config, systemClock, log)
  if (!embedder) return []
  try {
    await embedder.embed([SENTENCE])
    return [ok('The engine of semantic search works.')]
  } catch (error) {
    return [
      warning(
        `The engine of semantic search does not work (${errorReason(error)}): calls are found by keywords only.`,
        REINSTALL,
      ),
    ]
  } finally {
    await embedder.close()
  }
}
