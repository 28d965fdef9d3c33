import { HttpError } from '../errors.ts'
import { shapesOf } from '../members/shapes.ts'
import { createDocumentCutter } from '../transfer/document.ts'
import { importMembers } from '../transfer/importing.ts'
import { createLineCutter } from '../transfer/lines.ts'
import type { Tally } from '../transfer/tally.ts'
import { readApiFile } from '../vocabulary/read.ts'
import type { BulkConfig } from './bulk-settings.ts'
import { openSource } from './bulk-source.ts'
import { amount } from './bulk-summary.ts'
import { openAdopted } from './database.ts'
import { count, say } from './output.ts'
import { openProgress } from './progress.ts'

/** From the API file to the summary. Fails when a member was refused. */
export async function importData(file: string, data: string, config: BulkConfig): Promise<void> {
  const model = await readApiFile(file)
  const { chunks, size, name, shown } = await openSource(data)
  const store = await openAdopted(config.db, shapesOf(model), 'empty', { verb: 'import', file })
  const progress = await openProgress(size)
  const started = performance.now()
  let added = 0
  try {
    const tally = await importMembers({
      model,
      base: config.base,
      store: store.members,
      chunks,
      cutter: config.format === 'ndjson' ? createLineCutter() : createDocumentCutter(),
      file: name,
      now: Date.now,
      report: (line, sentence) => progress.print(`${shown}:${line}: ${sentence}`),
      progress(bytes, tally) {
        added = tally.added
        progress.update(bytes, `${amount(added)} added`)
      },
    })
    progress.stop()
    summarise(tally, (performance.now() - started) / 1_000, config.json)
  } catch (error) {
    throw error instanceof HttpError ? interrupted(error, added) : error
  } finally {
    progress.stop()
    await store.close()
  }
}

/** What the database cannot do right now: what was added before is there. */
const interrupted = ({ message }: HttpError, added: number) =>
  new Error(`${message} Before that ${amount(added)} were added; import the file again for the rest.`)

function summarise({ added, alreadyThere, refused }: Tally, seconds: number, json: boolean): void {
  const perSecond = Math.round(added / Math.max(seconds, 0.001))
  say(
    json,
    { added, alreadyThere, refused, seconds: Number(seconds.toFixed(3)), membersPerSecond: perSecond },
    `${amount(added)} added, ${amount(alreadyThere)} already there, ${amount(refused)} refused, ` +
      `in ${seconds.toFixed(1)} s (${amount(perSecond)} added per second).`,
  )
  if (refused === 0) return
  throw new Error(
    `${count(refused, 'member')} refused, for the reasons above; put them right where they stand and import the file ` +
      'again: what is there already is not added twice.',
  )
}
