export { createWebhookDelivery, type WebhookDelivery } from './delivery/delivery.ts'
export { countOlderEvents, sealedEvents } from './reseal-queries.ts'
export { recordEvent, recordSealedEvent } from './outbox.ts'
export { webhookRoutes } from './routes.ts'
