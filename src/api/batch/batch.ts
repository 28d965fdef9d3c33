import { badRequest, fault, unavailable } from '../../errors.ts'
import type { Routes } from '../../http/index.ts'
import { batchContext } from '../../vocabulary/index.ts'
import { isProblem, toHttpError } from '../problems/index.ts'
import { decode, mediaTypeFor, preferenceApplied, readPreferences, requireMediaType } from '../request.ts'
import { resource } from '../resource.ts'
import type { Respond } from '../respond.ts'
import type { Resource, ResourceParts } from '../types.ts'
import { atOperation, readOperations } from './operations.ts'
import { createResults, type Result } from './results.ts'
import { createRunAll, type Run } from './run.ts'
import type { Work } from './turns.ts'

interface BatchParts extends Pick<ResourceParts, 'base' | 'model' | 'store' | 'batchLimits' | 'onFault'> {
  readonly respond: Respond
  /** The resources that operations may target, as the same user sees them. */
  readonly routes: Routes<Resource>
  /** The work of a batch of a user. */
  readonly workOf: (user: string) => Work
}

/** How long the operations of a lenient batch may take that get 503: a database that is away would hold up each of a thousand. */
const MAX_FAILING_MS = 3_000
const notTried = () => unavailable('This was not tried, since those before it got 503; try again shortly.', 1)

/** `{base}/batch`: operations on members, all or none of them (live.md, Many at once). */
export function batch(parts: BatchParts): Resource {
  const { base, respond, batchLimits, onFault, workOf } = parts
  const before = `{"@context":${JSON.stringify(batchContext(base))},"@type":"OperationBatch","operation":`
  const runAll = createRunAll(parts)

  return resource({
    POST: async ({ request, principal }) => {
      const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
      if (match !== undefined || noneMatch !== undefined)
        throw badRequest('A batch has no ETag; give ifMatch or ifNoneMatch with each operation.')
      const mediaType = mediaTypeFor(request)
      const { lenient } = readPreferences(request)
      requireMediaType(request, 'member')
      const body = decode(await request.readBody(batchLimits.bytes))
      const work = workOf(String(principal?.number ?? request.address))
      const sent = await work.inLine(() =>
        readOperations(body, { most: batchLimits.operations, base, pause: work.pause }),
      )
      const run = { sent, principal, references: new Map(), work }
      const results = await (lenient ? runEach(run) : runAll({ ...run, errorAt: atOperation }))
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
  async function runEach(run: Omit<Run, 'errorAt'>): Promise<readonly Result[]> {
    const results = createResults(run.sent.length, Buffer.byteLength(before) + 3)
    let failingMs = 0
    for (const one of run.sent) {
      const started = performance.now()
      try {
        if (failingMs > MAX_FAILING_MS) throw notTried()
        for (const result of await runAll({ ...run, sent: [one], errorAt: (error) => error }))
          results.add(result)
      } catch (error) {
        // Others have been carried out by now, and their client must learn of them: 500 is the result of this one alone.
        const failure = isProblem(error) ? toHttpError(error) : fault(error, onFault)
        results.fail(failure, one.index)
        if (failure.status === 503) failingMs += performance.now() - started
      }
    }
    return results.all
  }
}
