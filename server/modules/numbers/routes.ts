import { z } from 'zod'

import type { Tx } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { requireMessaging } from '../company/index.ts'
import { CallFlow } from './flow/call-flow.ts'
import { setFlow, setNoAnswer, setOutsideHours } from './flow/slots.ts'
import { currentNaming, olderNaming, type ResourceNaming } from './main-number-alias.ts'
import { changeNumber, listNumbers, readNumber, updateNumber } from './numbers.ts'
import {
  createVoicePreview,
  prepareVoice,
  type PreviewParts,
  VoicePreview,
  VoicePreviewCreate,
} from './prompts/voice-previews.ts'
import type { NumberRow } from './queries.ts'
import { recordingNoticeRoutes } from './recording-notice/routes.ts'
import { ListedNumber } from './schemas.ts'
import { TextingSettings, TextingSettingsUpdate } from './texting/texting-settings-schemas.ts'
import { readTextingSettings, updateTextingSettings } from './texting/texting-settings.ts'
import { walkThroughRoutes } from './walk-through/routes.ts'
import type { WalkThroughParts } from './walk-through/walk-through.ts'

const params = z.object({ id: Id('num') })

const exampleFlow = { type: 'VoicemailConfig', greeting: 'Please leave a message after the tone.' }

const prepareVoiceRoute = (parts: PreviewParts): Route =>
  route(
    {
      method: 'POST',
      path: '/business_numbers/:id/prepare_voice',
      name: 'prepare_voice',
      summary: 'Make the voice of a business number ready, so that the next voice preview takes less time',
      toolSet: 'none',
      params,
      reply: { 204: null },
    },
    ({ actor, params }) => prepareVoice(parts, actor, params.id),
  )

export const numberRoutes = (parts: PreviewParts & WalkThroughParts): Route[] => [
  ...routesNamed(parts, currentNaming),
  ...routesNamed(parts, olderNaming),
  ...recordingNoticeRoutes(parts),
  ...walkThroughRoutes(parts),
  prepareVoiceRoute(parts),
]

const routesNamed = (parts: PreviewParts, naming: ResourceNaming): Route[] => [
  ...recordRoutes(parts, naming),
  ...slotRoutes(parts, naming),
  ...settingsRoutes(parts, naming),
]

const recordRoutes = (
  { db, links }: PreviewParts,
  { path, noun, deprecated, toolSet, Number, Update, present }: ResourceNaming,
): Route[] => [
  route(
    {
      method: 'GET',
      path,
      name: `list_${noun}s`,
      summary: 'List the business numbers',
      deprecated,
      reply: { 200: z.object({ main_numbers: z.array(ListedNumber) }) },
    },
    async ({ actor }) => ({ main_numbers: await listNumbers(db.sql, actor) }),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/:id`,
      name: `get_${noun}`,
      summary: 'Read a business number',
      deprecated,
      params,
      reply: { 200: Number },
    },
    async ({ actor, params }) => present(await readNumber(db.sql, links, actor, params.id)),
  ),
  route(
    {
      method: 'PATCH',
      path: `${path}/:id`,
      name: `update_${noun}`,
      summary: 'Change the settings of a business number',
      deprecated,
      toolSet,
      params,
      body: Update,
      example: { name: 'Support', recording_enabled: true },
      reply: { 200: Number },
    },
    async ({ actor, params, body }) =>
      present(await db.tx((tx) => updateNumber(tx, links, actor, params.id, body))),
  ),
]

/** What happens to calls: the slots of a number that have a call flow. */
const slotRoutes = ({ db, links }: PreviewParts, naming: ResourceNaming): Route[] => {
  const { path, noun, deprecated, toolSet, hours: hoursField, Number, present } = naming
  const slotRoute = <Body>(
    slot: string,
    declaration: { summary: string; body: z.ZodType<Body>; example: object },
    set: (tx: Tx, companyId: string, number: NumberRow, body: Body) => Promise<void>,
  ) =>
    route(
      {
        method: 'PUT',
        path: `${path}/:id/${slot}`,
        name: `set_${noun}_${slot}`,
        ...declaration,
        deprecated,
        toolSet,
        params,
        reply: { 200: Number },
      },
      async ({ actor, params, body }) =>
        present(
          await db.tx((tx) =>
            changeNumber(tx, links, actor, params.id, (number) => set(tx, actor.companyId, number, body)),
          ),
        ),
    )
  return [
    slotRoute(
      'incoming_call_config',
      {
        summary: 'Set what happens to calls during business hours',
        body: CallFlow,
        example: exampleFlow,
      },
      (tx, companyId, number, flow) => setFlow(tx, companyId, number, 'incoming_call', flow),
    ),
    slotRoute(
      naming.outsideSlot,
      {
        summary: 'Set what happens to calls outside business hours, and the hours',
        body: naming.OutsideHours,
        example: { ...exampleFlow, [hoursField]: [{ day_of_week: 5, open: false }] },
      },
      (tx, companyId, number, body) => setOutsideHours(tx, companyId, number, { ...body, hoursField }),
    ),
    slotRoute(
      'no_answer_config',
      {
        summary: 'Set what happens when nobody answers in time',
        body: naming.NoAnswer,
        example: { ...exampleFlow, timeout_secs: 30 },
      },
      setNoAnswer,
    ),
  ]
}

const settingsRoutes = (
  parts: PreviewParts,
  { path, noun, deprecated, toolSet }: ResourceNaming,
): Route[] => [
  route(
    {
      method: 'POST',
      path: `${path}/:id/voice_previews`,
      name: `create_${noun}_voice_preview`,
      summary: 'Hear a text in the voice of the number',
      deprecated,
      toolSet,
      params,
      body: VoicePreviewCreate,
      example: { kind: 'greeting', text: 'Welcome to Nordlys.' },
      mandatory: ['kind', 'text'],
      reply: { 201: VoicePreview },
      refusals: {
        422: {
          when: 'Errors of a preview have their code in `code` as well.',
          body: z.object({ code: z.string().optional() }),
        },
        429: { when: 'Too many voice previews were requested in a minute: `rate_limited`.' },
        500: { when: 'The text could not be synthesised: `speech_failed`.' },
      },
    },
    ({ actor, params, body }) => createVoicePreview(parts, actor, params.id, body),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/:id/texting_settings`,
      name: `get_${noun}_texting_settings`,
      summary: 'Read the texting settings of a business number',
      require: requireMessaging(parts.db),
      deprecated,
      params,
      reply: { 200: TextingSettings },
    },
    ({ actor, params }) => readTextingSettings(parts.db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: `${path}/:id/texting_settings`,
      name: `update_${noun}_texting_settings`,
      summary: 'Change the texting settings of a business number',
      require: requireMessaging(parts.db),
      deprecated,
      toolSet,
      params,
      body: TextingSettingsUpdate,
      example: { auto_reply_enabled: true, auto_reply_text: 'We are closed and will answer tomorrow.' },
      reply: { 200: TextingSettings },
    },
    ({ actor, params, body }) => parts.db.tx((tx) => updateTextingSettings(tx, actor, params.id, body)),
  ),
]
