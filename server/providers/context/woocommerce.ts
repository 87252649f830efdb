import { z } from 'zod'

import { phoneSpellings } from '../../platform/text/phone.ts'
import type { ProviderAccount } from './port.ts'
import { parseContext } from './read-context.ts'
import { type LookUp, type LookUpHttpClient, requestJson } from './request-json.ts'
import { humanise, isNumber, moneyOf, parseAnswer, Text, validItems } from './vendor-json.ts'

/** How many orders a search returns, and how many of them are shown. */
const FOUND = 20
const SHOWN = 5

/** The requested fields; whole orders are long. */
const FIELDS = 'id,number,status,currency,total,date_created_gmt,customer_id,customer_note,billing'

const Order = z.object({
  id: z.int(),
  number: Text,
  status: Text,
  currency: Text,
  total: Text,
  date_created_gmt: Text,
  customer_id: z.int().nullish().catch(null),
  billing: z.object({
    first_name: Text,
    last_name: Text,
    company: Text,
    email: Text,
    phone: Text,
    city: Text,
  }),
})
type Order = z.output<typeof Order>

/**
 * Customers of a WooCommerce shop. They cannot be searched by phone, but orders can: by the billing address as typed,
 * so each common notation of the number is a separate search.
 */
export function woocommerce(
  line: LookUpHttpClient,
  { url, consumerKey, consumerSecret }: Extract<ProviderAccount, { provider: 'woocommerce' }>,
): LookUp {
  const base = url.replace(/\/+$/, '')
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`

  const search = async (written: string, signal: AbortSignal) => {
    const query = new URLSearchParams({ search: written, per_page: String(FOUND), _fields: FIELDS })
    const answer = await requestJson(line, {
      url: `${base}/wp-json/wc/v3/orders?${query.toString()}`,
      headers: { authorization },
      signal,
    })
    return parseAnswer(validItems(Order), answer)
  }

  return async ({ phone, country, label }, signal) => {
    const found = await Promise.all(phoneSpellings(phone).map((written) => search(written, signal)))
    const orders = newestOnce(found.flat().filter(({ billing }) => isNumber(billing.phone, phone, country)))
    if (orders.length === 0) return { is: 'nobody' }
    const defaults = { provider: 'woocommerce', label, source: new URL(base).host }
    const context = parseContext(describe(orders, base), defaults)
    return context ? { is: 'found', context } : { is: 'nobody' }
  }
}

function newestOnce(orders: Order[]): Order[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id)
}

function describe(orders: Order[], base: string) {
  const [{ billing, customer_id: customerId }] = orders as [Order]
  const name = [billing.first_name, billing.last_name].filter(Boolean).join(' ')
  return {
    url: customerId ? `${base}/wp-admin/user-edit.php?user_id=${customerId}` : null,
    contact: { name, email: billing.email, company_name: billing.company },
    sections: [
      {
        type: 'fields',
        label: 'Customer',
        fields: [
          { label: 'Account', value: customerId ? 'Registered' : 'Guest', format: 'badge' },
          { label: 'City', value: billing.city || null },
        ],
      },
      {
        type: 'table',
        label: 'Latest orders',
        columns: [
          { key: 'order', label: 'Order' },
          { key: 'date', label: 'Date', format: 'date' },
          { key: 'total', label: 'Total', format: 'money' },
          { key: 'status', label: 'Status', format: 'badge' },
        ],
        rows: orders.slice(0, SHOWN).map((order) => ({
          url: `${base}/wp-admin/post.php?post=${order.id}&action=edit`,
          values: {
            order: order.number && `#${order.number}`,
            // Times are in UTC, without an offset.
            date: order.date_created_gmt && `${order.date_created_gmt}Z`,
            total: moneyOf(order.total, order.currency),
            status: humanise(order.status),
          },
        })),
      },
    ],
  }
}
