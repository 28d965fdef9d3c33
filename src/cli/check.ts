import { defaultBase, SETTINGS } from '../config/index.ts'
import { shapesOf } from '../members/index.ts'
import {
  type Counted,
  dryRun,
  incompatibleLines,
  isThere,
  type Migration,
  type MigrationChange,
} from '../store/index.ts'
import {
  ApiFileError,
  createDocumentation,
  type Model,
  type Problem,
  readApiFile,
  readWithNotes,
} from '../vocabulary/index.ts'
import { explainOpening, nothingAt, reportChange, tellChange } from './database.ts'
import { databaseOf, type Invocation } from './invocation.ts'
import { count } from './output.ts'

/** `hydrant check <api-file>`: whether a file can be served, before anything is. */
export async function checkApiFile(call: Invocation, file: string): Promise<void> {
  const db = databaseOf(call)
  const isNamed = call.typed(SETTINGS.db) !== undefined
  const hasDatabase = await isThere(db)
  if (isNamed && !hasDatabase) throw new Error(`${nothingAt(db)}; leave --db out, or name another.`)
  const findings = await examine(file, hasDatabase ? db : undefined)
  call.say(report(file, findings), describe(file, findings))
  const { problems, compared } = findings
  if (problems.length > 0)
    throw new Error(`${file} cannot be served: it has ${count(problems.length, 'problem')}.`)
  if (compared !== undefined && compared.incompatible.length > 0)
    throw new Error(`${file} cannot be served with this database: it has incompatible members.`)
}

interface Findings {
  /** Undefined where there are problems. */
  readonly model: Model | undefined
  readonly problems: readonly Problem[]
  /** The problems for people, one a line. */
  readonly told: string
  readonly notes: readonly string[]
  /** Undefined where there was no database to look into. */
  readonly compared: Comparison | undefined
}

interface Comparison extends Migration {
  /** The incompatible members, for people. */
  readonly lines: readonly string[]
}

async function examine(file: string, db: string | undefined): Promise<Findings> {
  try {
    const { model, notes } = await readWithNotes(file)
    const compared = db === undefined ? undefined : await compare(model, db)
    return { model, notes, problems: [], told: '', compared }
  } catch (error) {
    if (!(error instanceof ApiFileError)) throw error
    return { model: undefined, notes: [], problems: error.problems, told: error.message, compared: undefined }
  }
}

async function compare(model: Model, db: string): Promise<Comparison> {
  const migration = await explainOpening(db, () => dryRun(db, shapesOf(model)))
  return { ...migration, lines: incompatibleLines(migration.incompatible) }
}

/** For programs. */
function report(file: string, { model, problems, notes, compared }: Findings): object {
  return {
    file,
    servable: problems.length === 0 && (compared?.incompatible ?? []).length === 0,
    classes: model?.classes.map(({ name }) => name) ?? [],
    problems,
    completed: notes,
    ...(compared !== undefined && {
      incompatible: compared.incompatible.map(({ className, ...member }) => ({
        class: className,
        ...member,
      })),
      changes: compared.changes.map(reportChange),
      migrated: compared.migrated.map(({ className, members }) => ({ class: className, members })),
    }),
  }
}

function describe(file: string, { model, told, notes, compared }: Findings): string {
  if (model === undefined) return told
  return [
    `${file} has no problem; it describes ${model.classes.map(({ name }) => name).join(', ')}.`,
    ...listed(
      'Completed by itself:',
      notes.filter((note) => !note.startsWith(IGNORED)),
    ),
    ...listed(
      'Ignored:',
      notes.flatMap((note) => (note.startsWith(IGNORED) ? [note.slice(IGNORED.length)] : [])),
    ),
    ...describeComparison(compared),
  ].join('\n')
}

function describeComparison(compared: Comparison | undefined): string[] {
  if (compared === undefined) return ['There is no database yet, so there are no members to compare it with.']
  const { lines, changes, migrated } = compared
  if (lines.length > 0) {
    return [
      'The database has members that are incompatible with it; change the file, or these members under the former one:',
      ...lines,
    ]
  }
  return [
    ...describeChanges(changes),
    'Every member in the database can be served under this file; constraints that are new apply when a member is next written.',
    describeMigrated(migrated),
  ]
}

/** Where several hosts serve one database: whether those that still have the former file go on. */
function describeMigrated(migrated: readonly Counted[]): string {
  if (migrated.length === 0)
    return 'No stored value changes, and no class is migrated: servers with the former file go on.'
  const classes = migrated.map(({ className, members }) => `${className} (${count(members, 'member')})`)
  return (
    `Migrated at the first start with it: ${classes.join(', ')}. ` +
    'Hosts that serve the former file answer 503 for them until they are restarted with this one.'
  )
}

const describeChanges = (changes: readonly MigrationChange[]): string[] =>
  changes.length === 0 ? [] : ['With this database:', ...changes.map((change) => `  ${tellChange(change)}`)]

/** How the long form begins a note on what it did not heed. */
const IGNORED = 'ignored: '

const listed = (heading: string, notes: readonly string[]): string[] =>
  notes.length === 0 ? [] : [heading, ...notes.map((note) => `  ${note}`)]

/** `hydrant vocab <api-file>`: the documentation that would be served. */
export async function printVocabulary({ setting, console }: Invocation, file: string): Promise<void> {
  const base = setting(SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http')
  // Without authentication, and without tokens in it, there is no session to describe.
  const session = Boolean(setting(SETTINGS.auth) && setting(SETTINGS.token))
  const documentation = createDocumentation(await readApiFile(file), base, { session })
  console.log(JSON.stringify(documentation, undefined, 2))
}
