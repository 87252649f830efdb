import { describe, expect, test } from 'vitest'

import type { ContextRequest } from '../../../test/harness/peers/context-server.ts'
import { contextContract, type ContextFixture, openContextFixture } from './contract.ts'

const customer = {
  customerNumber: 17,
  name: 'Mikkel Dahl',
  email: 'post@dahl.example',
  currency: 'DKK',
  city: 'Aarhus',
  corporateIdentificationNumber: '12345674',
  telephoneAndFaxNumber: '+45 20112233',
  balance: 1250.5,
  dueAmount: 250,
}
const invoices = [
  {
    bookedInvoiceNumber: 31,
    date: '2026-11-01',
    dueDate: '2999-01-01',
    currency: 'DKK',
    grossAmount: 1000.5,
    remainder: 1000.5,
  },
  {
    bookedInvoiceNumber: 30,
    date: '2020-10-01',
    dueDate: '2020-10-15',
    currency: 'DKK',
    grossAmount: 250,
    remainder: 250,
  },
  {
    bookedInvoiceNumber: 29,
    date: '2020-09-01',
    dueDate: '2020-09-15',
    currency: 'DKK',
    grossAmount: 80,
    remainder: 0,
  },
]

const system =
  (customers: unknown[]) =>
  ({ path }: ContextRequest) => {
    if (path === '/self') return { agreementNumber: 123456 }
    return { collection: path.startsWith('/customers?') ? customers : invoices }
  }

const stage: ContextFixture = {
  account: () => ({ provider: 'economic', appSecretToken: 'app', agreementGrantToken: 'grant' }),
  found: system([customer]),
  nobody: system([{ ...customer, telephoneAndFaxNumber: '120112233', mobilePhone: '2011223' }, null]),
}

describe('e-conomic', () => {
  contextContract(stage)

  test('shows what the customer owes, and whether each invoice is paid', async () => {
    const { lookUp, server } = await openContextFixture({ ...stage, answer: stage.found })
    expect(await lookUp()).toEqual({
      is: 'found',
      context: {
        provider: 'economic',
        label: 'Fixture',
        source: '123456',
        url: null,
        contact: {
          name: 'Mikkel Dahl',
          email: 'post@dahl.example',
          company_name: 'Mikkel Dahl',
          note: null,
        },
        sections: [
          {
            type: 'fields',
            label: 'Account',
            fields: [
              {
                label: 'Balance',
                value: { amount: '1250.50', currency: 'DKK' },
                format: 'money',
                bold: true,
              },
              { label: 'Due', value: { amount: '250.00', currency: 'DKK' }, format: 'money' },
              { label: 'Customer number', value: '17' },
              { label: 'VAT number', value: '12345674' },
              { label: 'City', value: 'Aarhus' },
            ],
          },
          expect.objectContaining({
            rows: [
              {
                values: {
                  invoice: '31',
                  date: '2026-11-01',
                  due_date: '2999-01-01',
                  amount: { amount: '1000.50', currency: 'DKK' },
                  status: 'Open',
                },
              },
              { values: expect.objectContaining({ invoice: '30', status: 'Overdue' }) },
              { values: expect.objectContaining({ invoice: '29', status: 'Paid' }) },
            ],
          }),
        ],
      },
    })
    const paths = server.asked.map(({ path, headers }) => {
      expect(headers).toMatchObject({ 'x-appsecrettoken': 'app', 'x-agreementgranttoken': 'grant' })
      return decodeURIComponent(path).replaceAll('+', ' ')
    })
    expect(paths.toSorted()).toEqual([
      '/customers?filter=telephoneAndFaxNumber$like:20112233$or:mobilePhone$like:20112233' +
        '$or:telephoneAndFaxNumber$like:20 11 22 33$or:mobilePhone$like:20 11 22 33&pagesize=20',
      '/invoices/booked?filter=customer.customerNumber$eq:17&sort=-date&pagesize=5',
      '/self',
    ])
  })
})
