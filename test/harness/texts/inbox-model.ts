/** The rules of the inbox in their simplest form: a list of what arrived, searched for every query. */
export interface ModelItem {
  id: string
  type: 'call' | 'voicemail' | 'message'
  phone: string
  numberId: string
  incoming: boolean
  seen: boolean
  /** Of a text: the newest decides what it is. */
  attempts?: ModelAttempt[]
  /** Of a voicemail: its call, which is not shown because the voicemail is. */
  callId?: string
}

/** A send attempt. */
export interface ModelAttempt {
  id: string
  status: SentStatus
  /** The provider's id, once it is known. */
  providerId?: string
  /** The provider has not responded yet. */
  hanging: boolean
}

export type SentStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

/** A final status stays, and only a final status replaces `unknown`. */
export function hear(attempt: ModelAttempt, news: Exclude<SentStatus, 'queued'>): void {
  const final = attempt.status === 'delivered' || attempt.status === 'failed'
  const lost = attempt.status === 'unknown' && news === 'accepted'
  if (!final && !lost) attempt.status = news
}

export const statusOf = ({ type, incoming, attempts }: ModelItem): string | undefined =>
  type !== 'message' ? undefined : incoming ? 'received' : attempts!.at(-1)!.status

export interface ModelThread {
  phone: string
  unseen: number
  latest: string
  numberIds: string[]
}

export class InboxModel {
  /** In order of arrival. */
  readonly items: ModelItem[] = []
  messaging = true

  add(item: Omit<ModelItem, 'seen'>): void {
    this.items.push({ ...item, seen: false })
  }

  /** All send attempts. */
  get attempts(): ModelAttempt[] {
    return this.items.flatMap(({ attempts = [] }) => attempts)
  }

  remove(id: string): void {
    this.items.splice(
      this.items.findIndex((item) => item.id === id),
      1,
    )
  }

  /** `known` are the items that existed when the thread was read. */
  markSeen(known: Set<string>, which: { phone?: string; numberId?: string; texts: boolean }): void {
    for (const item of this.items) {
      const meant =
        known.has(item.id) &&
        (which.phone === undefined || item.phone === which.phone) &&
        (which.numberId === undefined || item.numberId === which.numberId) &&
        (item.type !== 'message' || (which.texts && this.messaging))
      if (meant && item.incoming) item.seen = true
    }
  }

  /** Newest first. */
  activity(phone: string, numberId?: string): ModelItem[] {
    return this.shown(numberId)
      .filter((item) => item.phone === phone)
      .toReversed()
  }

  /** Newest activity first. */
  threads(numberId?: string): ModelThread[] {
    const phones = new Set(
      this.shown(numberId)
        .toReversed()
        .map((item) => item.phone),
    )
    return [...phones].map((phone) => {
      const items = this.activity(phone, numberId)
      const numbers = this.activity(phone).map((item) => item.numberId)
      return {
        phone,
        unseen: items.filter((item) => item.incoming && !item.seen).length,
        latest: items[0]!.id,
        numberIds: [...new Set(numbers)],
      }
    })
  }

  /** People with something unseen. */
  unseenPeople(numberId: string): number {
    return this.threads(numberId).filter(({ unseen }) => unseen > 0).length
  }

  private shown(numberId?: string): ModelItem[] {
    const replaced = new Set(this.items.map(({ callId }) => callId))
    return this.items.filter(
      (item) =>
        !replaced.has(item.id) &&
        (this.messaging || item.type !== 'message') &&
        (numberId === undefined || item.numberId === numberId),
    )
  }
}
