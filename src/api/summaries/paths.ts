import { DATE_UNITS, type DateUnit } from '../../members/index.ts'
import { datatypeOf, filteredWithin } from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import type { UnfitReason } from '../problems/summary.ts'
import { MAX_NAMES, type Path, type PathPlace, type Paths } from '../query/path.ts'
import type { FigureName } from './parameters.ts'

/** A path that a parameter names. */
export interface AskedPath {
  /** As it was sent, which is its key in a summary: `author.name`, `published:year`. */
  readonly text: string
  readonly path: Path
}

export interface AskedGroup extends AskedPath {
  readonly unit: DateUnit | undefined
}

export interface AskedFigure extends AskedPath {
  readonly name: FigureName
}

/** The purpose of a path. */
type Purpose = 'group' | 'date' | FigureName

/** Sentences list this many names. */
const MAX_LISTED = 20

export interface SummaryPaths {
  readGroup(text: string): AskedGroup
  readFigure(name: FigureName, text: string): AskedFigure
  /** The possible groups or figures of the class itself. */
  names(purpose: Purpose): string[]
}

/** Reads the paths of groups and figures; rejects those that do not fit. */
export function createSummaryPaths(paths: Paths): SummaryPaths {
  const { start } = paths

  /** The paths that lead on from a place and fit. `rest`: the names behind the next one. */
  function fittingAt(place: PathPlace, purpose: Purpose, rest: readonly string[] = []): string[] {
    const within = place === start ? filteredWithin(start.cls).map(({ name }) => name) : []
    const names = rest.length > 0 ? paths.namesAt(place) : [...paths.namesAt(place), ...within]
    return names.flatMap((name) => {
      const path = paths.find(place, [...name.split('.'), ...rest])
      return 'problem' in path || unfit(path, purpose) !== undefined ? [] : path.property.name
    })
  }

  const choiceOf = (known: readonly string[]) => ({ known, listed: known.slice(0, MAX_LISTED) })

  function read(parameter: string, text: string, purpose: Purpose): Path {
    const at = { parameter }
    const names = text.split('.')
    const path = paths.find(start, names)
    if (!('problem' in path)) {
      const reason = unfit(path, purpose)
      if (reason === undefined) return path
      throw apiProblem(
        'UnfitSummaryPath',
        { path: text, reason, ...choiceOf(fittingAt(start, purpose)) },
        { at },
      )
    }
    if (path.problem === 'tooLong') throw apiProblem('PathTooLong', { max: MAX_NAMES }, { at })
    if (path.problem === 'unfilterable') {
      const { name } = path.property
      const known = fittingAt(start, purpose)
      throw apiProblem('UnfitSummaryPath', { path: name, reason: 'unfilterable', ...choiceOf(known) }, { at })
    }
    const place = path.problem === 'unknown' ? path.place : start
    const behind = names.slice(place.rank.length + 1)
    const alike = fittingAt(place, purpose, behind)
    const known = alike.length > 0 ? alike : fittingAt(place, purpose)
    throw apiProblem('UnknownSummaryPath', { path: text, ...choiceOf(known) }, { at })
  }

  return {
    readGroup(text) {
      const colon = text.indexOf(':')
      if (colon < 0) return { text, path: read('group', text, 'group'), unit: undefined }
      const path = read('group', text.slice(0, colon), 'date')
      const unit = text.slice(colon + 1)
      const found = DATE_UNITS.find((one) => one === unit)
      if (found !== undefined) return { text, path, unit: found }
      throw parameterProblem('UnknownDateUnit', 'group', {
        path: path.property.name,
        unit,
        ...choiceOf(DATE_UNITS),
      })
    },
    readFigure: (name, text) => ({ name, text, path: read(name, text, name) }),
    names: (purpose) => fittingAt(start, purpose),
  }
}

/** Why a path is not for this purpose; undefined if it is. */
function unfit({ key, property: { range } }: Path, purpose: Purpose): UnfitReason | undefined {
  if (key === undefined) return 'reverse'
  if (purpose === 'group') return undefined
  const datatype = range.kind === 'datatype' ? range.datatype : undefined
  const family = datatype && datatypeOf(datatype).family
  if (purpose === 'date') return datatype === 'date' || datatype === 'dateTime' ? undefined : 'date'
  if (purpose === 'sum' || purpose === 'avg') return family === 'number' ? undefined : 'number'
  return family === undefined || family === 'boolean' ? 'compared' : undefined
}
