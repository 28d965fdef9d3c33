import { violationSentence } from '../api/problems/values.ts'
import { readPageSizes, SETTINGS } from '../config/index.ts'
import { classSchemas } from '../members/conversion/conversion.ts'
import type { ClassCount, ConvertingClass, FileChange, Migration } from '../members/index.ts'
import { changeAsJson, describeChange, explainOpenFailure } from '../service/database.ts'
import { describeFileChange } from '../service/problems/file-changes.ts'
import { linesOf, sayNote, sayProblem } from '../service/problems/index.ts'
import { incompatibleLines, migrationSentence } from '../service/problems/migration.ts'
import { databaseExists, dryRun } from '../store/open.ts'
import { count } from '../text.ts'
import { API_FILE_SCHEMA, ApiFileError } from '../vocabulary/api-file.ts'
import { type Model, type Note, permittedModel, withoutAccounts } from '../vocabulary/index.ts'
import { readApiFile } from './api-file.ts'
import { describeBroken } from './broken.ts'
import { missingAt } from './database.ts'
import type { Invocation } from './invocation.ts'
import { describeOpen, listOpen } from './open-classes.ts'
import { commandProblem } from './problems.ts'
import { describeRights, findAsker, listRights, rightsAsJson } from './rights.ts'

/** `hydrant check [api-file]`: checks whether a file can be served, without serving it. */
export async function checkApiFile(call: Invocation, file = 'api.yaml'): Promise<void> {
  const db = call.database()
  try {
    const { model, served, notes, program } = await readApiFile(call, file)
    if (program.hooks ?? program.followers)
      (await import('../service/program.ts')).requireValidProgram(program, model)
    const asker = await findAsker(call, model)
    const rights = asker && listRights(served, model, asker)
    const open = asker === undefined ? listOpen(served) : []
    const hasDatabase = await databaseExists(db)
    if (call.typed(SETTINGS.db) !== undefined && !hasDatabase)
      throw commandProblem('NoDatabaseToCompare', { missing: missingAt(db) })
    const compared = hasDatabase
      ? await explainOpenFailure(db, () => dryRun(db, classSchemas(served)))
      : undefined
    const servable = compared === undefined || compared.incompatible.length === 0
    const classes = model.classes.flatMap(({ name, isBuiltIn }) => (isBuiltIn ? [] : name))
    call.say(
      {
        file,
        servable,
        classes,
        problems: [],
        completed: notes.map((note) =>
          note.kind === 'completed' ? sayNote(note) : `${note.kind}: ${sayNote(note)}`,
        ),
        ...(open.length > 0 && { anyone: open }),
        ...(asker && rights && { access: rightsAsJson(asker, rights) }),
        ...(compared && reportComparison(compared)),
      },
      [
        `${file} has no problem; it describes ${classes.join(', ')}.`,
        ...describeNotes(notes),
        ...listed('Anyone may read, without signing in:', describeOpen(open)),
        ...(asker && rights ? describeRights(asker, rights) : []),
        ...describeComparison(compared, model),
      ].join('\n'),
    )
    if (!servable) throw commandProblem('IncompatibleDatabase', { file })
  } catch (error) {
    if (!(error instanceof ApiFileError)) throw error
    const { path, violations } = error
    const problems = violations.map((one) => {
      const { line = 0, column = 0, path = '' } = one.at
      return { line, column, path, code: one.code, message: sayProblem(one) }
    })
    const report = { file: path, servable: false, classes: [], problems, completed: [] }
    call.say(report, linesOf(error).join('\n'))
    const isMissing = violations.some(({ code }) => code === 'NoSuchApiFile' || code === 'NoSuchFile')
    throw commandProblem('UnservableApiFile', {
      file,
      path,
      problems: isMissing ? 'missing' : problems.length,
    })
  }
}

/** The result as JSON. */
const reportComparison = ({
  incompatible,
  changes,
  migrated,
  joined,
  kinds,
  converting,
  broken,
}: Migration): object => ({
  kinds: kinds.map(({ className, isCompatible, ...change }) => ({
    ...{ class: className, ...change, compatible: isCompatible },
    message: describeFileChange({ className, isCompatible, ...change } as FileChange),
  })),
  converting: converting.map(({ className, percent }) => ({ class: className, percent })),
  incompatible: incompatible.map(({ className, violations, ...member }) => ({
    class: className,
    ...member,
    violations: violations.map((one) => ({
      propertyPath: one.at.property ?? '',
      message: migrationSentence(one),
      code: one.code,
    })),
  })),
  changes: changes.map(changeAsJson),
  migrated: migrated.map(({ className, members }) => ({ class: className, members })),
  joined: joined.map(({ className, members }) => ({ class: className, members })),
  broken: broken.map(({ className, violation, members }) => ({
    class: className,
    property: violation.at.property,
    message: violationSentence(violation),
    code: violation.code,
    members,
  })),
})

