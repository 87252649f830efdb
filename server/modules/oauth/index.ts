export {
  ACCESS_TOKEN_GONE,
  type AccessTokenAuthenticator,
  accessTokenId,
  createAccessTokenAuthenticator,
  type TokenUse,
} from './authenticator.ts'
export { type ClientFinder, createClientFinder } from './client-metadata.ts'
export { registerFirstPartyClient } from './clients.ts'
export { issuerOf } from './issuer.ts'
export { cleanUpOauth, oauthJobs } from './jobs.ts'
export { RESOURCE_METADATA_PATH } from './metadata.ts'
export { connectedAppPages } from './connected-apps-page.ts'
export { oauthPages } from './pages.ts'
export { serveOauth } from './routes.ts'
