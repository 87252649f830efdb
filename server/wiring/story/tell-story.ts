import { storePastCall } from '../../modules/calls/index.ts'
import { markThreadsSeen, setArrival } from '../../modules/inbox/index.ts'
import { storePastMessage } from '../../modules/messages/index.ts'
import { storePastVoicemail } from '../../modules/voicemails/index.ts'
import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { MISSED_TODAY, type Scene, WEEK } from './conversations.ts'
import { readSound, type Sound } from './sounds.ts'
import { earlierToday, workingDaysBefore } from './working-days.ts'

const TIMINGS = { ringMs: 6_000, missedMs: 24_000, greetingMs: 9_000, listenedAfterMs: 14 * 60_000 }

interface StoryParts {
  storage: Storage
  /** Encrypts texts. */
  texts: Vault
  now: Date
}

/** The demo company, by the names that the story uses. */
export interface Cast {
  companyId: string
  timezone: string
  numberIds: Map<string, string>
  employeeIds: Map<string, string>
  /** The names of contacts by number. */
  names: Map<string, string>
}

/** Stores a week of calls, voicemails and texts of a new company, up to a missed call of today. */
export async function tellStory(tx: Tx, parts: StoryParts, cast: Cast): Promise<void> {
  const { companyId, timezone } = cast
  const { now } = parts
  const seen = WEEK.filter(({ unseen }) => !unseen)
  for (const scene of seen) await play(tx, parts, cast, scene, momentOf(scene))
  const phones = [...new Set(seen.map(({ customer }) => customer))]
  await markThreadsSeen(tx, { companyId, numberId: undefined, withTexts: true }, phones, now.toISOString())
  for (const scene of WEEK.filter(({ unseen }) => unseen)) await play(tx, parts, cast, scene, momentOf(scene))
  const missed: Scene = { type: 'missed', daysAgo: 0, at: '', ...MISSED_TODAY }
  await play(tx, parts, cast, missed, earlierToday(timezone, now, 25, '16:40'))
  await setArrival(tx, undefined)

  function momentOf({ daysAgo, at }: Scene): Date {
    return workingDaysBefore(timezone, now, daysAgo, at)
  }
}

async function play(tx: Tx, parts: StoryParts, cast: Cast, scene: Scene, at: Date): Promise<void> {
  const { companyId } = cast
  const numberId = cast.numberIds.get(scene.number)!
  const { customer } = scene
  await setArrival(tx, at)
  switch (scene.type) {
    case 'missed':
      await storePastCall(tx, companyId, {
        numberId,
        customer,
        direction: 'inbound',
        startedAt: at,
        // Shortly after midnight there is hardly a today.
        endedAt: new Date(Math.min(after(at, TIMINGS.missedMs).getTime(), parts.now.getTime())),
      })
      return
    case 'text': {
      const employeeId = scene.employee && cast.employeeIds.get(scene.employee)
      return storePastMessage(tx, parts.texts, companyId, {
        numberId,
        customer,
        text: scene.text,
        at,
        employeeId,
      })
    }
    case 'voicemail': {
      const sound = await readSound(scene.sound)
      const answeredAt = after(at, TIMINGS.ringMs)
      const endedAt = after(answeredAt, TIMINGS.greetingMs + sound.durationMs)
      const call = { numberId, customer, direction: 'inbound', startedAt: at, answeredAt, endedAt } as const
      const id = await storePastCall(tx, companyId, call)
      const key = `voicemails/${companyId}/${id}.wav`
      await parts.storage.put(key, sound.mono)
      await setArrival(tx, endedAt)
      await storePastVoicemail(
        tx,
        companyId,
        { id, business_number_id: numberId, remote_number: customer },
        {
          key,
          seconds: Math.round(sound.durationMs / 1000),
          text: sound.turns.map(({ text }) => text).join(' '),
          ...(scene.listened && { listenedAt: after(endedAt, TIMINGS.listenedAfterMs) }),
        },
      )
      return
    }
    case 'call': {
      const sound = await readSound(scene.sound)
      const employeeId = cast.employeeIds.get(scene.employee)!
      const answeredAt = after(at, TIMINGS.ringMs)
      const key = `recordings/${companyId}/demo-${scene.sound}.wav`
      await parts.storage.put(key, sound.stereo)
      await storePastCall(tx, companyId, {
        numberId,
        customer,
        direction: scene.direction,
        startedAt: at,
        answeredAt,
        endedAt: after(answeredAt, sound.durationMs),
        recordingKey: key,
        employeeId,
        ...(scene.direction === 'outbound' && { initiatedBy: employeeId }),
        ...transcriptOf(sound, cast.names.get(customer) ?? customer, {
          id: employeeId,
          name: scene.employee,
        }),
        summary: scene.summary,
        wrapUp: { outcome: 'resolved', note: scene.note ?? null, authorId: employeeId },
      })
    }
  }
}

function transcriptOf({ turns }: Sound, customer: string, employee: { id: string; name: string }) {
  const segments = turns.map(({ by, text, startMs }) => ({
    speaker: by === 'employee' ? employee.name : customer,
    text,
    start_ms: startMs,
    ...(by === 'employee' && { employee_id: employee.id }),
  }))
  return { segments, transcription: segments.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n') }
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
