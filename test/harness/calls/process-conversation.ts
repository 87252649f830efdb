import { startEdgeProcess } from '../processes/edge-process.ts'
import { callIs } from './call-events.ts'
import { numberWith, type PhoneSystem } from './phone-system.ts'

/** Anna talks to a customer over an edge in a separate process. */
export async function startProcessConversation(
  phoneSystem: PhoneSystem,
  environment: Record<string, string>,
  options: Parameters<typeof startEdgeProcess>[2],
) {
  const { bellhop, dial } = phoneSystem
  const SIP_TRUNKS = JSON.stringify([phoneSystem.trunk])
  const edge = await startEdgeProcess(bellhop.db.address, { SIP_TRUNKS, ...environment }, options)
  phoneSystem.connectCarrier('process', edge.port)
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'bridged')
  return { edge, company, number, customer, phone }
}
