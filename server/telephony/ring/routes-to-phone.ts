import { z } from 'zod'

import { bindingsOf, type DeviceAccount, type RegisteredBinding } from '../../modules/devices/index.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { type Binding, type DigestCredentials, printUri } from '../../sip/index.ts'
import { bindingName } from '../edge/peer-edges.ts'
import type { PhoneMedia, PhoneRoute } from '../port.ts'

/** We wrote this to the database ourselves. */
const StoredBinding: z.ZodType<Binding> = z.object({
  username: z.string(),
  key: z.string(),
  uri: z.string(),
  params: z.array(z.tuple([z.string(), z.string()])),
  path: z.array(z.string()),
  callId: z.string(),
  cseq: z.number(),
  expiresAt: z.coerce.date(),
  flowId: z.string(),
  protocol: z.enum(['udp', 'tcp', 'tls', 'ws', 'wss']),
  remote: z.object({ address: z.string(), port: z.number() }),
})

interface Standpoint {
  edgeId: string
  /** Edges authenticate to one another with these. */
  credentials: DigestCredentials
}

/** Every binding of the employee's devices: directly if it is at this edge, else through the edge that has it. */
export async function routesToEmployee(
  sql: Queryable,
  from: Standpoint,
  companyId: string,
  employeeId: string,
): Promise<PhoneRoute[]> {
  const lines = await bindingsOf(sql, companyId, employeeId)
  return lines.map((line) => (line.edge_id === from.edgeId ? directWay(line) : wayThrough(line, from)))
}

function directWay({ binding: stored, device_id, ...row }: RegisteredBinding): PhoneRoute {
  const { encryption, has_refused_encryption: hasRefusedEncryption } = row
  const device = { deviceId: device_id, encryption, hasRefusedEncryption }
  return directRoute(StoredBinding.parse(stored), device)
}

/** To a phone that is registered at this edge. */
export function directRoute(
  binding: Binding,
  { deviceId, ...device }: Pick<DeviceAccount, 'deviceId' | 'encryption' | 'hasRefusedEncryption'>,
): PhoneRoute {
  return { target: { to: 'device', binding }, deviceId, ...mediaFor(binding, device) }
}

/** Between edges the media is plain RTP, whatever the device supports. */
function wayThrough(line: RegisteredBinding, { credentials }: Standpoint): PhoneRoute {
  const { username, key, sip_host, sip_port, device_id } = line
  const uri = printUri({
    scheme: 'sip',
    user: bindingName(username, key),
    host: sip_host.includes(':') ? `[${sip_host}]` : sip_host,
    port: sip_port,
    params: new Map(),
  })
  return { target: { to: 'uri', uri }, transport: 'rtp', credentials, deviceId: device_id }
}

/** Browsers use WebSockets, and no other device does. Keys are not sent where others can read them, unless required. */
function mediaFor(
  { protocol }: Binding,
  { encryption, hasRefusedEncryption }: Pick<DeviceAccount, 'encryption' | 'hasRefusedEncryption'>,
): PhoneMedia {
  if (protocol === 'ws' || protocol === 'wss') return { transport: 'webrtc' }
  if (encryption === 'required') return { transport: 'sdes', isEncryptionRequired: true }
  const isEncrypted = encryption === 'auto' && protocol === 'tls' && !hasRefusedEncryption
  return { transport: isEncrypted ? 'sdes' : 'rtp' }
}
