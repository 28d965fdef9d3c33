import type { Routes } from '../../http/index.ts'
import { Problem, problemAt } from '../../problem.ts'
import { batchContext } from '../../vocabulary/index.ts'
import type { Mirror } from '../accounts/dependencies.ts'
import { apiProblem, fault } from '../problems/index.ts'
import { decode, mediaTypeFor, preferenceApplied, readPreferences, requireMediaType } from '../request.ts'
import { resource } from '../resource.ts'
import type { Respond } from '../respond.ts'
import type { Resource, ResourceDependencies } from '../types.ts'
import { readOperations } from './operations.ts'
import type { BatchRun } from './prepare.ts'
import { createResults, type OperationResult } from './results.ts'
import { createRunAll } from './run.ts'
import type { Work } from './turns.ts'

interface BatchDependencies
  extends Pick<ResourceDependencies, 'base' | 'model' | 'store' | 'batchLimits' | 'onFault'> {
  readonly respond: Respond
  /** The resources that operations may target, as the same user sees them. */
  readonly routes: Routes<Resource>
  /** The work of a batch of a user. */
  readonly workOf: (user: string) => Work
  /** Where members link to accounts. */
  readonly inStep: Mirror | undefined
}

/**
 * Total time for operations of a lenient batch that end in 503: an unreachable database would delay each of a thousand.
 */
const MAX_FAILING_MS = 3_000
const notTried = () => apiProblem('OperationNotTried', { retryAfterSeconds: 1 })

/** `{base}/batch`: operations on members, all or none of them (live.md, Many at once). */
export function batch(dependencies: BatchDependencies): Resource {
  const { base, respond, batchLimits, onFault, workOf, inStep } = dependencies
  const before = `{"@context":${JSON.stringify(batchContext(base))},"@type":"OperationBatch","operation":`
  const runAll = createRunAll(dependencies)

  return resource({
    POST: async ({ request, principal }) => {
      const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
      if (match !== undefined || noneMatch !== undefined) throw apiProblem('BatchHasNoEtag')
      const mediaType = mediaTypeFor(request)
      const { lenient } = readPreferences(request)
      requireMediaType(request, 'member')
      await inStep?.()
      const body = decode(await request.readBody(batchLimits.bytes))
      const work = workOf(String(principal?.number ?? request.address))
      const sent = await work.inLine(() =>
        readOperations(body, { most: batchLimits.operations, base, pause: work.pause }),
      )
      const run = { sent, principal, references: new Map(), work }
      const results = await (lenient ? runEach(run) : runAll(run))
      const text = `${before}${JSON.stringify(results)}}`
      return respond.send(
        request,
        200,
        { mediaType, etag: undefined, body: () => text },
        lenient ? preferenceApplied('handling=lenient') : [],
      )
    },
  })

  /** `Prefer: handling=lenient`: runs each operation as a batch of its own; later ones know the names of earlier ones. */
  async function runEach(run: BatchRun): Promise<readonly OperationResult[]> {
    const results = createResults(run.sent.length, Buffer.byteLength(before) + 3, base)
    let failingMs = 0
    for (const one of run.sent) {
      const started = performance.now()
      try {
        if (failingMs > MAX_FAILING_MS) throw notTried()
        for (const result of await runAll({ ...run, sent: [one] })) results.add(result)
      } catch (error) {
        // Other operations have been carried out, and the client must get their results: only this one is 500.
        const problem = error instanceof Problem ? error : fault(error, onFault)
        const status = results.fail(problemAt(problem, { operation: one.index }))
        if (status === 503) failingMs += performance.now() - started
      }
    }
    return results.all
  }
}
