import { z } from 'zod'

import type { ProviderAccount } from './port.ts'
import { parseContext } from './read-context.ts'
import { type LookUp, type LookUpHttpClient, requestJson } from './request-json.ts'
import { humanise, isNumber, moneyOf, parseAnswer, Text, validItems } from './vendor-json.ts'

const API_VERSION = '2026-10'

/** Several customers may match the search; only a few are checked. */
const CUSTOMERS = 5
const ORDERS = 5

const QUERY = `query ($query: String!) {
  customers(first: ${CUSTOMERS}, query: $query) {
    nodes {
      id displayName note createdAt numberOfOrders tags
      amountSpent { amount currencyCode }
      defaultEmailAddress { emailAddress }
      defaultPhoneNumber { phoneNumber }
      defaultAddress { company phone city }
      orders(first: ${ORDERS}, sortKey: CREATED_AT, reverse: true) {
        nodes {
          id name createdAt displayFinancialStatus displayFulfillmentStatus
          currentTotalPriceSet { shopMoney { amount currencyCode } }
        }
      }
    }
  }
}`

const Money = z.object({ amount: Text, currencyCode: Text }).nullish().catch(null)
const Order = z.object({
  id: z.string(),
  name: Text,
  createdAt: Text,
  displayFinancialStatus: Text,
  displayFulfillmentStatus: Text,
  currentTotalPriceSet: z.object({ shopMoney: Money }).nullish().catch(null),
})
const Customer = z.object({
  id: z.string(),
  displayName: Text,
  note: Text,
  createdAt: Text,
  numberOfOrders: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  tags: z.array(z.string()).nullish().catch(null),
  amountSpent: Money,
  defaultEmailAddress: z.object({ emailAddress: Text }).nullish().catch(null),
  defaultPhoneNumber: z.object({ phoneNumber: Text }).nullish().catch(null),
  defaultAddress: z.object({ company: Text, phone: Text, city: Text }).nullish().catch(null),
  orders: z
    .object({ nodes: validItems(Order) })
    .nullish()
    .catch(null),
})
type Customer = z.output<typeof Customer>

const Answer = z.object({
  data: z.object({ customers: z.object({ nodes: validItems(Customer) }) }),
})

/** The customers of a Shopify shop, through its Admin API. */
export function shopify(
  line: LookUpHttpClient,
  { shop, accessToken }: Extract<ProviderAccount, { provider: 'shopify' }>,
  { baseUrl = `https://${shop}` }: { baseUrl?: string } = {},
): LookUp {
  return async ({ phone, country, label }, signal) => {
    const answer = await requestJson(line, {
      url: `${baseUrl}/admin/api/${API_VERSION}/graphql.json`,
      headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
      body: JSON.stringify({ query: QUERY, variables: { query: `phone:"${phone}"` } }),
      signal,
    })
    const { nodes } = parseAnswer(Answer, answer).data.customers
    const customer = nodes.find(({ defaultPhoneNumber, defaultAddress }) =>
      [defaultPhoneNumber?.phoneNumber, defaultAddress?.phone].some((one) => isNumber(one, phone, country)),
    )
    if (!customer) return { is: 'nobody' }
    const defaults = { provider: 'shopify', label, source: shop }
    const context = parseContext(describe(customer, shop), defaults)
    return context ? { is: 'found', context } : { is: 'nobody' }
  }
}

function describe(customer: Customer, shop: string) {
  const { displayName, defaultEmailAddress, defaultAddress, note, orders } = customer
  return {
    url: adminUrl(shop, 'customers', customer.id),
    contact: {
      // A customer without a name is displayed as an e-mail address or phone number.
      name: displayName && /[@+]/.test(displayName) ? null : displayName,
      email: defaultEmailAddress?.emailAddress,
      company_name: defaultAddress?.company,
      note,
    },
    sections: [
      {
        type: 'fields',
        label: 'Customer',
        fields: [
          { label: 'Total spent', value: moneyIn(customer.amountSpent), format: 'money', bold: true },
          { label: 'Orders', value: customer.numberOfOrders },
          { label: 'Customer since', value: customer.createdAt, format: 'date' },
          { label: 'City', value: defaultAddress?.city },
          { label: 'Tags', value: customer.tags?.join(', ') || null },
        ],
      },
      {
        type: 'table',
        label: 'Latest orders',
        columns: [
          { key: 'order', label: 'Order' },
          { key: 'date', label: 'Date', format: 'date' },
          { key: 'total', label: 'Total', format: 'money' },
          { key: 'payment', label: 'Payment', format: 'badge' },
          { key: 'delivery', label: 'Delivery', format: 'badge' },
        ],
        rows: orders?.nodes.map((order) => ({
          url: adminUrl(shop, 'orders', order.id),
          values: {
            order: order.name,
            date: order.createdAt,
            total: moneyIn(order.currentTotalPriceSet?.shopMoney),
            payment: humanise(order.displayFinancialStatus),
            delivery: humanise(order.displayFulfillmentStatus),
          },
        })),
      },
    ],
  }
}

const moneyIn = (money: z.output<typeof Money>) => moneyOf(money?.amount, money?.currencyCode)

/** Ids have the form `gid://shopify/Customer/544365967`. */
function adminUrl(shop: string, kind: 'customers' | 'orders', id: string): string | null {
  const number = /\/(\d+)$/.exec(id)?.[1]
  return number ? `https://${shop}/admin/${kind}/${number}` : null
}
