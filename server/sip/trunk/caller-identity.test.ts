import { describe, expect, test } from 'vitest'

import { loopbackTrunk } from '../../../test/harness/sip/agent.ts'
import { printAddress } from '../message/grammar/address.ts'
import { type CallerId, identify } from './caller-identity.ts'
import type { TrunkConfig } from './config.ts'

const NUMBER = '+4570112233'
const ACCOUNT = { credentials: { username: 'acme', password: 'secret' }, from: 'account' } as const
const CARRIER = { domain: 'carrier.example' }

function shown(config: Partial<TrunkConfig>, caller: Omit<CallerId, 'number'> = {}) {
  const { from, headers } = identify(loopbackTrunk('carrier', 5060, config), { number: NUMBER, ...caller })
  return { from: printAddress(from), ...headers }
}

describe('a carrier sees', () => {
  test('the number at its first host, unless a domain is configured', () => {
    expect(shown({})).toEqual({ from: '<sip:+4570112233@127.0.0.1>' })
    expect(shown(CARRIER)).toEqual({ from: '<sip:+4570112233@carrier.example>' })
  })

  test('the number in its own format', () => {
    const style = {
      style: 'national',
      countryCode: '45',
      nationalPrefix: '0',
      internationalPrefix: '00',
    } as const
    expect(shown({ ...CARRIER, numberFormat: style, identity: 'asserted' })).toEqual({
      from: '<sip:070112233@carrier.example>',
      'p-asserted-identity': '<sip:070112233@carrier.example>',
    })
  })

  test('the account, and the number in the field of RFC 3325 that it wants', () => {
    expect(shown({ ...CARRIER, ...ACCOUNT, identity: 'preferred' })).toEqual({
      from: '<sip:acme@carrier.example>',
      'p-preferred-identity': '<sip:+4570112233@carrier.example>',
    })
    const registration = { user: 'acme-1', domain: 'carrier.example', seconds: 600 }
    expect(shown({ ...CARRIER, ...ACCOUNT, registration })).toEqual({ from: '<sip:acme-1@carrier.example>' })
  })

  test('who a caller is who withholds the number, and that it must not tell (RFC 3323)', () => {
    const withheld = { isWithheld: true }
    expect(shown(CARRIER, withheld)).toEqual({
      from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
      'p-preferred-identity': '<sip:+4570112233@carrier.example>',
      privacy: 'id',
    })
    expect(shown({ ...CARRIER, identity: 'asserted' }, withheld)).toMatchObject({
      'p-asserted-identity': '<sip:+4570112233@carrier.example>',
    })
    expect(shown({ ...CARRIER, ...ACCOUNT, identity: 'preferred' }, withheld)).toEqual({
      from: '<sip:acme@carrier.example>',
      'p-preferred-identity': '<sip:+4570112233@carrier.example>',
      privacy: 'id',
    })
  })
})
