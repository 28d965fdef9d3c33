import { createRouter, httpProblem, type Routes } from '../../http/index.ts'
import { Problem } from '../../problem.ts'
import { withUsualEncodings } from '../../text.ts'
import { readProblem, validationFailed } from '../problems/index.ts'
import type { Forbidden, Resource, WriteOperation, Writes } from '../types.ts'
import { invalidTarget } from './operations.ts'

/** The resource that an operation writes to, and the method. */
export interface OperationTarget {
  readonly method: WriteOperation | Forbidden
  readonly writes: Writes
  readonly id: string
  /** Decoded, relative to the base. */
  readonly path: string
}

/** live.md: relative to the base, or absolute below it; a collection, a member or a single resource. */
export function createFindTarget(
  base: string,
  routes: Routes<Resource>,
): (method: string, target: string) => OperationTarget {
  const route = createRouter('', routes, base)

  function routed(path: string) {
    try {
      return route(path)
    } catch (error) {
      if (!(error instanceof Problem) || readProblem(error).status !== 404) throw error
      throw validationFailed({ code: error.code, at: { property: 'target' }, values: error.values })
    }
  }

  return (name, target) => {
    const path = withUsualEncodings(target).startsWith(`${base}/`) ? target.slice(base.length) : `/${target}`
    // Schemes, blank nodes, queries and fragments have one of these characters; names of collections and ids do not.
    if (/[:?#]/.test(path)) throw invalidTarget()
    const { resource, id } = routed(path)
    const { writes, allow } = resource
    if (writes === undefined) throw invalidTarget()
    const method = writes.methods.get(name)
    if (method === undefined) throw httpProblem('MethodNotAllowed', { method: name, allow })
    return { method, writes, id, path: decodeURIComponent(path) }
  }
}
