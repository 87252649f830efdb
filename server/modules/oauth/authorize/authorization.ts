import type { ClientRow } from '../clients/client-queries.ts'
import { unknownClient } from '../clients/clients.ts'
import { OAuthError } from '../errors.ts'
import { type Parameters, refuseRepeatedParameters, requireParameter } from './parameters.ts'
import { withParameters } from './redirect-uris.ts'
import { type Audience, audienceAskedFor, scopeIsAllowed } from './scope-and-resource.ts'

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: ClientRow
  redirectUri: string
  codeChallenge: string
  audience: Audience
  /** The redirect URI with these parameters. */
  backWith(answer: Record<string, string>): string
}

/** An error that is returned to the client at its redirect URI. */
export class ReturnedError extends Error {
  readonly location: string

  constructor({ code, description }: OAuthError, backWith: AuthorizationRequest['backWith']) {
    super(description)
    this.location = backWith({ error: code, error_description: description })
  }
}

interface Asked {
  parameters: Parameters
  issuer: string
}

/** In this order, once client and redirect URI are validated. */
const CHECKS = [
  eachParameterStandsOnce,
  responseTypeIsCode,
  stateIsThere,
  scopeIsGranted,
  challengeIsThere,
  challengeIsS256,
  resourceIsOurs,
]

/** Client and redirect URI come first: before both are validated, there is no redirect. */
export async function checkAuthorization(
  asked: Asked,
  findClient: (clientId: string) => Promise<ClientRow | undefined>,
): Promise<AuthorizationRequest> {
  const { parameters, issuer } = asked
  const client = await findClient(requireParameter(parameters, 'client_id'))
  if (!client) throw unknownClient()
  const redirectUri = registeredRedirectUri(client, requireParameter(parameters, 'redirect_uri'))
  const backWith = (answer: Record<string, string>) =>
    withParameters(redirectUri, { ...answer, ...soleState(parameters), iss: issuer })
  try {
    for (const check of CHECKS) check(asked)
  } catch (error) {
    throw error instanceof OAuthError ? new ReturnedError(error, backWith) : error
  }
  return {
    client,
    redirectUri,
    codeChallenge: requireParameter(parameters, 'code_challenge'),
    audience: audienceAskedFor(parameters, issuer) ?? 'everything',
    backWith,
  }
}

/** Exact comparison, including the port of a loopback address: only registered URIs are redirected to. */
function registeredRedirectUri(client: ClientRow, redirectUri: string): string {
  if (client.redirect_uris.includes(redirectUri)) return redirectUri
  throw new OAuthError('invalid_request', 'The redirect_uri is not one that this client has registered.')
}

/** With two states it is unknown which one is the client's. */
function soleState(parameters: Parameters): { state?: string } {
  const [state, ...more] = parameters.getAll('state')
  return state && more.length === 0 ? { state } : {}
}

function eachParameterStandsOnce({ parameters }: Asked): void {
  refuseRepeatedParameters(parameters)
}

function responseTypeIsCode({ parameters }: Asked): void {
  if (requireParameter(parameters, 'response_type') !== 'code') throw mustBe('response_type', 'code')
}

function stateIsThere({ parameters }: Asked): void {
  requireParameter(parameters, 'state')
}

function scopeIsGranted({ parameters }: Asked): void {
  scopeIsAllowed(requireParameter(parameters, 'scope'))
}

function challengeIsThere({ parameters }: Asked): void {
  const challenge = requireParameter(parameters, 'code_challenge')
  // A SHA-256 has 32 bytes, which are 43 characters of base64url.
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw mustBe('code_challenge', 'the base64url SHA-256 of the code verifier')
  }
}

function challengeIsS256({ parameters }: Asked): void {
  if (requireParameter(parameters, 'code_challenge_method') !== 'S256')
    throw mustBe('code_challenge_method', 'S256')
}

function resourceIsOurs({ parameters, issuer }: Asked): void {
  audienceAskedFor(parameters, issuer)
}

const mustBe = (name: string, value: string) =>
  new OAuthError('invalid_request', `The parameter ${name} must be ${value}.`)
