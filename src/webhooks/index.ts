/** Webhooks: followers that send every change of some classes to an address (library.md, Webhooks). */
export type { WebhookDeclaration } from './declaration.ts'
export { readWebhooks, type Webhook } from './list.ts'
export { createWebhook } from './webhook.ts'
