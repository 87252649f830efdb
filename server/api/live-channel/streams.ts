import { messageFrame } from './frames.ts'

interface Subscriber {
  send(frame: Buffer): void
}

/** The subscriptions of each company by identifier, which is part of the frame that is sent. */
export interface Streams<R extends Subscriber> {
  join(companyId: string, identifier: string, reader: R): void
  leave(companyId: string, identifier: string, reader: R): void
  tell(companyId: string, json: string): void
}

export function createStreams<R extends Subscriber>(): Streams<R> {
  const companies = new Map<string, Map<string, Set<R>>>()
  return {
    join(companyId, identifier, reader) {
      const streams = companies.get(companyId) ?? new Map<string, Set<R>>()
      const readers = streams.get(identifier) ?? new Set<R>()
      companies.set(companyId, streams.set(identifier, readers.add(reader)))
    },
    leave(companyId, identifier, reader) {
      const streams = companies.get(companyId)
      const readers = streams?.get(identifier)
      if (!streams || !readers?.delete(reader)) return
      if (readers.size === 0) streams.delete(identifier)
      if (streams.size === 0) companies.delete(companyId)
    },
    tell(companyId, json) {
      for (const [identifier, readers] of companies.get(companyId) ?? []) {
        const frame = Buffer.from(messageFrame(identifier, json))
        for (const reader of readers) reader.send(frame)
      }
    },
  }
}
