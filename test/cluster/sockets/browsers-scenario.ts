import type { Network } from '../../chaos/environment/network.ts'
import type { Role } from '../../chaos/environment/role.ts'
import { openBrowserPhones } from './browser-phones.ts'
import { inParallel, memoryOfEach, type Part, residentKb, restart, secondsUntil } from './measures.ts'

/** Below what one source may have. */
const BROWSERS_PER_SOURCE = 50
/** What docs/operating/scale.md says. With few, the memory is mostly what the process allocates once. */
const PROMISES = { kb: 120, kbFrom: 2_000, backSeconds: 60 }

/** Thousands of browsers that are registered at one edge process, which is killed. */
export async function tryBrowsers(parts: Part & { edge: Role; network: Network }): Promise<string[]> {
  const { edge, people, network, tell, closes } = parts
  const broken: string[] = []
  const browsers = openBrowserPhones({ host: edge.host, port: network.ports.service })
  closes.push(browsers.close)
  const sourceOf = (index: number) =>
    sourceAddress(network.address(0), Math.floor(index / BROWSERS_PER_SOURCE))
  const kb = await memoryOfEach(edge, people.length, () =>
    inParallel([...people.entries()], ([index, person]) => browsers.register(person, sourceOf(index))),
  )
  tell(`${browsers.registered()} browsers are registered, ${kb.toFixed(1)} kB each`)
  if (people.length >= PROMISES.kbFrom && kb > PROMISES.kb) broken.push(`a browser takes ${kb.toFixed(1)} kB`)

  await restart(edge)
  tell('killed the edge; the next process is ready')
  const seconds = await secondsUntil(() => browsers.registered() === people.length)
  tell(
    `all are registered again after ${seconds.toFixed(1)} s; refused: ${JSON.stringify(browsers.refused)}; ` +
      `the edge has ${(residentKb(edge) / 1_000).toFixed(0)} MB`,
  )
  const back = browsers.registered()
  if (back < people.length) broken.push(`only ${back} of ${people.length} browsers came back`)
  if (seconds > PROMISES.backSeconds) broken.push(`the last browser was back after ${seconds.toFixed(0)} s`)
  return broken
}

/** An address beside the network, 127.x.y.0, on which nobody listens. */
function sourceAddress(network: string, index: number): string {
  const [, x] = network.split('.')
  return `127.${x}.255.${1 + index}`
}
