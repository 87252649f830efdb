import { z } from 'zod'

import {
  baseAddress,
  type Environment,
  list,
  OWN_ADDRESS,
  PORT_DESCRIPTION,
  variables,
  wholeNumber,
} from './variables.ts'

const CONNECTIONS = 'a number of connections from 1 to 1000000'

/** Where people and programs reach Bellhop, and which proxies and origins it trusts. */
export const http = variables({
  PORT: [wholeNumber(0, 65_535).default(3000), PORT_DESCRIPTION],
  HOST: [z.string().default('127.0.0.1'), OWN_ADDRESS],
  BELLHOP_BASE_URL: [
    baseAddress().optional(),
    'the http or https address at which people reach Bellhop, such as https://phone.example.com',
  ],
  BELLHOP_ALLOWED_ORIGINS: [
    list()
      .pipe(z.array(z.string().refine(isOrigin)))
      .default([]),
    'a list of web origins separated by commas, such as https://crm.example.com',
  ],
  HTTP_CONNECTIONS: [wholeNumber(1, 1_000_000).default(25_000), CONNECTIONS],
  HTTP_CONNECTIONS_PER_ADDRESS: [wholeNumber(1, 1_000_000).default(1_000), CONNECTIONS],
  HTTP_RECEIVE_SECONDS: [wholeNumber(1, 3_600).default(30), 'a number of seconds from 1 to 3600'],
  TRUSTED_PROXIES: [
    list()
      .pipe(z.array(z.union([z.literal('loopback'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
      .default(['loopback']),
    'addresses or networks, separated by commas, such as 10.0.0.5,192.168.0.0/16; or loopback',
  ],
})

export function readHttp(environment: Environment) {
  const given = http.read(environment)
  return {
    port: given.PORT,
    host: given.HOST,
    baseUrl: given.BELLHOP_BASE_URL,
    allowedOrigins: given.BELLHOP_ALLOWED_ORIGINS,
    trustedProxies: given.TRUSTED_PROXIES,
    connections: { total: given.HTTP_CONNECTIONS, perAddress: given.HTTP_CONNECTIONS_PER_ADDRESS },
    receiveMs: given.HTTP_RECEIVE_SECONDS * 1000,
  }
}

/** As browsers write it: `https://crm.example.com`, without a path. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
