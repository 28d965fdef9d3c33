// Proposes an API file for existing data, which can then be imported under it.
import { basename, extname } from 'node:path'
import { foldCase } from '../../folding.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../../json.ts'
import { claimName } from '../../text.ts'
import { findNameProblem, ID, plural } from '../../vocabulary/index.ts'
import type { CellForms } from '../csv/cell.ts'
import { readRows } from '../csv/csv.ts'
import { guessEncoding, toUtf8 } from '../encoding.ts'
import { idIn, linkNames } from '../name-lookup.ts'
import { readOpenApi } from '../openapi/document.ts'
import { proposeForOpenApi } from '../openapi/propose.ts'
import { importProblem } from '../problems.ts'
import { quoted, writeMap, writeProposal } from './file.ts'
import { chooseForms, doubtfulForms, flagsFor, narrowest } from './local-types.ts'
import { camelCase, classNameFor, isFreePath, singular } from './names.ts'
import { ObjectStats, type PropertyStats, type TypesOf, typesInCsv, typesInJson } from './type-inference.ts'

/** One table of the data: the properties and ids of its members. */
interface ProposedTable {
  readonly name: string
  readonly className: string
  readonly isSingle: boolean
  readonly stats: ObjectStats
  readonly ids: MemberIds
}

/** The ids of a table's members; if they cannot be used as ids, `id` is an ordinary property. */
class MemberIds {
  readonly #all = new Set<string>()
  areUsable = true

  add(value: JsonValue | undefined): void {
    if (value === undefined || value === null || !this.areUsable) return
    const id = idIn(value) ?? ''
    this.areUsable = ID.test(id) && !this.#all.has(id)
    this.#all.add(id)
  }

  hasAll = (value: JsonValue | undefined): boolean =>
    this.areUsable && [value ?? []].flat().every((one) => one === null || this.#all.has(idIn(one) ?? ''))
}

/** The text of an API file, and the flags with which its data can be imported; undefined if there is nothing to import. */
export interface ProposedFile {
  readonly text: string
  readonly importFlags: readonly string[] | undefined
}

/** `file`: the name without its folder. Throws a problem of the data. */
export async function proposeApiFile(file: string, chunks: AsyncIterable<Buffer>): Promise<ProposedFile> {
  const name = basename(file, extname(file))
  const ending = extname(file).toLowerCase()
  const text = ending === '.csv' ? undefined : await readAll(chunks)
  const form = text === undefined ? undefined : findOpenApi(text, ending)
  if (text !== undefined && form !== undefined)
    return { text: writeProposal(proposeForOpenApi(readOpenApi(text, form), file)), importFlags: undefined }
  const { classes, importFlags } =
    text === undefined
      ? await proposeForCsv(name, chunks)
      : { classes: proposeForTables(readTables(text)), importFlags: [] }
  const advice = '# Proposed from the values in it: look at the types, and at what is required.'
  const flags = importFlags.length === 0 ? '' : `# The import needs: ${importFlags.join(' ')}\n`
  const head = `# An API file for ${JSON.stringify(file)}.\n${advice}\n${flags}\ntitle: ${JSON.stringify(name)}\n`
  return { text: head + classes, importFlags }
}

/** The lines of CSV are members of one class. */
async function proposeForCsv(name: string, chunks: AsyncIterable<Buffer>) {
  const table = createTable(name, false, new Set())
  const { encoding, chunks: encoded } = await guessEncoding(chunks)
  const text = toUtf8(encoded, encoding)
  for await (const row of readRows(text, (header) => table.stats.add(header, typesInCsv, 0)))
    addMember(table, row, typesInCsv)
  const forms = chooseForms([...table.stats.allTypes()])
  const encodingFlags = encoding === 'utf-8' ? [] : ['--encoding', encoding]
  return {
    classes: writeApiFile([table], () => undefined, forms),
    importFlags: [...flagsFor(forms), ...encodingFlags],
  }
}

/** Links can be found only when all ids are known, so all of the data is in memory. */
const LARGEST_IN_MEMORY = 64 * 1024 * 1024

/** Without the byte order mark that some editors write. */
async function readAll(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    all.push(chunk)
    size += chunk.length
    if (size > LARGEST_IN_MEMORY) throw importProblem('TooLargeToPropose')
  }
  return new TextDecoder().decode(Buffer.concat(all))
}

/** In which form a text is an OpenAPI document; undefined if it has tables. */
function findOpenApi(text: string, ending: string): 'yaml' | 'json' | undefined {
  if (ending !== '.json') return 'yaml'
  const document = readJson(text)
  // `swagger` is the key of older versions, which are refused as such.
  const isDocument =
    isObject(document) && [document.openapi, document.swagger].some((one) => typeof one === 'string')
  return isDocument ? 'json' : undefined
}

function readTables(text: string): JsonObject {
  const document = readJson(text)
  if (isObject(document) && Object.values(document).some((value) => Array.isArray(value) || isObject(value)))
    return document
  throw importProblem('NotTables')
}

