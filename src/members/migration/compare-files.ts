import { isPending } from '../catch-up.ts'
import type { ClassSchema } from '../class-schema.ts'
import { type DescribedFile, FILE_SETTING } from '../described.ts'
import { isOtherForm, type Layout, newestFormOf } from '../layout.ts'
import { fileChanges } from './file-changes.ts'
import type { ConvertingClass, Migration } from './migration.ts'
import type { StoredClass } from './plan.ts'
import type { MigrationStore } from './statements.ts'

/** For a dry run: compares the API file with the one before, and tells how far members are converted to that one. */
export async function compareFiles(
  { run, listClasses }: Pick<MigrationStore, 'run' | 'listClasses'>,
  shapes: readonly ClassSchema[],
): Promise<Pick<Migration, 'kinds' | 'converting'>> {
  const settings = new Map(
    await run<[name: string, value: string]>('SELECT name, value FROM settings WHERE name IN ($1, $2)', [
      ...[FILE_SETTING, CONVERSION_SETTING],
    ]),
  )
  const read = <T>(name: string): T | undefined => {
    const text = settings.get(name)
    return text === undefined ? undefined : (JSON.parse(text) as T)
  }
  const stored = await listClasses()
  const conversion = read<{ readonly progress: Readonly<Record<string, number>> }>(CONVERSION_SETTING)
  const converting: ConvertingClass[] = []
  for (const one of stored) {
    const { name: className, layout, isShared } = one
    if (layout === undefined || !(isPending(layout) || layout.isConverting)) continue
    const percent = isShared
      ? (conversion?.progress[className] ?? 0)
      : await percentConverted(run, one, layout)
    converting.push({ className, percent })
  }
  return { kinds: fileChanges(stored, shapes, read<DescribedFile>(FILE_SETTING)), converting }
}

/** With one process, only that process knows how far it is; the members show it, too. At the end it still looks at the rest. */
async function percentConverted(
  run: MigrationStore['run'],
  { name, members, total }: StoredClass,
  layout: Layout,
): Promise<number> {
  const newest = newestFormOf(layout, name)
  if (newest === undefined || total === 0) return 0
  const [row] = await run<[number | bigint]>(
    `SELECT count(*) FROM ${members} AS m WHERE ${isOtherForm(newest, 'm')}`,
  )
  return Math.min(99, Math.max(0, Math.floor(100 * (1 - Number(row?.[0] ?? 0) / total))))
}

/** The setting in which the host that converts members says how far it is. */
const CONVERSION_SETTING = 'conversion'
