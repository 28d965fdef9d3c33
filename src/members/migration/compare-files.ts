import { isPending } from '../catch-up.ts'
import type { ClassSchema } from '../class-schema.ts'
import { type DescribedFile, FILE_SETTING } from '../described.ts'
import { fileChanges } from './file-changes.ts'
import type { Migration } from './migration.ts'
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
  return {
    kinds: fileChanges(stored, shapes, read<DescribedFile>(FILE_SETTING)),
    converting: stored.flatMap(({ name: className, layout, isShared }) =>
      layout !== undefined && (isPending(layout) || layout.isConverting)
        ? { className, percent: isShared ? (conversion?.progress[className] ?? 0) : undefined }
        : [],
    ),
  }
}

/** The setting in which the host that converts members says how far it is. */
const CONVERSION_SETTING = 'conversion'
