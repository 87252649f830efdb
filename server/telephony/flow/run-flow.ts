import type { CallStep } from '../../modules/numbers/index.ts'
import { noteActivity } from '../../platform/activity.ts'
import { encodeId } from '../../platform/ids.ts'
import type { FlowCall, FlowEnd } from './flow-call.ts'
import { askForDigit } from './menu.ts'
import { playMessage } from './play-message.ts'
import { say } from './say.ts'
import { runTransferStep } from './transfer-step.ts'
import { takeVoicemail } from './voicemail.ts'

/** Runs the plan of a call from this step on. Throws `CustomerGone` if the caller hangs up. */
export async function runFlow(call: FlowCall, first: CallStep): Promise<FlowEnd> {
  let next: CallStep | FlowEnd = first
  while (typeof next !== 'string') {
    noteActivity(`${next.do} for the call ${encodeId('cal', call.ref.callId)}`)
    // Waiting in the queue and the conversation have spans of their own.
    const span = next.do === 'ring' || next.do === 'hangUp' ? undefined : call.span?.child(next.do)
    try {
      next = await runStep(call, next)
    } finally {
      span?.end()
    }
  }
  return next
}

/** Returns the next step, or how the call flow ended. */
async function runStep(call: FlowCall, step: CallStep): Promise<CallStep | FlowEnd> {
  switch (step.do) {
    case 'say':
      await say(call, step.text)
      return step.next
    case 'menu':
      return choose(call, step)
    case 'ring': {
      const { noAnswer } = step
      const end = await runTransferStep(call, step.employeeIds, noAnswer && noAnswer.afterSecs * 1_000)
      return end === 'no_answer' && noAnswer ? noAnswer.next : end
    }
    case 'message':
      await playMessage(call, step.text)
      return step.end
    case 'voicemail':
      return takeVoicemail(call, step.greeting)
    case 'hangUp':
      return step.why
  }
}

/** The caller chooses with a DTMF digit, and is asked again a few times. */
async function choose(call: FlowCall, menu: Extract<CallStep, { do: 'menu' }>): Promise<CallStep> {
  for (let prompt = 0; prompt < menu.prompts; prompt++) {
    const digit = await askForDigit(call, menu.text)
    const choice = menu.options.find((option) => option.digit === digit)
    if (choice) return choice.next
  }
  return menu.otherwise
}
