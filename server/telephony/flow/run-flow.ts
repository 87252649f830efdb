import type { StoredFlow } from '../../modules/numbers/index.ts'
import { noteActivity } from '../../platform/activity.ts'
import { encodeId } from '../../platform/ids.ts'
import type { FlowCall, FlowEnd, FlowMode } from './flow-call.ts'
import { runMenu } from './menu.ts'
import { noAnswerOf } from './no-answer.ts'
import { playMessage } from './play-message.ts'
import { say } from './say.ts'
import { runTransferStep } from './transfer-step.ts'
import { takeVoicemail } from './voicemail.ts'

/**
 * Runs the call flow of a number. If nobody answers, or the caller chooses nothing, another call flow follows, once.
 * Throws `CustomerGone` if the caller hangs up.
 */
export async function runFlow(
  call: FlowCall,
  flow: StoredFlow,
  mode: FlowMode = { isNoAnswerFlow: false },
): Promise<FlowEnd> {
  const end = await runSteps(call, flow, mode)
  const next = noAnswerOf(call)
  const leadsOn = end === 'no_answer' || end === 'no_choice_made'
  return leadsOn && next && !mode.isNoAnswerFlow ? runFlow(call, next.flow, { isNoAnswerFlow: true }) : end
}

async function runSteps(call: FlowCall, flow: StoredFlow, mode: FlowMode): Promise<FlowEnd> {
  noteActivity(`${flow.type} for the call ${encodeId('cal', call.ref.callId)}`)
  switch (flow.type) {
    case 'TransferConfig':
      return runTransferStep(call, flow.employee_ids, mode)
    case 'WelcomeTransferConfig':
      await say(call, flow.welcome)
      return runTransferStep(call, flow.employee_ids, mode)
    case 'RejectConfig':
      await playMessage(call, flow.message)
      return 'rejected'
    case 'VoicemailConfig':
      return takeVoicemail(call, flow.greeting)
    case 'PhoneMenuConfig':
      return runMenu(call, flow, mode)
  }
}
