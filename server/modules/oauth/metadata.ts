import { SCOPE } from './scope.ts'

/** RFC 8414: authorization server metadata. */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  registration_endpoint: `${issuer}/oauth/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: [SCOPE],
  // RFC 9207: every authorization response has the issuer, against mix-up attacks.
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

/** RFC 9728: protected resource metadata. */
export const resourceMetadata = (issuer: string, resource: string) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ['header'],
})

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
