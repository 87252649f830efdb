export { createApiKey, revokeApiKey } from './api-keys.ts'
export { selectKeysOf as listApiKeys } from './queries.ts'
export {
  API_KEY_DELETED_CHANNEL,
  type ApiKeyAuthenticator,
  createApiKeyAuthenticator,
} from './authenticator.ts'
export { apiKeyId } from './key-text.ts'
export { apiKeyPages } from './pages.ts'
