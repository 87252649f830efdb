import { type Route, route } from '../../platform/http/route.ts'
import { createSoftphoneCredentials, SoftphoneCredentials, type SoftphoneParts } from './softphone.ts'

export const deviceRoutes = (parts: SoftphoneParts): Route[] => [
  route(
    {
      method: 'POST',
      path: '/softphone_credentials',
      name: 'create_softphone_credentials',
      summary: 'Make a browser a phone: SIP credentials for some hours, shown this once',
      toolSet: 'administration',
      reply: { 201: SoftphoneCredentials },
    },
    ({ actor }) => createSoftphoneCredentials(parts, actor),
  ),
]
