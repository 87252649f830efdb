import { answerCommand, claimCommands, EDGE_CHANNEL, EdgeQuestion } from '../../modules/edges/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { CallControl } from '../port.ts'

interface CommandListenerParts extends Dependencies<'db' | 'pubsub' | 'log'> {
  edgeId: string
  control: CallControl
  /** Answers what an operator asks. */
  answer(question: EdgeQuestion): unknown
}

/** Claims and carries out the commands for this edge. The commands of one call run one after the other. */
export async function startCommandListener({
  db,
  pubsub,
  log,
  edgeId,
  control,
  answer,
}: CommandListenerParts) {
  /** For each call, the command that is running and those behind it. */
  const lines = new Map<string, Promise<void>>()
  let claiming = Promise.resolve()

  async function claim(): Promise<void> {
    for (const { company_id: companyId, id, call_id: callId, command } of await claimCommands(
      db.sql,
      edgeId,
    )) {
      const before = lines.get(callId) ?? Promise.resolve()
      const line = before.then(() => carryOut({ companyId, id, callId, command }))
      lines.set(callId, line)
      const forget = () => lines.get(callId) === line && lines.delete(callId)
      inBackground(log, 'carry out a command', line.finally(forget))
    }
  }

  async function carryOut(asked: { companyId: string; id: string; callId: string; command: unknown }) {
    const { companyId, id, callId, command } = asked
    try {
      const question = EdgeQuestion.safeParse(command)
      const execution = question.success
        ? Promise.resolve().then(() => answer(question.data))
        : control.execute(companyId, callId, command)
      const kept = await execution.then(
        (value) => ({ value: value ?? null }),
        (err: unknown) => {
          log.error({ err, call: callId }, 'a command could not be carried out')
          return { failed: true as const }
        },
      )
      await answerCommand(db.sql, { companyId, id }, kept)
    } catch (err) {
      log.error({ err, call: callId }, 'the result of a command could not be stored')
    }
  }

  /** One query at a time; a notification that arrives meanwhile leads to another. */
  function check(): Promise<void> {
    claiming = claiming
      .then(claim)
      .catch((err: unknown) => log.warn({ err }, 'the query for commands failed and will be retried'))
    return claiming
  }
  const checkSoon = () => inBackground(log, 'look for commands', check)

  await pubsub.subscribe(EDGE_CHANNEL, {
    onMessage(text) {
      const [edge, what, companyId, callId] = text.split(' ')
      if (edge !== edgeId) return
      if (what === 'command') checkSoon()
      else if (what === 'offers' && companyId && callId) control.offersChanged(companyId, callId)
      else if (what === 'stop_ringing' && callId) control.stopRinging(callId)
    },
    onGap() {
      control.resync()
      checkSoon()
    },
  })

  return {
    /** In case a notification was lost. */
    check,
    /** Resolves when every claimed command has a result. */
    async close(): Promise<void> {
      await claiming
      await Promise.all(lines.values())
    },
  }
}
