import { inBackground } from '../../../platform/background.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { MediaFailed } from '../../port.ts'
import { RTPENGINE_LIMITS } from '../limits.ts'
import { createNgClient, NgFailed, type NgReply } from './ng-client.ts'

/** Where an instance of rtpengine is controlled, and the names of its interfaces towards us and towards the others. */
export interface RtpengineAddress {
  host: string
  port: number
  interfaces?: { inside: string; outside: string }
}

/** An instance of rtpengine. */
export interface Instance {
  readonly address: RtpengineAddress
  readonly isAlive: boolean
  /** The legs that it has. */
  legs: number
  /** An instance that does not reply is left out from then on, until it does. */
  request(command: string, more?: Record<string, unknown>): Promise<NgReply>
}

export interface InstancesOptions {
  addresses: RtpengineAddress[]
  clock: Clock
  log: Log
  /** The instance does not reply any more, or not for long. */
  onLost(instance: Instance): void
  /** It replies again before it counted as lost. */
  onBack(instance: Instance, silentMs: number): void
  /** Called now and then for an instance that replies. */
  onAlive(instance: Instance): Promise<void>
}

/** Of an instance, since the first request without a reply. */
interface Silence {
  sinceMs: number
  isLost: boolean
}

/** All instances of rtpengine. Each is asked every few seconds whether it is there. */
export async function openInstances({ addresses, clock, log, onLost, onBack, onAlive }: InstancesOptions) {
  let isClosed = false
  const timers = new Map<Instance, () => void>()
  const nowMs = () => clock.now().getTime()
  const opened = addresses.map((address) => {
    const { host, port } = address
    let silence: Silence | undefined
    const client = createNgClient(address, { clock, log, onRefused: endIfOthers })
    const instance = { address, isAlive: true, legs: 0, request }

    async function request(command: string, more?: Record<string, unknown>): Promise<NgReply> {
      const sinceMs = nowMs()
      try {
        const reply = await client.request(command, more)
        hear()
        return reply
      } catch (error) {
        if (error instanceof NgFailed && error.why === 'refused') hear()
        if (error instanceof NgFailed && error.why === 'timeout' && !isClosed) miss(sinceMs)
        throw error
      }
    }

    function hear(): void {
      if (!silence) return
      const { sinceMs, isLost } = silence
      silence = undefined
      instance.isAlive = true
      log.info({ host, port }, 'rtpengine replies again')
      if (!isLost) onBack(instance, nowMs() - sinceMs)
    }

    function miss(sinceMs: number): void {
      if (!silence) log.error({ host, port }, 'rtpengine does not reply and is left out')
      silence ??= { sinceMs, isLost: false }
      instance.isAlive = false
      const { lostAfterMs, onlyLostAfterMs } = RTPENGINE_LIMITS
      if (nowMs() - silence.sinceMs >= (isOtherAlive() ? lostAfterMs : onlyLostAfterMs)) lose(silence)
    }

    function lose(silent: Silence): void {
      if (silent.isLost) return
      silent.isLost = true
      onLost(instance)
    }

    const isOtherAlive = () => opened.some((other) => other.instance !== instance && other.instance.isAlive)

    /** It has ended. If there is no other, it is given the time to start again. */
    function endIfOthers(): void {
      if (isClosed || !isOtherAlive()) return
      miss(nowMs())
      if (silence) lose(silence)
      client.giveUp()
    }

    return { instance, client }
  })
  const instances: Instance[] = opened.map(({ instance }) => instance)

  async function check(instance: Instance): Promise<void> {
    try {
      await instance.request('ping')
      await onAlive(instance)
    } catch (error) {
      if (!(error instanceof NgFailed)) throw error
    } finally {
      if (!isClosed)
        timers.set(
          instance,
          clock.after(RTPENGINE_LIMITS.checkEveryMs, () => start(instance)),
        )
    }
  }

  const start = (instance: Instance) => inBackground(log, 'check an instance of rtpengine', check(instance))

  await Promise.all(instances.map(check))
  return {
    /** The one with the fewest legs of those that reply. If none does, one that may be back. */
    choose(except: ReadonlySet<Instance>): Instance {
      const others = instances.filter((instance) => !except.has(instance))
      const alive = others.filter(({ isAlive }) => isAlive)
      const usable = alive.length > 0 ? alive : others
      if (usable.length === 0) throw new MediaFailed('no_ports', 'No instance of rtpengine replies.')
      return usable.reduce((a, b) => (b.legs < a.legs ? b : a))
    },
    close(): void {
      isClosed = true
      for (const callOff of timers.values()) callOff()
      for (const { client } of opened) client.close()
    },
  }
}

export type Instances = Awaited<ReturnType<typeof openInstances>>
