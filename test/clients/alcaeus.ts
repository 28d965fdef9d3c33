import assert from 'node:assert/strict'
import formats from '@rdfjs/formats'
import rdf from '@zazuko/env'
import Environment from '@zazuko/env/Environment.js'
import alcaeus, { type Collection, type HydraResponse, type Resource, type RuntimeOperation } from 'alcaeus'

export type { Collection, Resource, RuntimeOperation }

/** The client as its README sets it up, given nothing but the token. */
export function createAlcaeus(token: string) {
  const env = new Environment(alcaeus(), { parent: rdf })
  env.formats.import(formats)
  env.hydra.defaultHeaders = { 'X-Authorization': token }
  return env
}

export type Alcaeus = ReturnType<typeof createAlcaeus>

/** What the client takes for the answer to its request. */
export function rootOf<T extends Resource = Resource>({ representation, response }: HydraResponse): T {
  const root = representation?.root
  assert.ok(root, `${response?.requestedUri} was answered with ${response?.xhr.status}, and without a root`)
  return root as T
}

export async function load<T extends Resource = Resource>(client: Alcaeus, address: string): Promise<T> {
  return rootOf<T>(await client.hydra.loadResource(address))
}

export const statusOf = ({ response }: HydraResponse): number | undefined => response?.xhr.status

/** The one operation of a resource with this method. */
export function operationOf(
  resource: Pick<Resource, 'id' | 'findOperations'>,
  method: string,
): RuntimeOperation {
  const [operation, ...others] = resource.findOperations({ byMethod: method })
  assert.ok(operation, `${resource.id.value} has no operation with ${method}`)
  assert.deepEqual(others, [], `${resource.id.value} has several operations with ${method}`)
  return operation
}
