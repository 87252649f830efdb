import { z } from 'zod'

import { phoneSpellings } from '../../platform/text/phone.ts'
import type { ProviderAccount } from './port.ts'
import { parseContext } from './read-context.ts'
import { type LookUp, type LookUpHttpClient, requestJson } from './request-json.ts'
import { isNumber, moneyOf, parseAnswer, Text, validItems } from './vendor-json.ts'

export const ECONOMIC_URL = 'https://restapi.e-conomic.com'

const CUSTOMERS = 20
const INVOICES = 5
const PHONE_FIELDS = ['telephoneAndFaxNumber', 'mobilePhone'] as const

const Amount = z.number().nullish().catch(null)
const Customer = z.object({
  customerNumber: z.int(),
  name: Text,
  email: Text,
  currency: Text,
  city: Text,
  corporateIdentificationNumber: Text,
  telephoneAndFaxNumber: Text,
  mobilePhone: Text,
  balance: Amount,
  dueAmount: Amount,
})
type Customer = z.output<typeof Customer>
const Customers = z.object({ collection: validItems(Customer) })

const Invoice = z.object({
  bookedInvoiceNumber: z.int(),
  date: Text,
  dueDate: Text,
  currency: Text,
  grossAmount: Amount,
  remainder: Amount,
})
type Invoice = z.output<typeof Invoice>
const Invoices = z.object({ collection: validItems(Invoice) })

const Agreement = z.object({ agreementNumber: z.int() })

/** The customers of an e-conomic agreement, what they owe and their latest invoices. */
export function economic(
  line: LookUpHttpClient,
  { appSecretToken, agreementGrantToken }: Extract<ProviderAccount, { provider: 'economic' }>,
  { baseUrl = ECONOMIC_URL }: { baseUrl?: string } = {},
): LookUp {
  const headers = { 'x-appsecrettoken': appSecretToken, 'x-agreementgranttoken': agreementGrantToken }
  const get = <S extends z.ZodType>(schema: S, path: string, signal: AbortSignal) =>
    requestJson(line, { url: baseUrl + path, headers, signal }).then((answer) => parseAnswer(schema, answer))

  return async ({ phone, country, label }, signal) => {
    const [{ collection }, { agreementNumber }] = await Promise.all([
      get(Customers, `/customers?${customersWith(phone)}`, signal),
      get(Agreement, '/self', signal),
    ])
    const customer = collection.find((one) =>
      PHONE_FIELDS.some((field) => isNumber(one[field], phone, country)),
    )
    if (!customer) return { is: 'nobody' }
    const path = `/invoices/booked?${invoicesOf(customer.customerNumber)}`
    const invoices = (await get(Invoices, path, signal)).collection
    const defaults = { provider: 'economic', label, source: String(agreementNumber) }
    const today = line.clock.now().toISOString().slice(0, 'yyyy-mm-dd'.length)
    const context = parseContext(describe(customer, invoices, today), defaults)
    return context ? { is: 'found', context } : { is: 'nobody' }
  }
}

/** e-conomic stores numbers as they were typed. */
function customersWith(phone: string): string {
  const parts = phoneSpellings(phone).flatMap((written) =>
    PHONE_FIELDS.map((field) => `${field}$like:${escaped(written)}`),
  )
  return new URLSearchParams({ filter: parts.join('$or:'), pagesize: String(CUSTOMERS) }).toString()
}

function invoicesOf(customerNumber: number): string {
  const filter = `customer.customerNumber$eq:${customerNumber}`
  return new URLSearchParams({ filter, sort: '-date', pagesize: String(INVOICES) }).toString()
}

/** Characters with a meaning in filters. */
const escaped = (text: string) => text.replaceAll(/[$()*,[\]]/g, (sign) => `$${sign}`)

function describe(customer: Customer, invoices: Invoice[], today: string) {
  const { name, email, currency, corporateIdentificationNumber: vatId } = customer
  return {
    contact: { name, email, company_name: vatId ? name : null },
    sections: [
      {
        type: 'fields',
        label: 'Account',
        fields: [
          { label: 'Balance', value: moneyOf(customer.balance, currency), format: 'money', bold: true },
          { label: 'Due', value: moneyOf(customer.dueAmount, currency), format: 'money' },
          { label: 'Customer number', value: String(customer.customerNumber) },
          { label: 'VAT number', value: vatId || null },
          { label: 'City', value: customer.city || null },
        ],
      },
      {
        type: 'table',
        label: 'Latest invoices',
        columns: [
          { key: 'invoice', label: 'Invoice' },
          { key: 'date', label: 'Date', format: 'date' },
          { key: 'due_date', label: 'Due', format: 'date' },
          { key: 'amount', label: 'Amount', format: 'money' },
          { key: 'status', label: 'Status', format: 'badge' },
        ],
        rows: invoices.map((invoice) => ({
          values: {
            invoice: String(invoice.bookedInvoiceNumber),
            date: invoice.date,
            due_date: invoice.dueDate,
            amount: moneyOf(invoice.grossAmount, invoice.currency),
            status: statusOf(invoice, today),
          },
        })),
      },
    ],
  }
}

function statusOf({ remainder, dueDate }: Invoice, today: string): string | null {
  if (remainder === null || remainder === undefined) return null
  if (remainder === 0) return 'Paid'
  return dueDate && dueDate < today ? 'Overdue' : 'Open'
}
