import assert from 'node:assert/strict'
import type { Json } from '../signed-in.ts'
import type { Writer } from '../writing.ts'

export interface Result {
  readonly status: number
  readonly location?: string
  readonly etag?: string
  readonly type?: string
  readonly detail?: string
  readonly violations?: readonly { readonly propertyPath: string; readonly code: string }[]
  readonly furtherViolations?: number
}

export const LENIENT = { Prefer: 'handling=lenient' }

export type Operation = readonly [method: string, target: unknown, more?: Json]

export const operations = (all: readonly Operation[]) => ({
  operation: all.map(([method, target, more]) => ({ method, target, ...more })),
})

export async function carryOut(writer: Writer, all: readonly Operation[], headers = {}): Promise<Result[]> {
  const response = await writer.post('/batch', operations(all), headers)
  assert.equal(response.status, 200, response.body)
  return (response.json() as { operation: Result[] }).operation
}

/** Everything that is stored, as it is served. */
export const everything = async ({ get }: Writer) =>
  Promise.all(
    ['/authors', '/books'].map(async (path) => {
      const { member, totalItems } = (await get(path)).json()
      return { member, totalItems }
    }),
  )

export const body = (values: Json): Json => ({ body: values })
