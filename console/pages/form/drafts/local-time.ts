/** An instant as the browser's field needs it: a local time and its zone. */
export interface LocalMoment {
  readonly clock: string
  readonly zone: string
}

const MOMENT = /^((?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})?$/

/** Undefined if the browser's field cannot show it: fractions of a second, 24:00:00, the year -44. */
export function readMoment(text: string): LocalMoment | undefined {
  const [, clock, zone = ''] = MOMENT.exec(text) ?? []
  if (clock === undefined) return undefined
  // `Date` rolls 30 February over into March.
  const date = new Date(`${clock}Z`)
  return !Number.isNaN(+date) && date.toISOString().startsWith(clock) ? { clock, zone } : undefined
}

/** HTML §2.3.5.5: the field omits seconds that are zero. */
export const toField = (clock: string): string => clock.replace(/(T\d{2}:\d{2}):00$/, '$1')

export const fromField = (value: string): string => (/T\d{2}:\d{2}$/.test(value) ? `${value}:00` : value)

/** The zone of this machine at that local time, which depends on daylight saving time. */
export function zoneHere(clock: string): string {
  const date = new Date(clock)
  const minutes = -(Number.isNaN(+date) ? new Date() : date).getTimezoneOffset()
  if (minutes === 0) return 'Z'
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** Another local time in the same zone. The zone of this machine follows daylight saving time. */
export const withClock = ({ clock: before, zone }: LocalMoment, clock: string): LocalMoment => ({
  clock,
  zone: zone === zoneHere(before) ? zoneHere(clock) : zone,
})

export const momentText = ({ clock, zone }: LocalMoment): string => (clock ? clock + zone : '')
