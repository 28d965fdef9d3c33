import { HttpError } from '../errors.ts'

interface Preference {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/**
 * The best of `offered` for an Accept header, by RFC 9110 §12.5.1: for each the quality of the most specific
 * range that matches. The first offered wins among equals, whatever the order in the header; the libraries
 * that we looked at let the header's order win, which hypermedia.md rules out.
 */
export function negotiate<T extends string>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  const [preferred] = offered
  if (accept === undefined || accept === '' || accept === '*/*' || accept === preferred) return preferred
  // Whoever knows exactly what he wants, as programs do, need not be read closely.
  const exact = offered.find((candidate) => candidate === accept)
  if (exact !== undefined) return exact
  const preferences = readAccept(accept)
  let best: T | undefined
  let bestQuality = 0
  for (const candidate of offered) {
    const quality = qualityOf(candidate, preferences)
    if (quality > bestQuality) {
      best = candidate
      bestQuality = quality
    }
    if (bestQuality === 1) break
  }
  if (best === undefined && isContent(preferences)) return preferred
  if (best === undefined)
    throw new HttpError(406, `Nothing acceptable can be sent; there is ${offered.join(', ')}.`)
  return best
}

/**
 * Whoever asks for a page is a person with a browser: JSON is better than an error. And whoever says how errors should
 * look, and nothing else, has said nothing about what is served.
 */
const isContent = (preferences: readonly Preference[]): boolean =>
  preferences.some((one) => isOf(one, 'text/html')) ||
  (preferences.length > 0 && preferences.every((one) => isOf(one, 'application/problem+json')))

const isOf = ({ type, subtype, quality }: Preference, mediaType: string): boolean =>
  `${type}/${subtype}` === mediaType && quality > 0

/** Whether the header names the type itself, not just by a range. */
export const names = (accept: string | undefined, mediaType: string): boolean =>
  accept !== undefined && readAccept(accept).some((preference) => isOf(preference, mediaType))

function readAccept(accept: string): Preference[] {
  return accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const [type, subtype] = range.split('/')
    if (!type || !subtype) return []
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return [{ type, subtype, quality: weight === undefined ? 1 : readQuality(weight.slice(2)) }]
  })
}

/** RFC 9110 §12.4.2; what is malformed is as good as not acceptable. */
export const readQuality = (text: string): number =>
  /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0

function qualityOf(mediaType: string, preferences: readonly Preference[]): number {
  const [type, subtype] = mediaType.split('/')
  let quality = 0
  let specificity = -1
  for (const preference of preferences) {
    if (preference.type !== '*' && preference.type !== type) continue
    if (preference.subtype !== '*' && preference.subtype !== subtype) continue
    const own = Number(preference.type !== '*') + Number(preference.subtype !== '*')
    if (own <= specificity) continue
    specificity = own
    quality = preference.quality
  }
  return quality
}
