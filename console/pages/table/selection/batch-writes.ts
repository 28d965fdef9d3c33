import type { Batch, BatchResult, Client, Member } from 'hydrant-client'
import { sentenceOf } from '../../../shared/connection/index.ts'

export interface FailedRow {
  readonly iri: string
  readonly reason: string
}

/** Few enough for the limits of a server, and often enough to show progress. */
const AT_ONCE = 100

/** Writes each member on its own, in batches, and returns those that failed, with the reasons. */
export async function writeEach(
  client: Pick<Client, 'batch'>,
  members: readonly Member[],
  write: (batch: Batch, member: Member) => void,
  onProgress: (done: number) => void,
): Promise<readonly FailedRow[]> {
  const failed: FailedRow[] = []
  for (let start = 0; start < members.length; start += AT_ONCE) {
    const part = members.slice(start, start + AT_ONCE)
    onProgress(start)
    const reasons = await writePart(client, part, write)
    for (const [index, { iri }] of part.entries()) {
      const reason = reasons[index]
      if (reason !== undefined) failed.push({ iri, reason })
    }
  }
  return failed
}

/** Why each write failed; undefined for those that did not. */
async function writePart(
  client: Pick<Client, 'batch'>,
  part: readonly Member[],
  write: (batch: Batch, member: Member) => void,
): Promise<readonly (string | undefined)[]> {
  const collect = (batch: Batch) => {
    for (const member of part) write(batch, member)
  }
  try {
    const results = await client.batch(collect, { lenient: true })
    return part.map((_, index) => reasonOf(results[index]))
  } catch (error) {
    return part.map(() => sentenceOf(error))
  }
}

function reasonOf(result: BatchResult | undefined): string | undefined {
  if (result === undefined) return 'The API did not say what became of it.'
  const { status, detail } = result
  if (status < 300) return undefined
  if (status === 404 || status === 410) return 'Someone else has already deleted it.'
  if (status === 412) return 'Someone has changed it since you opened this page.'
  return detail ?? `The API answered with ${status}.`
}
