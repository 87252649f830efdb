import { describe, expect, test } from 'vitest'

import { contextContract, type ContextFixture, openContextFixture } from './contract.ts'

const order = {
  id: 727,
  number: '727',
  status: 'on-hold',
  currency: 'DKK',
  total: '29.35',
  date_created_gmt: '2026-10-22T19:28:02',
  customer_id: 26,
  billing: {
    first_name: 'Mikkel',
    last_name: 'Dahl',
    company: '',
    email: 'mikkel@example.com',
    phone: '20 11 22 33',
    city: 'Aarhus',
  },
}

const stage: ContextFixture = {
  account: (url) => ({
    provider: 'woocommerce',
    url: `${url}/shop/`,
    consumerKey: 'ck_1',
    consumerSecret: 'cs_2',
  }),
  found: () => [order],
  nobody: () => [{ ...order, billing: { ...order.billing, phone: '20112234' } }, { id: 'not an order' }],
}

describe('woocommerce', () => {
  contextContract(stage)

  test('shows who ordered what, newest first, each order once', async () => {
    const older = {
      ...order,
      id: 700,
      number: '700',
      status: 'completed',
      billing: { ...order.billing, first_name: 'M' },
    }
    const { lookUp, server } = await openContextFixture({ ...stage, answer: () => [older, order] })
    expect(await lookUp()).toEqual({
      is: 'found',
      context: {
        provider: 'woocommerce',
        label: 'Fixture',
        source: new URL(server.url).host,
        url: `${server.url}/shop/wp-admin/user-edit.php?user_id=26`,
        contact: { name: 'Mikkel Dahl', email: 'mikkel@example.com', company_name: null, note: null },
        sections: [
          {
            type: 'fields',
            label: 'Customer',
            fields: [
              { label: 'Account', value: 'Registered', format: 'badge' },
              { label: 'City', value: 'Aarhus' },
            ],
          },
          expect.objectContaining({
            type: 'table',
            rows: [
              {
                url: `${server.url}/shop/wp-admin/post.php?post=727&action=edit`,
                values: {
                  order: '#727',
                  date: '2026-10-22T19:28:02Z',
                  total: { amount: '29.35', currency: 'DKK' },
                  status: 'On hold',
                },
              },
              expect.objectContaining({ values: expect.objectContaining({ order: '#700' }) }),
            ],
          }),
        ],
      },
    })
    const searched = server.asked.map(({ path, headers }) => {
      expect(headers.authorization).toBe(`Basic ${Buffer.from('ck_1:cs_2').toString('base64')}`)
      const url = new URL(path, server.url)
      expect(url.pathname).toBe('/shop/wp-json/wc/v3/orders')
      return url.searchParams.get('search')
    })
    expect(new Set(searched)).toEqual(new Set(['20112233', '20 11 22 33']))
  })
})
