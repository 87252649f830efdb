export { createWebhookDelivery, type WebhookDelivery } from './delivery/delivery.ts'
export { recordEvent, recordSealedEvent } from './outbox.ts'
export { webhookRoutes } from './routes.ts'
