import { callIs } from './call-events.ts'
import { numberWith, type PhoneSystem } from './phone-system.ts'

/** A company in which Anna talks to a customer, and Bob is available. */
export async function startConversation(
  { bellhop, dial, hire }: PhoneSystem,
  ofNumber: Record<string, unknown> = {},
) {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(
    bellhop,
    company,
    { type: 'TransferConfig', employee_ids: [anna.id] },
    ofNumber,
  )
  const customer = await dial(number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await customer.hears(700)
  const call = await callIs(company, 'bridged')
  return { company, anna, bob, number, customer, annasPhone, call }
}
