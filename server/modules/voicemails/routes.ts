import { z } from 'zod'

import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { Waveform } from '../waveforms/index.ts'
import { ListedVoicemail, Voicemail, VoicemailSearch, VoicemailUpdate } from './schemas.ts'
import {
  deleteVoicemail,
  listVoicemails,
  readVoicemail,
  readVoicemailWaveform,
  searchVoicemails,
  updateVoicemail,
  type VoicemailParts,
} from './voicemails.ts'

const params = z.object({ id: Id('voi') })

export const voicemailRoutes = (parts: VoicemailParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/voicemails',
      name: 'list_voicemails',
      summary: 'List all voicemails, newest first',
      reply: { 200: z.object({ unlistened_count: z.int(), voicemails: z.array(ListedVoicemail) }) },
    },
    ({ actor }) => listVoicemails(parts, actor),
  ),
  route(
    {
      method: 'GET',
      path: '/voicemails/search',
      name: 'search_voicemails',
      toolSet: 'administration',
      summary: 'Search what was said in voicemails, and who said it',
      query: VoicemailSearch,
      reply: { 200: z.object({ voicemails: z.array(ListedVoicemail) }) },
    },
    async ({ actor, query }) => ({ voicemails: await searchVoicemails(parts, actor, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/voicemails/:id/waveform',
      name: 'get_voicemail_waveform',
      toolSet: 'none',
      summary: 'Read how loud a voicemail is from beginning to end, and where it is silent',
      params,
      reply: { 200: Waveform },
    },
    ({ actor, params }) => readVoicemailWaveform(parts, actor, params.id),
  ),
  route(
    {
      method: 'GET',
      path: '/voicemails/:id',
      name: 'get_voicemail',
      summary: 'Read a voicemail',
      params,
      reply: { 200: Voicemail },
    },
    ({ actor, params }) => readVoicemail(parts, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: '/voicemails/:id',
      name: 'update_voicemail',
      summary: 'Mark a voicemail as listened to, or not',
      params,
      body: VoicemailUpdate,
      acceptsForm: true,
      example: { listened: true },
      reply: { 200: Voicemail },
    },
    ({ actor, params, body }) => updateVoicemail(parts, actor, params.id, body),
  ),
  route(
    {
      method: 'DELETE',
      path: '/voicemails/:id',
      name: 'delete_voicemail',
      summary: 'Delete a voicemail and its recording for good',
      params,
      reply: { 204: null },
    },
    ({ actor, params }) => parts.db.tx((tx) => deleteVoicemail(tx, actor, params.id)),
  ),
]
