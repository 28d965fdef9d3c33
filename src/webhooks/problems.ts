import { problemsOf, unplacedOf } from '../problem.ts'
import type { AddressReach } from './addresses.ts'

/** Problems of a list of webhooks. Values that may be secret are never repeated: so neither addresses nor secrets are. */
export interface WebhookProblems {
  /** The list is something else. */
  WebhooksNotAList: object
  MissingWebhookKey: { readonly key: string }
  InvalidWebhookName: object
  /** `by`: another webhook of the list, or a follower of the program. */
  DuplicateWebhookName: { readonly name: string; readonly by: 'webhook' | 'follower' }
  InvalidWebhookUrl: object
  /** `part`: what the address must not have. */
  UnusableWebhookUrl: { readonly part: 'user' | 'fragment' }
  PlainHttpWebhook: object
  WebhookAddressNotAllowed: { readonly address: string; readonly reach: AddressReach }
  /** `name`: undefined if the file does not have a text there. */
  NotAWebhookClass: { readonly name: string | undefined; readonly known: readonly string[] }
  NoWebhookClass: object
  DuplicateWebhookClass: { readonly name: string }
  UnknownInclude: object
  /** `systemCode`: such as ENOENT. */
  WebhookSecretUnreadable: { readonly path: string; readonly systemCode: string | undefined }
  WrongWebhookSecretCount: { readonly path: string; readonly lines: number }
  InvalidWebhookSecret: { readonly path: string; readonly line: number }
  WebhookSecretLength: {
    readonly path: string
    readonly line: number
    readonly bytes: number
    readonly least: number
    readonly most: number
  }
}

/** Without a place, which only the reader of the list knows. */
export const webhookProblem = unplacedOf<WebhookProblems>()

/** Why an attempt to deliver an event has failed. `host`: the receiver's; the rest of its address may be secret. */
export interface DeliveryProblems {
  /** `systemCode`: such as ENOTFOUND. */
  ReceiverNotFound: { readonly host: string; readonly systemCode: string }
  ReceiverNotAllowed: { readonly host: string; readonly address: string; readonly reach: AddressReach }
  /** `systemCode`: of the connection or of TLS, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
  ReceiverUnreachable: { readonly host: string; readonly systemCode: string }
  ReceiverSilent: { readonly host: string; readonly seconds: number }
  /** The service has closed before there was a response. */
  DeliveryCutOff: { readonly host: string }
  ReceiverRedirects: { readonly host: string; readonly status: number }
  ReceiverRefuses: { readonly host: string; readonly status: number }
  /** 410: the receiver wants no more events. */
  ReceiverGone: { readonly host: string }
}

export const deliveryProblem = problemsOf<DeliveryProblems>()
