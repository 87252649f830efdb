import { describe, expect, test } from 'vitest'

import { contextContract, type ContextFixture, openContextFixture } from './contract.ts'

const customer = {
  id: 'gid://shopify/Customer/544365967',
  displayName: 'Mikkel Dahl',
  note: 'Rides a cargo bike',
  createdAt: '2024-03-01T10:00:00Z',
  numberOfOrders: '7',
  tags: ['wholesale', 'b2b'],
  amountSpent: { amount: '1234.50', currencyCode: 'DKK' },
  defaultEmailAddress: { emailAddress: 'mikkel@example.com' },
  defaultPhoneNumber: { phoneNumber: '+4520112233' },
  defaultAddress: { company: 'Dahl ApS', phone: null, city: 'Aarhus' },
  orders: {
    nodes: [
      {
        id: 'gid://shopify/Order/1001',
        name: '#1001',
        createdAt: '2026-10-31T08:00:00Z',
        displayFinancialStatus: 'PARTIALLY_PAID',
        displayFulfillmentStatus: 'UNFULFILLED',
        currentTotalPriceSet: { shopMoney: { amount: '99.00', currencyCode: 'DKK' } },
      },
      { id: 7, name: 'not an order' },
    ],
  },
}
const answerWith = (...nodes: unknown[]) => ({ data: { customers: { nodes } } })

const stage: ContextFixture = {
  account: () => ({ provider: 'shopify', shop: 'nordlys.myshopify.com', accessToken: 'shpat_1' }),
  found: () => answerWith(customer),
  // The search also finds numbers with the same beginning.
  nobody: () => answerWith({ ...customer, defaultPhoneNumber: { phoneNumber: '+4520112234' } }),
}

describe('shopify', () => {
  contextContract(stage)

  test('shows who the customer is, what they spent and what they ordered', async () => {
    const { lookUp, server } = await openContextFixture({ ...stage, answer: stage.found })
    expect(await lookUp()).toEqual({
      is: 'found',
      context: {
        provider: 'shopify',
        label: 'Fixture',
        source: 'nordlys.myshopify.com',
        url: 'https://nordlys.myshopify.com/admin/customers/544365967',
        contact: {
          name: 'Mikkel Dahl',
          email: 'mikkel@example.com',
          company_name: 'Dahl ApS',
          note: 'Rides a cargo bike',
        },
        sections: [
          {
            type: 'fields',
            label: 'Customer',
            fields: [
              {
                label: 'Total spent',
                value: { amount: '1234.50', currency: 'DKK' },
                format: 'money',
                bold: true,
              },
              { label: 'Orders', value: '7' },
              { label: 'Customer since', value: '2024-03-01T10:00:00Z', format: 'date' },
              { label: 'City', value: 'Aarhus' },
              { label: 'Tags', value: 'wholesale, b2b' },
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
            rows: [
              {
                url: 'https://nordlys.myshopify.com/admin/orders/1001',
                values: {
                  order: '#1001',
                  date: '2026-10-31T08:00:00Z',
                  total: { amount: '99.00', currency: 'DKK' },
                  payment: 'Partially paid',
                  delivery: 'Unfulfilled',
                },
              },
            ],
          },
        ],
      },
    })
    const [{ path, headers, body }] = server.asked as [(typeof server.asked)[0]]
    expect(path).toBe('/admin/api/2026-10/graphql.json')
    expect(headers['x-shopify-access-token']).toBe('shpat_1')
    expect(JSON.parse(body).variables).toEqual({ query: 'phone:"+4520112233"' })
  })

  test('a customer who is displayed by an e-mail address has no name', async () => {
    const { lookUp } = await openContextFixture({
      ...stage,
      answer: () => answerWith({ ...customer, displayName: 'mikkel@example.com' }),
    })
    expect(await lookUp()).toMatchObject({ is: 'found', context: { contact: { name: null } } })
  })

  test('errors in place of data are a failure', async () => {
    const { lookUp } = await openContextFixture({
      ...stage,
      answer: () => ({ errors: [{ message: 'Access denied' }], data: { customers: null } }),
    })
    expect(await lookUp()).toMatchObject({ is: 'failed', why: 'malformed' })
  })
})
