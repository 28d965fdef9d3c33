import { HttpError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { MemberStore } from '../store/store.ts'
import type { Model } from '../vocabulary/model.ts'
import { addMembers } from './adding.ts'
import { createAddresses } from './addresses.ts'
import { type Aside, openAside } from './aside.ts'
import { createBatchSize } from './batch-size.ts'
import type { Cut } from './cutter.ts'
import { createDocumentCutter } from './document.ts'
import type { Format } from './format.ts'
import { createLineCutter } from './lines.ts'
import { placeAside } from './linking.ts'
import { createMemberReader, type ReadMember, type ReadPiece } from './member-reader.ts'
import { createRefusedMembers, type RefusedMembers } from './refused-members.ts'
import { asRefusal, type Report, refuse, type Tally } from './tally.ts'

export interface ImportParts {
  readonly model: Model
  /** Below which absolute addresses are those of members. */
  readonly base: string
  readonly store: MemberStore
  readonly chunks: AsyncIterable<Buffer>
  readonly format: Format
  /** The file's name without its folder: ids are derived from it. */
  readonly file: string
  readonly now: () => number
  readonly report: Report
  /** How many bytes have been read, and what has become of the members. */
  readonly progress: (bytes: number, tally: Tally) => void
}

/** Adds the members of bulk data, batch by batch; what links to members that come later is added after those. */
export async function importMembers(parts: ImportParts): Promise<Tally> {
  const { model, base, file, now, store, report } = parts
  const tally: Tally = { added: 0, alreadyThere: 0, refused: 0 }
  const readPiece = createMemberReader(model, base, file, now)
  const refused = createRefusedMembers(model, createAddresses(model, base))
  const aside = openAside()
  try {
    const { bytes, context } = await addAll(parts, readPiece, aside, refused, tally)
    const progress = () => parts.progress(bytes, tally)
    await placeAside({ store, aside, refused, tally, report, readPiece, context, progress })
    return tally
  } finally {
    aside.close()
  }
}

/** What was read: how much, and under which context where it was a document. */
interface Reading {
  readonly bytes: number
  readonly context: JsonValue | undefined
}

/** Everything once, in the order of the file. */
async function addAll(
  { chunks, format, store, report, progress }: ImportParts,
  readPiece: ReadPiece,
  aside: Aside,
  refused: RefusedMembers,
  tally: Tally,
): Promise<Reading> {
  const cutter = format === 'ndjson' ? createLineCutter() : createDocumentCutter()
  const size = createBatchSize()
  let batch: ReadMember[] = []
  let characters = 0
  let bytes = 0
  let context: JsonValue | undefined

  async function take(cut: Cut): Promise<void> {
    try {
      if ('problem' in cut) throw new HttpError(400, cut.problem)
      context = cut.context
      batch.push(await readPiece(cut))
      characters += cut.text.length
    } catch (error) {
      refuse(tally, report, cut.line, asRefusal(error))
      if ('text' in cut) refused.addText(cut.text, cut.line)
    }
    if (size.isFull(batch.length, characters)) await flush()
  }

  async function flush(): Promise<void> {
    const members = batch
    batch = []
    characters = 0
    if (members.length === 0) return
    const started = performance.now()
    const placings = await addMembers(store, members)
    size.took(members.length, performance.now() - started)
    placings.forEach((placing, index) => {
      const { piece, cls, id } = members[index] as ReadMember
      if (placing.outcome === 'added') tally.added++
      else if (placing.outcome === 'there') tally.alreadyThere++
      else if (placing.outcome === 'dangling') aside.add(piece, cls.name, id, placing.links)
      else {
        refuse(tally, report, piece.line, placing.error)
        refused.add(cls.name, id, piece.line)
      }
    })
    progress(bytes, tally)
  }

  for await (const chunk of chunks) {
    bytes += chunk.length
    for (const cut of cutter.push(chunk)) await take(cut)
  }
  for (const cut of cutter.end()) await take(cut)
  await flush()
  return { bytes, context }
}
