import type { Client } from 'hydrant-client'
import type { Addresses } from '../addresses.ts'
import type { PlainResult } from '../representation.ts'

/** A JSON Schema, written out: each of its tokens is paid for in every conversation. */
export type ToolSchema = Readonly<Record<string, unknown>>

/** The dependencies of every tool. */
export interface ToolApi {
  readonly client: Client
  readonly addresses: Addresses
  /** `--read-only`: nothing can be changed, so nothing is offered as if it could. */
  readonly isReadOnly: boolean
}

/** `args` have been validated against `input`. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  /** Whether it may write: such tools are left out with `--read-only`. */
  readonly writes: boolean
  readonly input: ToolSchema
  readonly output: ToolSchema
  run(api: ToolApi, args: never, signal: AbortSignal): Promise<PlainResult>
}

export const TEXT = { type: 'string' }
export const TEXTS = { type: 'array', items: TEXT }
export const ANY_OBJECT = { type: 'object' }

export const object = (
  properties: Readonly<Record<string, ToolSchema>>,
  required: readonly string[] = [],
): ToolSchema => ({ type: 'object', properties, ...(required.length > 0 && { required }) })

/** A misspelt argument is refused, not ignored. */
export const closed = (
  properties: Readonly<Record<string, ToolSchema>>,
  required: readonly string[] = [],
): ToolSchema => ({ ...object(properties, required), additionalProperties: false })
