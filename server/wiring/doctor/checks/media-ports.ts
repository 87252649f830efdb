import { readFile } from 'node:fs/promises'

import { bindUdp } from '../bind.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, warning } from '../finding.ts'
import type { Surroundings } from '../inspection.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

/** An RTP and an RTCP port for each of the two participants. */
const PORTS_OF_CALL = 4

/** Linux: the ports that the kernel gives to any program. */
const EPHEMERAL = '/proc/sys/net/ipv4/ip_local_port_range'

/** The range is large enough, is not shared with others, and its ports can be used. */
export const mediaPorts: Check<Surroundings> = {
  name: 'media-ports',
  async run({ config: { sip, media }, edges }) {
    const { from, to } = media.ports
    const range = `MEDIA_PORTS, ${from}-${to},`
    const calls = Math.floor((to - from + 1) / PORTS_OF_CALL)
    // Calls in progress use some, so ports that are used mean something only if no edge runs.
    const used = edges?.length === 0 ? await countUsed(sip.hosts, from, to) : { used: 0, tried: 0 }
    const findings: Finding[] = [
      ...(calls < DOCTOR_LIMITS.callsMin
        ? [
            warning(
              `${range} are enough for only ${calls} concurrent calls.`,
              'Widen MEDIA_PORTS, and open them in the firewall.',
            ),
          ]
        : []),
      ...((await overlaps(from, to))
        ? [
            warning(
              `${range} overlap with the ports that the system gives to any program.`,
              `Choose a range outside of ${EPHEMERAL}.`,
            ),
          ]
        : []),
      ...(used.used > 0
        ? [
            warning(
              `${used.used} of ${used.tried} ports that were tried of ${range} are used by other programs.`,
              'Choose a range that nothing else uses.',
            ),
          ]
        : []),
    ]
    if (findings.length > 0) return findings
    return [
      ok(
        `${range} are enough for ${calls.toLocaleString('en')} concurrent calls; the firewall must let them through (UDP).`,
      ),
    ]
  },
}

async function countUsed(
  hosts: string[],
  from: number,
  to: number,
): Promise<{ used: number; tried: number }> {
  const tried = Math.min(DOCTOR_LIMITS.mediaPortsTried, to - from + 1)
  const step = Math.floor((to - from + 1) / tried)
  const ports = Array.from({ length: tried }, (_, i) => from + i * step)
  const states = await Promise.all(
    ports.map((port) => Promise.all(hosts.map((host) => bindUdp(host, port, hosts.length > 1)))),
  )
  return { tried, used: states.filter((each) => each.includes('used')).length }
}

async function overlaps(from: number, to: number): Promise<boolean> {
  // Other systems have no such file; then nothing is known about it.
  const text = await readFile(EPHEMERAL, 'utf8').catch(() => '')
  const [first, last] = text.trim().split(/\s+/).map(Number)
  return first !== undefined && last !== undefined && from <= last && to >= first
}