function describeNotes(notes: readonly Note[]): string[] {
  const { ignored = [], completed = [], doubtful = [] } = Object.groupBy(notes, ({ kind }) => kind)
  return [
    ...listed('Perhaps not meant:', doubtful.map(sayNote)),
    ...listed('Filled in by default:', completed.map(sayNote)),
    ...listed('Ignored:', ignored.map(sayNote)),
  ]
}

function describeComparison(compared: Migration | undefined, model: Model): string[] {
  if (compared === undefined) return ['There is no database yet, so there are no members to compare it with.']
  const { incompatible, changes, broken } = compared
  const compatibility = [
    ...listed(
      'Since the file that the database was last opened with:',
      compared.kinds.map(describeFileChange),
    ),
    ...compared.converting.map(describeConverting),
  ]
  if (incompatible.length > 0) {
    return [
      ...compatibility,
      'The database has members that are incompatible with it; change the file, or these members under the former one:',
      ...incompatibleLines(incompatible),
    ]
  }
  return [
    ...compatibility,
    ...listed('With this database:', changes.map(describeChange)),
    'Every member in the database can be served under this file; constraints that are new apply when a member is next written, but "required" not to a PATCH of other properties.',
    ...listed(
      'Members that break one:',
      broken.map((constraint) => describeBroken(constraint, model)),
    ),
    describeMigrated(compared),
  ]
}

const describeConverting = ({ className, percent }: ConvertingClass): string =>
  `The members of ${className} are still being converted to that file, in the background: ${percent} %.`

/** For several hosts on one database: whether hosts that still have the previous file can continue. */
function describeMigrated({ migrated, joined, kinds }: Migration): string {
  if (migrated.length === 0 && joined.length > 0)
    return `No class is migrated: hosts with the former file serve beside those with this one. Converted in the background: ${countsOf(joined)}.`
  if (migrated.length === 0)
    return 'No stored value changes, and no class is migrated; servers that still have the former file can keep running.'
  if (kinds.every(({ isCompatible }) => isCompatible))
    return `Migrated at the first start with it, before it serves: ${countsOf(migrated)}.`
  return (
    `Migrated at the first start with it: ${countsOf(migrated)}. ` +
    'Hosts that serve the former file answer 503 for them until they are restarted with this one.'
  )
}

const countsOf = (classes: readonly ClassCount[]): string =>
  classes.map(({ className, members }) => `${className} (${count(members, 'member')})`).join(', ')

const listed = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)]

/** `hydrant schema`: the JSON Schema of API files. */
export async function printSchema({ console }: Invocation): Promise<void> {
  console.log(JSON.stringify(API_FILE_SCHEMA, undefined, 2))
}

/** `hydrant vocab <api-file>`: the documentation that would be served. */
export async function printVocabulary(call: Invocation, file: string): Promise<void> {
  const { console } = call
  const { describeApi } = await import('../api/index.ts')
  const model = await readServed(call, file)
  console.log(JSON.stringify(describeApi(model, call.base(), modeOf(call)), undefined, 2))
}

/** The model as it would be served to users with every role. */
async function readServed(call: Invocation, file: string): Promise<Model> {
  const { model, served } = await readApiFile(call, file)
  return modeOf(call) === 'open' ? withoutAccounts(model) : permittedModel(served, model.access?.roles ?? [])
}

const modeOf = ({ setting }: Invocation) =>
  !setting(SETTINGS.auth) ? 'open' : setting(SETTINGS.token) ? 'token' : 'nonce'

/** `hydrant openapi <api-file>`: the OpenAPI document that would be served. */
export async function printOpenApi(call: Invocation, file: string): Promise<void> {
  const { typed, io, console } = call
  const { createOpenApi } = await import('../api/index.ts')
  const model = await readServed(call, file)
  const base = call.base()
  const sizes = { pageSize: typed(SETTINGS.pageSize), maxPageSize: typed(SETTINGS.maxPageSize) }
  const pageSizes = readPageSizes(sizes, io.env)
  console.log(JSON.stringify(createOpenApi(model, base, { mode: modeOf(call), pageSizes }), undefined, 2))
}
