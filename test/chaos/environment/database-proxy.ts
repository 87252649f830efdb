import { connect, createServer, type Socket } from 'node:net'

/** A breakable proxy between Bellhop and PostgreSQL. */
export interface DatabaseProxy {
  connections(): number
  /** All connections break; new ones are refused until `mend`. */
  cut(): void
  /** Nothing gets through, and no connection is closed. */
  silence(): void
  mend(): void
  close(): Promise<void>
}

export async function startDatabaseProxy(
  host: string,
  postgresHost: string,
  port: number,
): Promise<DatabaseProxy> {
  const ends = new Set<Socket>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy()
    const upstream = connect(port, postgresHost)
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      ends.add(end)
      end.pipe(other)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      if (state === 'silent') end.pause()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const breakAll = () => {
    for (const end of ends) end.destroy()
  }
  return {
    connections: () => ends.size / 2,
    cut() {
      state = 'cut'
      breakAll()
    },
    silence() {
      state = 'silent'
      for (const end of ends) end.pause()
    },
    mend() {
      state = 'whole'
      for (const end of ends) end.resume()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        breakAll()
      }),
  }
}
