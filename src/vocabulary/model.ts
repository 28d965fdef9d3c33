import type { DatatypeName } from './datatypes.ts'

/**
 * The vocabulary that an API file describes: complete, checked and free of the base URL.
 * Everything that is served is computed from it once, at start.
 */
export interface Model {
  readonly title: string
  readonly description: string
  readonly classes: readonly Class[]
}

export const OPERATIONS = ['list', 'create', 'read', 'update', 'replace', 'delete'] as const

export type Operation = (typeof OPERATIONS)[number]

export interface Class {
  readonly name: string
  /** A term of a public vocabulary; without one the class is `{base}/vocab#{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  /** The path segment of its collection. */
  readonly collection: string
  readonly properties: readonly Property[]
  readonly operations: ReadonlySet<Operation>
  /**
   * 48 bits over all that shapes a stored member's text. A row that carries another one was written
   * under another version of the API file, and is projected onto this one when it is read.
   */
  readonly fingerprint: number
}

export type Range =
  | { readonly kind: 'datatype'; readonly datatype: DatatypeName }
  /** A link to a member of another class of this model. */
  | { readonly kind: 'link'; readonly className: string; readonly collection: string }

export interface Property {
  readonly name: string
  /** A term of a public vocabulary; without one the property is `{base}/vocab#{Class}/{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  readonly range: Range
  readonly many: boolean
  readonly required: boolean
  readonly writable: boolean
  readonly unique: boolean
  readonly filterable: boolean
  readonly default: DefaultValue | undefined
  readonly constraints: Constraints
  /** The name that stored members know it by, where the API file has renamed it. */
  readonly was: string | undefined
}

/** `now` is the time of the creation; everything else is the value itself. */
export type DefaultValue = { readonly kind: 'now' } | { readonly kind: 'value'; readonly value: unknown }

export interface Constraints {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly (string | number)[]
}
