import { inBackground } from '../../platform/background.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'

/** Reads the state of these subjects of a company; one without an entry is left as it was. */
type ReadStates<State> = (companyId: string, subjects: string[]) => Promise<Map<string, State>>

interface Watcher<State> {
  subject: string
  receive(state: State): void
}

interface Watch {
  known: Promise<void>
  stop(): void
}

interface Watched<State> {
  watchers: Set<Watcher<State>>
  isReading: boolean
  /** Something has changed since the read under way began. */
  isDue: boolean
}

/**
 * The state of what is watched, read again after each change. A company has one read at a time, for everybody who
 * watches something of it: whatever changes during a read is part of the next.
 */
export class CompanyFeed<State> {
  readonly #clock: Clock
  readonly #log: Log
  readonly #read: ReadStates<State>
  readonly #companies = new Map<string, Watched<State>>()

  constructor({ clock, log }: { clock: Clock; log: Log }, read: ReadStates<State>) {
    this.#clock = clock
    this.#log = log
    this.#read = read
  }

  /** Reports the state soon, and then after each change. `known` resolves after the first report. */
  watch(companyId: string, subject: string, receive: (state: State) => void): Watch {
    const watched = this.#companies.get(companyId) ?? { watchers: new Set(), isReading: false, isDue: false }
    this.#companies.set(companyId, watched)
    const watcher: Watcher<State> = { subject, receive }
    const known = new Promise<void>((resolve) => {
      watcher.receive = (state) => {
        receive(state)
        resolve()
      }
    })
    watched.watchers.add(watcher)
    this.changed(companyId)
    const stop = () => {
      watched.watchers.delete(watcher)
      if (watched.watchers.size === 0 && this.#companies.get(companyId) === watched)
        this.#companies.delete(companyId)
    }
    return { known, stop }
  }

  changed(companyId: string): void {
    const watched = this.#companies.get(companyId)
    if (!watched) return
    watched.isDue = true
    if (!watched.isReading)
      inBackground(this.#log, 'read what phones are subscribed to', () => this.#update(companyId, watched))
  }

  /** Any company may have changed. */
  allChanged(): void {
    for (const companyId of this.#companies.keys()) this.changed(companyId)
  }

  async #update(companyId: string, watched: Watched<State>): Promise<void> {
    watched.isReading = true
    try {
      while (watched.isDue && watched.watchers.size > 0) {
        watched.isDue = false
        const watchers = [...watched.watchers]
        const states = await this.#read(companyId, [...new Set(watchers.map(({ subject }) => subject))])
        for (const { subject, receive } of watchers) {
          const state = states.get(subject)
          if (state !== undefined) receive(state)
        }
      }
    } catch (err) {
      // The database may be away; nothing else would say that the lamps are out of date.
      this.#clock.after(TELEPHONY_LIMITS.lampsAgainMs, () => this.changed(companyId))
      throw err
    } finally {
      watched.isReading = false
    }
  }
}
