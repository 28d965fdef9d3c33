import { defaultBase, SETTINGS } from '../config/index.ts'
import { shapesOf } from '../members/index.ts'
import { type Counted, dryRun, incompatibleLines, isThere, type Migration } from '../store/index.ts'
import { ApiFileError, createDocumentation, readApiFile, readWithNotes } from '../vocabulary/index.ts'
import { explainOpening, nothingAt, reportChange, tellChange } from './database.ts'
import { databaseOf, type Invocation } from './invocation.ts'
import { count } from './output.ts'

/** `hydrant check <api-file>`: whether a file can be served, before anything is. */
export async function checkApiFile(call: Invocation, file: string): Promise<void> {
  const db = databaseOf(call)
  const hasDatabase = await isThere(db)
  if (call.typed(SETTINGS.db) !== undefined && !hasDatabase)
    throw new Error(`${nothingAt(db)}; leave --db out, or name another.`)
  try {
    const { model, notes } = await readWithNotes(file)
    const compared = hasDatabase ? await explainOpening(db, () => dryRun(db, shapesOf(model))) : undefined
    const servable = compared === undefined || compared.incompatible.length === 0
    const classes = model.classes.map(({ name }) => name)
    call.say(
      {
        file,
        servable,
        classes,
        problems: [],
        completed: notes,
        ...(compared && reportComparison(compared)),
      },
      [
        `${file} has no problem; it describes ${classes.join(', ')}.`,
        ...describeNotes(notes),
        ...describeComparison(compared),
      ].join('\n'),
    )
    if (!servable)
      throw new Error(`${file} cannot be served with this database: it has incompatible members.`)
  } catch (error) {
    if (!(error instanceof ApiFileError)) throw error
    const { problems, message } = error
    call.say({ file, servable: false, classes: [], problems, completed: [] }, message)
    throw new Error(`${file} cannot be served: it has ${count(problems.length, 'problem')}.`)
  }
}

/** For programs. */
const reportComparison = ({ incompatible, changes, migrated }: Migration): object => ({
  incompatible: incompatible.map(({ className, ...member }) => ({ class: className, ...member })),
  changes: changes.map(reportChange),
  migrated: migrated.map(({ className, members }) => ({ class: className, members })),
})

/** How the long form begins a note on what it did not heed. */
const IGNORED = 'ignored: '

function describeNotes(notes: readonly string[]): string[] {
  const ignored = notes.filter((note) => note.startsWith(IGNORED))
  return [
    ...listed(
      'Completed by itself:',
      notes.filter((note) => !ignored.includes(note)),
    ),
    ...listed(
      'Ignored:',
      ignored.map((note) => note.slice(IGNORED.length)),
    ),
  ]
}

function describeComparison(compared: Migration | undefined): string[] {
  if (compared === undefined) return ['There is no database yet, so there are no members to compare it with.']
  const { incompatible, changes, migrated } = compared
  if (incompatible.length > 0) {
    return [
      'The database has members that are incompatible with it; change the file, or these members under the former one:',
      ...incompatibleLines(incompatible),
    ]
  }
  return [
    ...listed('With this database:', changes.map(tellChange)),
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

const listed = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)]

/** `hydrant vocab <api-file>`: the documentation that would be served. */
export async function printVocabulary({ setting, console }: Invocation, file: string): Promise<void> {
  const base = setting(SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http')
  // Without authentication, and without tokens in it, there is no session to describe.
  const session = Boolean(setting(SETTINGS.auth) && setting(SETTINGS.token))
  const documentation = createDocumentation(await readApiFile(file), base, { session })
  console.log(JSON.stringify(documentation, undefined, 2))
}
