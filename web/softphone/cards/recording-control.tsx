import { useQuery } from '@tanstack/react-query'
import { CircleDot, CirclePause } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { activeCallQuery, callRecordingQuery } from '../queries.ts'
import { phoneTexts } from '../texts.ts'

/** Whether the call is being recorded. Its controller pauses and resumes that; nothing if it is not recorded. */
export function RecordingControl({ callId }: { callId: string }) {
  const t = useTexts(phoneTexts)
  const { data: active } = useQuery(activeCallQuery())
  const { data: recording } = useQuery(callRecordingQuery(callId))
  const isPaused = recording?.state === 'paused'
  const path = { call_id: callId }
  const change = useChange(
    () =>
      answerOf(
        isPaused
          ? client.POST('/api/v1/calls/{call_id}/recording/resume', { params: { path } })
          : client.POST('/api/v1/calls/{call_id}/recording/pause', { params: { path } }),
      ),
    { touches: [['call', callId]] },
  )
  if (!recording || recording.state === 'off') return null
  // The target of a transfer is among the coworkers of its controller.
  const target = active?.transfer?.to_employee.id
  const isController = target === undefined || active?.employees.some(({ id }) => id === target)
  return (
    <div
      className={`flex items-center gap-2 rounded-xl border px-3 py-2 ${isPaused ? 'bg-warn-ground text-warn' : ''}`}
    >
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm font-semibold">
        {isPaused ? (
          <CirclePause aria-hidden="true" size={16} />
        ) : (
          <CircleDot aria-hidden="true" size={16} className="text-wrong" />
        )}
        {isPaused ? t.recordingPaused : t.recording}
      </p>
      {isController && (
        <Button
          aria-label={isPaused ? t.resumeRecording : t.pauseRecording}
          disabled={change.isPending}
          onClick={() => change.mutate()}
        >
          {isPaused ? t.resume : t.pause}
        </Button>
      )}
    </div>
  )
}
