import { atProperty, type ProblemData } from '../../problem.ts'
import { type Class, defaultName, defaultValueOf, type Property, type Range } from '../../vocabulary/index.ts'
import type { ClassSchema, Filling, MigrationViolation, Move, UsedName } from '../class-schema.ts'
import { hiddenPaths, merge, writeHidden } from '../hidden-values.ts'
import type { Link, MemberContent, WholeText } from '../member.ts'
import { conversionProblem } from '../problems.ts'
import {
  type HiddenLink,
  idOf,
  insertBaseUrl,
  isHiddenLink,
  isObject,
  type MemberValues,
  readHidden,
  readText,
  writeMember,
} from '../stored-text.ts'
import { convertValue, isMarked, LINK_MARK } from './value-conversion.ts'

/** How many violations of one member are reported: it may have thousands of values. */
const MAX_REPORTED = 10

/** The paths of a value; those of an embedded value have a trailing slash. */
interface ConvertedPaths {
  /** In current names, with indexes in lists. */
  readonly path: string
  /** In former names, without indexes in lists. */
  readonly formerPath: string
  /** In former names, with indexes in lists: as the member is served today. */
  readonly servedPath: string
  /** Whether the value, or the embedded value around it, was hidden. */
  readonly wasHidden: boolean
}

/** A value converted to the current declaration of its property, and the values that are hidden within it. */
interface ConvertedValue {
  readonly value?: unknown
  readonly hidden?: unknown
}

interface ConversionOptions {
  readonly filling?: Filling | undefined
  /** Whether values that cannot be converted are hidden, and not refused. */
  readonly isLenient?: boolean
}

/**
 * Converts a member that was written under another API file (hypermedia.md, Changing the API file). Finds values by the
 * current or the former name of their property. A value without a property is hidden, and shown again once it has one.
 * Links get the current path of their class. The class of a hidden link is known only from `links`, since it may no
 * longer be in the API file.
 */
export class MemberConversion {
  readonly #links: readonly Link[]
  readonly #filling: Filling | undefined
  readonly #isLenient: boolean
  readonly #pathsBefore: ReadonlySet<string>
  readonly #whole: MemberValues
  readonly #violations: MigrationViolation[] = []
  readonly #usedNames: UsedName[] = []
  readonly #moves = new Map<string, Move>()
  #linksById: ReadonlyMap<string, readonly Link[]> | undefined

  constructor(
    stored: WholeText,
    links: readonly Link[],
    { filling, isLenient = false }: ConversionOptions = {},
  ) {
    const [shown, hidden] = [readMarked(stored), readHidden(stored.hidden)]
    this.#links = links
    this.#filling = filling
    this.#isLenient = isLenient
    this.#pathsBefore = hiddenPaths(shown, hidden)
    this.#whole = merge(shown, hidden) as MemberValues
  }

