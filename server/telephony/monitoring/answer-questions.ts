import { type EdgeQuestion, TraceAnswer, TrunksAnswer } from '../../modules/edges/index.ts'
import type { MessageTrace, TracedMessage, TrunkState } from '../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'

interface AskedParts {
  trace: MessageTrace
  trunkStates(): TrunkState[]
}

/** Answers what an operator asks this edge. */
export const answerQuestions =
  ({ trace, trunkStates }: AskedParts) =>
  (question: EdgeQuestion): unknown => {
    switch (question.ask) {
      case 'trunks':
        return TrunksAnswer.encode({ trunks: trunkStates() })
      case 'trace': {
        const { call_id: callId, sip_call_id: sipCallId } = question
        const all = callId === undefined ? trace.read({ sipCallId: sipCallId ?? '' }) : trace.read({ callId })
        return TraceAnswer.encode({ messages: withinLimit(all) })
      }
    }
  }

/** The beginning of a call that has too many messages to be stored as an answer. */
function withinLimit(messages: TracedMessage[]): TracedMessage[] {
  let bytes = 0
  return messages.filter(({ text }) => (bytes += text.length) <= TELEPHONY_LIMITS.traceAnswerBytesMax)
}
