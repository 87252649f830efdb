import { rm } from 'node:fs/promises'

import { type LiveRecordingState, recordingStateChanged } from '../../modules/calls/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { noticeOf } from '../sound/recording-announcement.ts'
import { spooledRecording } from '../sound/spool.ts'
import { storeRecording } from '../sound/store-recordings.ts'
import type { ConversationState } from './conversation-state.ts'

/**
 * Records the customer on the left channel and what they hear on the right, across transfers. The conversation takes
 * place even if it cannot be recorded.
 */
export async function startRecording(state: ConversationState): Promise<void> {
  const { parts, call, turns } = state
  if (call.customer.isOver) return
  try {
    const running = await parts.sounds.record(call.customer.sound, {
      file: spoolOf(state).file,
      channels: 2,
      maxMs: TELEPHONY_LIMITS.recordingMaxMs,
      ...(noticeOf(call) === 'beep' && { warningToneEveryMs: TELEPHONY_LIMITS.recorderWarningEveryMs }),
    })
    state.recording = { running, startedAt: parts.edge.clock.now(), state: 'recording' }
    // It reached its limit, or the disk is full.
    turns.startAfter(running.ended, () => changeState(state, 'off'))
  } catch (err) {
    parts.edge.log.error({ err, call: call.ref.callId }, 'a conversation could not be recorded')
  }
}

/** Returns the state that it has then. */
export async function pauseOrResume(
  state: ConversationState,
  isPaused: boolean,
): Promise<LiveRecordingState> {
  const { recording } = state
  if (!recording || state.now.is === 'over') return 'off'
  const { running } = recording
  const isRunning = await (isPaused ? running.pause() : running.resume())
  if (isRunning) changeState(state, isPaused ? 'paused' : 'recording')
  return isRunning ? recording.state : 'off'
}

/** Stops the recording and stores it. */
export async function keepRecording(state: ConversationState): Promise<void> {
  if (!state.recording) return
  const { running, startedAt } = state.recording
  running.stop()
  const { file, durationMs } = await running.ended
  if (durationMs === 0) return rm(file, { force: true })
  const span = state.call.span?.child('store recording')
  await storeRecording(state.parts, spoolOf(state), startedAt)
  span?.end()
}

function changeState({ recording, now, turns, call }: ConversationState, to: LiveRecordingState): void {
  // With the call, its recording ends too.
  if (!recording || recording.state === to || now.is === 'over' || call.customer.isOver) return
  recording.state = to
  turns.write((tx) => recordingStateChanged(tx, call.ref, to))
}

const spoolOf = ({ parts, call }: ConversationState) =>
  spooledRecording(parts.edge.spoolDir, 'recording', call.ref)
