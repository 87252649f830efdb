import { isIP } from 'node:net'

import { z } from 'zod'

import { bindingsOf, type DeviceAccount, type RegisteredBinding } from '../../modules/devices/index.ts'
import { addressOfEdge, type EdgeAddress } from '../../modules/edges/index.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Binding, type DigestCredentials, family, printUri } from '../../sip/index.ts'
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
  isProxied: z.boolean().default(false),
  protocol: z.enum(['udp', 'tcp', 'tls', 'ws', 'wss']),
  remote: z.object({ address: z.string(), port: z.number() }),
})

interface Standpoint {
  edgeId: string
  /** Edges authenticate to one another with these. */
  credentials: DigestCredentials
}

/**
 * Every binding of the employee's devices: directly if it is at this edge, or behind a proxy, which all edges reach;
 * else through the edge that has it.
 */
export async function routesToEmployee(
  sql: Queryable,
  from: Standpoint,
  companyId: string,
  employeeId: string,
): Promise<PhoneRoute[]> {
  const lines = await bindingsOf(sql, companyId, employeeId)
  return lines.map((line) => {
    const { device_id: deviceId, encryption, has_refused_encryption: hasRefusedEncryption } = line
    const binding = StoredBinding.parse(line.binding)
    return line.edge_id === from.edgeId || binding.isProxied
      ? directRoute(binding, { deviceId, encryption, hasRefusedEncryption })
      : wayThrough(line, from)
  })
}

/** To a phone that is registered at this edge. */
export function directRoute(
  binding: Binding,
  { deviceId, ...device }: Pick<DeviceAccount, 'deviceId' | 'encryption' | 'hasRefusedEncryption'>,
): PhoneRoute {
  return { target: { to: 'device', binding }, deviceId, opus: true, ...mediaFor(binding, device) }
}

/** To somebody in an internal call that another edge has. */
export async function routesToInternalCall(
  sql: Queryable,
  credentials: DigestCredentials,
  internalCallId: string,
  edgeId: string,
): Promise<PhoneRoute[]> {
  const address = await addressOfEdge(sql, edgeId)
  if (!address) return []
  return [{ ...routeToEdge(address, encodeId('ica', internalCallId)), credentials }]
}

function wayThrough(line: RegisteredBinding, { credentials }: Standpoint): PhoneRoute {
  const route = routeToEdge(line, bindingName(line.username, line.key))
  return { ...route, credentials, deviceId: line.device_id }
}

/** Between edges the media is G.711 over plain RTP, whatever the device supports. */
export function routeToEdge(
  { sip_host, sip_port }: EdgeAddress,
  user: string,
): Pick<PhoneRoute, 'target' | 'transport' | 'family'> {
  const host = sip_host.includes(':') ? `[${sip_host}]` : sip_host
  const uri = printUri({ scheme: 'sip', user, host, port: sip_port, params: new Map() })
  const media = { transport: 'rtp', ...(isIP(sip_host) && { family: family(sip_host) }) } as const
  return { target: { to: 'uri', uri }, ...media }
}

/** Browsers use WebSockets, and no other device does. Keys are not sent where others can read them, unless required. */
function mediaFor(
  { protocol, remote }: Binding,
  { encryption, hasRefusedEncryption }: Pick<DeviceAccount, 'encryption' | 'hasRefusedEncryption'>,
): PhoneMedia {
  if (protocol === 'ws' || protocol === 'wss') return { transport: 'webrtc' }
  const version = family(remote.address)
  if (encryption === 'required') return { transport: 'sdes', family: version, isEncryptionRequired: true }
  const isEncrypted = encryption === 'auto' && protocol === 'tls' && !hasRefusedEncryption
  return { transport: isEncrypted ? 'sdes' : 'rtp', family: version }
}