  to(cls: Class): ReturnType<ClassSchema['convert']> {
    const content = this.contentAs(cls)
    if (this.#violations.length > 0) return { violations: this.#violations.slice(0, MAX_REPORTED) }
    return {
      ...content,
      ...(this.#usedNames.length > 0 && { usedNames: this.#usedNames }),
      ...(this.#moves.size > 0 && { moves: [...this.#moves.values()] }),
    }
  }

  /** Without the values that were refused. */
  contentAs(cls: Class): MemberContent {
    const top = { path: '', formerPath: '', servedPath: '', wasHidden: false }
    const { values, hidden } = this.#split(cls, this.#whole, top)
    return writeMember(cls, values, writeHidden(hidden))
  }

  #split(
    cls: Class,
    stored: MemberValues,
    at: ConvertedPaths,
  ): { values: MemberValues; hidden: MemberValues } {
    const values: Record<string, unknown> = Object.create(null)
    const hidden: Record<string, unknown> = Object.create(null)
    const rest = new Map(Object.entries(stored))
    rest.delete('@type')
    for (const property of cls.properties) {
      const path = at.path + property.name
      const name = this.#sourceOf(property, rest, path)
      if (name === undefined) {
        this.#fill(cls, property, values, path)
        continue
      }
      const formerPath = at.formerPath + name
      const wasHidden = this.#pathsBefore.has(formerPath)
      if (name !== property.name) this.#note({ change: 'renamed', property: path, from: formerPath })
      else if (wasHidden) this.#note({ change: 'shown', property: path })
      const servedPath = at.servedPath + name
      const paths = { path, formerPath, servedPath, wasHidden: wasHidden || at.wasHidden }
      const taken = this.#take(property, rest.get(name), paths)
      rest.delete(name)
      if (taken.value !== undefined) values[property.name] = taken.value
      if (taken.hidden !== undefined) hidden[property.name] = taken.hidden
    }
    for (const [name, value] of rest) {
      const formerPath = at.formerPath + name
      if (!at.wasHidden && !this.#pathsBefore.has(formerPath))
        this.#note({ change: 'hidden', property: at.path + name })
      hidden[name] = this.#hide(value, formerPath)
    }
    return { values, hidden }
  }

  /** A default fills in what the member, or the value that is embedded in it, lacks. */
  #fill(cls: Class, property: Property, values: Record<string, unknown>, path: string): void {
    if (!this.#filling?.names.has(defaultName(cls.name, property.name))) return
    values[property.name] = defaultValueOf(property, this.#filling)
    this.#note({ change: 'filled', property: path })
  }

  #note(move: Move): void {
    const property = withoutIndexes(move.property)
    this.#moves.set(`${move.change} ${property}`, { ...move, property })
  }

  /** If members have values under both names, the migration is refused (findings.ts). */
  #sourceOf({ name, formerName: was }: Property, rest: ReadonlyMap<string, unknown>, path: string) {
    if (was === undefined || was === name) return rest.has(name) ? name : undefined
    const found = [name, was].filter((candidate) => rest.has(candidate))
    const property = withoutIndexes(path)
    for (const one of found) this.#usedNames.push({ property, was, under: one === name ? 'name' : 'was' })
    return found[0]
  }

  #take(property: Property, stored: unknown, paths: ConvertedPaths): ConvertedValue {
    const taken = this.#takeAll(property, stored, paths)
    const isTaken =
      taken.value !== undefined && !(Array.isArray(taken.value) && taken.value.includes(undefined))
    return isTaken || !this.#isLenient ? taken : { hidden: this.#hide(stored, paths.formerPath) }
  }

  #takeAll({ range, many }: Property, stored: unknown, paths: ConvertedPaths): ConvertedValue {
    const { path, servedPath } = paths
    const all = Array.isArray(stored) ? stored : [stored]
    if (!many && all.length > 1)
      return this.#refuse(paths, conversionProblem('OneValueNow', { count: all.length }))
    if (!many) return all.length === 0 ? {} : this.#takeOne(range, all[0], paths)
    const taken = all.map((one, index) =>
      this.#takeOne(range, one, { ...paths, path: `${path}/${index}`, servedPath: `${servedPath}/${index}` }),
    )
    const hides = taken.some(({ hidden }) => hidden !== undefined)
    return {
      value: taken.map(({ value }) => value),
      ...(hides && { hidden: taken.map(({ hidden }) => hidden ?? {}) }),
    }
  }

  #takeOne(range: Range, stored: unknown, paths: ConvertedPaths): ConvertedValue {
    if (range.kind === 'embedded' && isEmbedded(stored)) {
      const { path, formerPath, servedPath, wasHidden } = paths
      const within = {
        path: `${path}/`,
        formerPath: `${formerPath}/`,
        servedPath: `${servedPath}/`,
        wasHidden,
      }
      const { values, hidden } = this.#split(range.cls, stored, within)
      return { value: values, hidden: Object.keys(hidden).length === 0 ? undefined : hidden }
    }
    const converted = convertValue(range, isHiddenLink(stored) ? LINK_MARK + stored['@id'] : stored)
    return 'value' in converted ? converted : this.#refuse(paths, converted.problem)
  }

  #refuse({ path, servedPath }: ConvertedPaths, problem: ProblemData): ConvertedValue {
    const renamed = path === servedPath ? {} : { newPath: path }
    this.#violations.push({ ...atProperty(problem, servedPath), ...renamed })
    return {}
  }

  #hide(value: unknown, formerPath: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#hide(one, formerPath))
    if (isMarked(value)) return this.#hideLink({ '@id': value.slice(LINK_MARK.length) }, formerPath)
    if (isHiddenLink(value)) return this.#hideLink(value, formerPath)
    if (!isObject(value)) return value
    // An empty @type marks an embedded value; its class does not matter.
    const hideIn = (name: string, one: unknown) =>
      name === '@type' ? '' : this.#hide(one, `${formerPath}/${name}`)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideIn(name, one)]))
  }

  #hideLink({ '@id': address, '@type': knownAs }: HiddenLink, formerPath: string): HiddenLink {
    this.#linksById ??= Map.groupBy(this.#links, ({ id }) => id)
    const known = this.#linksById.get(idOf(address))?.find(({ property }) => property === formerPath)
    const className = known?.className ?? knownAs
    return { '@id': address, ...(className !== undefined && { '@type': className }) }
  }
}

/** The values of a member, with its links marked. */
const readMarked = (text: WholeText): MemberValues =>
  readText(insertBaseUrl(text, JSON.stringify(LINK_MARK).slice(1, -1)))

/** A path that is the same for all values of a list. */
const withoutIndexes = (path: string): string => path.replace(/\/[0-9]+(?=\/)/g, '')

/** Neither a hidden link nor texts by language. */
const isEmbedded = (value: unknown): value is MemberValues =>
  isObject(value) && Object.hasOwn(value, '@type') && !isHiddenLink(value)
