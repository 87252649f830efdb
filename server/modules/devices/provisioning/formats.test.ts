import { expect, test } from 'vitest'

import { FORMATS, formatFor } from './formats.ts'
import type { PhoneSettings } from './phone-settings.ts'

const SETTINGS: PhoneSettings = {
  label: 'Desk',
  displayName: 'Anna "A" <Holm> & Co',
  username: 'u0123456789ab',
  password: 'abcdefghjkmnpqrstuvw',
  host: 'phone.example.com',
  port: 5061,
  transport: 'tls',
}

const write = (format: string, changes: Partial<PhoneSettings> = {}) =>
  FORMATS[format]!.write({ ...SETTINGS, ...changes })

/** The text of each element, by its name and index; throws for a document that is not well-formed. */
function elements(xml: string): Record<string, string> {
  const found: Record<string, string> = {}
  const open: string[] = []
  for (const [, close, name, text] of xml.matchAll(/<(\/?)([\w-]+)[^>]*>([^<]*)/g)) {
    if (close) expect(open.pop()).toBe(name)
    else {
      open.push(name!)
      found[name!] = unescape(text!)
    }
  }
  expect(open).toEqual([])
  return found
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescape = (text: string) => text.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name]!)

/** Key and value of each line `key = value`. */
const lines = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => line.split(/ = (.*)/, 2)),
  )

/** The entries of each section. */
const entries = (xml: string) =>
  Object.fromEntries(
    [...xml.matchAll(/<entry name="(\w+)" overwrite="true">([^<]*)<\/entry>/g)].map(([, key, value]) => [
      key,
      unescape(value!),
    ]),
  )

test('Linphone gets the keys of its provisioning', () => {
  const xml = write('linphone')
  elements(xml)
  expect(xml).toContain('xmlns="http://www.linphone.org/xsds/lpconfig.xsd"')
  expect([...xml.matchAll(/<section name="(\w+)"/g)].map(([, name]) => name)).toEqual([
    'sip',
    'proxy_0',
    'auth_info_0',
    'misc',
  ])
  expect(entries(xml)).toMatchObject({
    media_encryption: 'srtp',
    reg_proxy: '<sip:phone.example.com:5061;transport=tls>',
    reg_identity: '"Anna \\"A\\" <Holm> & Co" <sip:u0123456789ab@phone.example.com>',
    reg_sendregister: '1',
    transient_provisioning: '1',
    username: 'u0123456789ab',
    passwd: 'abcdefghjkmnpqrstuvw',
    domain: 'phone.example.com',
  })
  expect(entries(write('linphone', { transport: 'udp' }))).toMatchObject({ media_encryption: 'none' })
})

test('Yealink gets the keys of its administrator guide', () => {
  const text = write('yealink')
  expect(text.split('\n')[0]).toBe('#!version:1.0.0.1')
  expect(lines(text)).toEqual({
    'account.1.enable': '1',
    'account.1.label': 'Desk',
    'account.1.display_name': SETTINGS.displayName,
    'account.1.auth_name': 'u0123456789ab',
    'account.1.user_name': 'u0123456789ab',
    'account.1.password': 'abcdefghjkmnpqrstuvw',
    'account.1.sip_server.1.address': 'phone.example.com',
    'account.1.sip_server.1.port': '5061',
    'account.1.sip_server.1.transport_type': '2',
    'account.1.sip_server.1.expires': '600',
    'account.1.srtp_encryption': '1',
    'account.1.subscribe_mwi': '1',
    'account.1.subscribe_mwi_expires': '3600',
  })
  const plain = lines(write('yealink', { transport: 'udp', displayName: 'Anna\naccount.1.password = x' }))
  expect(plain).toMatchObject({
    'account.1.display_name': 'Anna account.1.password = x',
    'account.1.password': 'abcdefghjkmnpqrstuvw',
    'account.1.sip_server.1.transport_type': '0',
    'account.1.srtp_encryption': '0',
  })
})

test('Snom gets the settings of its first identity', () => {
  expect(elements(write('snom'))).toMatchObject({
    user_active: 'on',
    user_realname: SETTINGS.displayName,
    user_name: 'u0123456789ab',
    user_pname: 'u0123456789ab',
    user_pass: 'abcdefghjkmnpqrstuvw',
    user_host: 'phone.example.com',
    user_outbound: 'sip:phone.example.com:5061;transport=tls',
    user_srtp: 'on',
    user_savp: 'optional',
    user_mailbox: 'u0123456789ab',
  })
  expect(elements(write('snom', { transport: 'udp' }))).toMatchObject({ user_srtp: 'off', user_savp: 'off' })
})

test('Grandstream gets the numbers of its configuration template', () => {
  expect(elements(write('grandstream'))).toMatchObject({
    P271: '1',
    P47: 'phone.example.com:5061',
    P35: 'u0123456789ab',
    P36: 'u0123456789ab',
    P34: 'abcdefghjkmnpqrstuvw',
    P3: SETTINGS.displayName,
    P130: '2',
    P99: '1',
    P183: '1',
  })
  expect(elements(write('grandstream', { transport: 'udp' }))).toMatchObject({ P130: '0', P183: '0' })
})

test('Fanvil gets the elements of its first line', () => {
  expect(elements(write('fanvil'))).toMatchObject({
    PhoneNumber: 'u0123456789ab',
    DisplayName: SETTINGS.displayName,
    RegisterAddr: 'phone.example.com',
    RegisterPort: '5061',
    RegisterUser: 'u0123456789ab',
    RegisterPswd: 'abcdefghjkmnpqrstuvw',
    EnableReg: '1',
    Transport: '3',
    Subscribe: '1',
    SubExpire: '3600',
  })
  expect(elements(write('fanvil', { transport: 'udp' }))).toMatchObject({ Transport: '0' })
})

test.each([
  ['linphone', '', true],
  ['linphone', 'other.xml', false],
  ['yealink', '001565aabbcc.cfg', true],
  ['yealink', 'y000000000065.cfg', false],
  ['snom', 'snomD785-000413AABBCC.htm', true],
  ['snom', 'snomD785-firmware.htm', false],
  ['grandstream', 'cfg000b82aabbcc.xml', true],
  ['grandstream', 'cfg.xml', false],
  ['fanvil', '0c383eaabbcc.cfg', true],
  ['fanvil', 'f0X4hw1.0.cfg', false],
  ['constructor', '', false],
])('a phone of %s that asks for "%s" gets its settings: %s', (format, file, is) => {
  expect(formatFor(format, file) !== undefined).toBe(is)
})
