/** The rules of the inbox said as plainly as possible: a list of what arrived, gone through for every question. */
export interface ModelItem {
  id: string
  type: 'call' | 'voicemail' | 'message'
  phone: string
  numberId: string
  incoming: boolean
  seen: boolean
  status?: string
  /** The voicemail in whose favour a call is not shown. */
  replacedBy?: string
}

export interface ModelThread {
  phone: string
  unseen: number
  latest: string
  numberIds: string[]
}

export class InboxModel {
  /** In the order of their arrival. */
  readonly items: ModelItem[] = []
  messaging = true

  add(item: Omit<ModelItem, 'seen'>, callId?: string): void {
    this.items.push({ ...item, seen: false })
    const call = this.items.find(({ id, replacedBy }) => id === callId && replacedBy === undefined)
    if (call) call.replacedBy = item.id
  }

  remove(id: string): void {
    for (const item of this.items) if (item.replacedBy === id) item.replacedBy = undefined
    this.items.splice(
      this.items.findIndex((item) => item.id === id),
      1,
    )
  }

  /** `known` are the items that there were when somebody looked. */
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
    return this.items.filter(
      (item) =>
        item.replacedBy === undefined &&
        (this.messaging || item.type !== 'message') &&
        (numberId === undefined || item.numberId === numberId),
    )
  }
}
