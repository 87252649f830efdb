export { createApiKey, revokeApiKey } from './api-keys.ts'
export { selectKeysOf as listApiKeys } from './queries.ts'
export { type ApiKeyAuthenticator, createApiKeyAuthenticator } from './authenticator.ts'
export { apiKeyPages } from './pages.ts'
