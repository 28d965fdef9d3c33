import type { Command } from 'commander'
import { SETTINGS } from '../settings.ts'
import type { Misfit } from '../store/store.ts'
import type { Model } from '../vocabulary/model.ts'
import type { Problem } from '../vocabulary/problems.ts'
import { isThere } from './database.ts'
import { count, example, say } from './output.ts'
import { addDataSettings, databaseOf, typed, wantsJson } from './settings.ts'

/** `hydrant check <api-file>`: whether a file can be served, before anything is. */
export function addCheck(program: Command): void {
  addDataSettings(
    program
      .command('check <api-file>')
      .description(
        'print every problem of an API file, what was completed in it, and the members of the database that it would refuse',
      ),
  )
    .addHelpText('after', example('hydrant check api.yaml', 'hydrant check api.yaml --db sqlite:library.db'))
    .action(async (file: string, _: unknown, command: Command) => {
      const [db, json] = [databaseOf(command), wantsJson(command)]
      const isNamed = typed(command, SETTINGS.db) !== undefined
      if (isNamed && !isThere(db))
        throw new Error(
          `There is no database at ${db.slice('sqlite:'.length)}; leave --db out, or name another.`,
        )
      const findings = await examine(file, isThere(db) ? db : undefined)
      say(json, report(file, findings), describe(file, findings))
      const { problems, misfits } = findings
      if (problems.length > 0)
        throw new Error(`${file} cannot be served: it has ${count(problems.length, 'problem')}.`)
      if (misfits !== undefined && misfits.length > 0)
        throw new Error(`${file} cannot be served with this database: it has members that do not fit.`)
    })
}

interface Findings {
  /** Undefined where there are problems. */
  readonly model: Model | undefined
  readonly problems: readonly Problem[]
  /** The problems for people, one a line. */
  readonly told: string
  readonly notes: readonly string[]
  /** Undefined where there was no database to look into. */
  readonly misfits: readonly Misfit[] | undefined
}

async function examine(file: string, db: string | undefined): Promise<Findings> {
  // All that reads API files and databases takes its time to load: --help does without.
  const { ApiFileError, readWithNotes } = await import('../vocabulary/read.ts')
  try {
    const { model, notes } = await readWithNotes(file)
    const misfits = db === undefined ? undefined : await findMisfits(model, db)
    return { model, notes, problems: [], told: '', misfits }
  } catch (error) {
    if (!(error instanceof ApiFileError)) throw error
    return { model: undefined, notes: [], problems: error.problems, told: error.message, misfits: undefined }
  }
}

async function findMisfits(model: Model, db: string): Promise<readonly Misfit[]> {
  const { rehearse } = await import('../store/open.ts')
  const { shapesOf } = await import('../resources/shapes.ts')
  return rehearse(db, shapesOf(model))
}

/** For programs. */
function report(file: string, { model, problems, notes, misfits }: Findings): object {
  return {
    file,
    servable: problems.length === 0 && (misfits ?? []).length === 0,
    classes: model?.classes.map(({ name }) => name) ?? [],
    problems,
    completed: notes,
    ...(misfits !== undefined && {
      misfits: misfits.map(({ className, id, violations }) => ({ class: className, id, violations })),
    }),
  }
}

function describe(file: string, { model, told, notes, misfits }: Findings): string {
  if (model === undefined) return told
  return [
    `${file} has no problem; it describes ${model.classes.map(({ name }) => name).join(', ')}.`,
    ...(notes.length === 0 ? [] : ['Completed by itself:', ...notes.map((note) => `  ${note}`)]),
    ...describeMisfits(misfits),
  ].join('\n')
}

function describeMisfits(misfits: readonly Misfit[] | undefined): string[] {
  if (misfits === undefined) return ['There is no database yet, so there are no members to compare it with.']
  if (misfits.length === 0) return ['The members in the database fit.']
  return [
    'The database has members that it would refuse; change the file, or these members under the former one:',
    ...misfits.flatMap(({ className, id, violations }) =>
      violations.map(({ propertyPath, message }) => `  ${className} ${id}: ${propertyPath}: ${message}`),
    ),
  ]
}