/** For json-server's db.json: each table has a list of members, or is a single one. */
function proposeForTables(document: JsonObject): string {
  const names = new Set<string>()
  const tables = Object.entries(document).flatMap(([name, value]) => {
    if (name.startsWith('$') || !(Array.isArray(value) || isObject(value))) return []
    const table = createTable(name, !Array.isArray(value), names)
    for (const one of [value].flat()) if (isObject(one)) addMember(table, one, typesInJson)
    return [table]
  })
  const membersOf = ({ name }: ProposedTable) => [document[name] ?? []].flat().filter(isObject)

  /** A key such as `postId`, if every value is the id of a post. */
  return writeApiFile(tables, (from, key) => {
    const called = linkNames(key)
    const to = tables.find((table) => !table.isSingle && called.some((one) => isNameOf(table, one)))
    if (to === undefined || !membersOf(from).every((member) => to.ids.hasAll(member[key]))) return undefined
    const name = called[from.stats.properties.get(key)?.isMany ? 1 : 0] ?? key
    return { name, className: to.className }
  })
}

const isNameOf = ({ name, className }: ProposedTable, called: string): boolean =>
  [name, className].some((one) => foldCase(one) === foldCase(called))

function createTable(name: string, isSingle: boolean, taken: Set<string>): ProposedTable {
  const className = classNameFor(isSingle ? name : singular(name), taken)
  return { name, className, isSingle, stats: new ObjectStats(), ids: new MemberIds() }
}

function addMember({ stats, ids }: ProposedTable, member: JsonObject, typesOf: TypesOf): void {
  ids.add(member.id)
  stats.add(member, typesOf)
}

type FindLink = (
  from: ProposedTable,
  key: string,
) => { readonly name: string; readonly className: string } | undefined

/** `forms`: of CSV; absent for JSON. */
function writeApiFile(tables: readonly ProposedTable[], findLink: FindLink, forms?: CellForms): string {
  const taken = new Set(tables.map(({ className }) => className))
  const embedded: string[] = []
  const classes = tables.flatMap((table) => {
    const { className, isSingle, stats, ids } = table
    const skipped = ids.areUsable && !isSingle ? ['id'] : []
    return writeClass(className, collectionLines(table), stats, skipped, (key) => findLink(table, key))
  })
  return ['classes:', ...classes, ...embedded, ''].join('\n')

  function writeClass(
    name: string,
    lines: readonly string[],
    stats: ObjectStats,
    skipped: readonly string[] = [],
    linkFor: (key: string) => ReturnType<FindLink> = () => undefined,
  ): string[] {
    const keys = [...stats.properties.keys()].filter((key) => !skipped.includes(key))
    // A skipped key keeps its name, so that a column "@id" beside "id" is not also called `id`.
    const names = new Set([...skipped, ...keys.filter((key) => findNameProblem(key) === undefined)])
    const properties = keys.map((key) => {
      const property = stats.properties.get(key) as PropertyStats
      const link = linkFor(key)
      if (link !== undefined && !names.has(link.name)) {
        names.add(link.name)
        return `      ${quoted(link.name)}: ${writeMap({ type: link.className, many: property.isMany })}`
      }
      const own = names.has(key) ? key : claimName(camelCase(key) || 'column', names)
      const required = stats.count > 0 && property.present === stats.count
      const title = own === key ? undefined : key
      const type = typeOf(key, property)
      const written = writeMap({ type, many: property.isMany, required, title })
      return `      ${quoted(own)}: ${written}${remarkOn(property, type, forms)}`
    })
    const body = properties.length === 0 ? ['    properties: {}'] : ['    properties:', ...properties]
    return [`  ${quoted(name)}:`, ...lines, ...body]
  }

  /** An object within a member becomes a separate class, without a collection. */
  function typeOf(key: string, { objects, types }: PropertyStats): string {
    if (objects === undefined) return narrowest(types ?? [], forms ?? {}) ?? 'string'
    const name = classNameFor(singular(key), taken)
    embedded.push(...writeClass(name, ['    collection: false'], objects))
    return name
  }
}

function collectionLines({ name, className, isSingle }: ProposedTable): string[] {
  if (isSingle) return ['    collection: false', '    operations: [read, create, replace, update]']
  const usual = plural(className).toLowerCase()
  const [path = usual] = [name, usual, `my-${usual}`].filter(isFreePath)
  return path === usual ? [] : [`    collection: ${quoted(path)}`]
}

function remarkOn(
  { isMixed, choices, types = [], objects }: PropertyStats,
  type: string,
  forms: CellForms | undefined,
): string {
  const dates = forms === undefined ? [] : doubtfulForms(types, forms)
  const [only, ...others] = objects?.properties ?? []
  // A column such as `customer.email` may name a member of another class.
  if (forms !== undefined && only !== undefined && others.length === 0 && isOneLiteral(only[1]))
    return ` # or a link: in ${type}, remove "collection: false", and write "unique: true" at ${quoted(only[0])}`
  if (dates.length > 0) return ` # dates? write the type date, and import with --dates ${dates.join(' or ')}`
  if (isMixed) return ' # has values of several kinds, of which this type refuses some'
  return type === 'string' && choices ? ` # enum: ${JSON.stringify(choices)}` : ''
}

const isOneLiteral = ({ objects, isMany }: PropertyStats): boolean => objects === undefined && !isMany
