import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Relays datagrams between clients and a port. Drops and duplicates some in both directions, always the same ones. */
export async function startLossyRelay(to: number, loss: number, repetition = 0) {
  const front = createSocket('udp4').bind(0, '127.0.0.1')
  await once(front, 'listening')
  const backs = new Map<number, Socket>()
  const counts = { passed: 0, lost: 0, repeated: 0 }
  const lose = chances(loss)
  const repeat = chances(repetition)
  const pass = (send: () => void) => {
    if (lose()) counts.lost++
    else {
      counts.passed++
      send()
      if (!repeat()) return
      counts.repeated++
      send()
    }
  }
  front.on('message', (bytes, { port: client }) => {
    let back = backs.get(client)
    if (!back) {
      back = createSocket('udp4')
      backs.set(client, back)
      back.on('message', (answer) => pass(() => front.send(answer, client, '127.0.0.1')))
    }
    pass(() => back.send(bytes, to, '127.0.0.1'))
  })
  return {
    port: front.address().port,
    counts,
    close() {
      front.close()
      for (const back of backs.values()) back.close()
    },
  }
}

/** Park and Miller's generator: reproducible random numbers. */
function chances(share: number): () => boolean {
  let state = 20_261_115
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 < share
  }
}
