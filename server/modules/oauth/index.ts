export {
  ACCESS_TOKEN_DELETED_CHANNEL,
  type AccessTokenAuthenticator,
  accessTokenId,
  createAccessTokenAuthenticator,
  type TokenUse,
} from './token/authenticator.ts'
export { type ClientFinder, createClientFinder } from './clients/client-metadata.ts'
export { registerFirstPartyClient } from './clients/clients.ts'
export { issuerOf } from './issuer.ts'
export { cleanUpOauth, oauthJobs } from './jobs.ts'
export { RESOURCE_METADATA_PATH } from './metadata.ts'
export { connectedAppPages } from './pages/connected-apps-page.ts'
export { oauthPages } from './pages/pages.ts'
export { serveOauth } from './routes.ts'
