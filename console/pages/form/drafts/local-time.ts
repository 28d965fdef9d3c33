/** A moment as the browser's own field has it: what a clock shows, and where that clock hangs. */
export interface Moment {
  /** `2024-02-29T12:30:00`. */
  readonly clock: string
  /** `Z`, `+02:00`; empty where the value has none. */
  readonly zone: string
}

const MOMENT =
  /^((?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(Z|[+-]\d{2}:\d{2})?$/

/** Undefined for what the browser's field cannot show as it is: fractions of a second, 24:00:00, the year -44, no date. */
export function readMoment(text: string): Moment | undefined {
  const [, clock, zone = ''] = MOMENT.exec(text) ?? []
  if (clock === undefined) return undefined
  const date = new Date(`${clock}Z`)
  return !Number.isNaN(+date) && date.toISOString().startsWith(clock) ? { clock, zone } : undefined
}

/** HTML §2.3.5.5: the shortest spelling, which is what the field itself says: seconds that are zero are left out. */
export const toField = (clock: string): string => clock.replace(/(T\d{2}:\d{2}):00$/, '$1')

/** With seconds, which XSD requires. */
export const fromField = (value: string): string => (/T\d{2}:\d{2}$/.test(value) ? `${value}:00` : value)

/** The zone of this machine at that time on its clock: summer and winter differ. */
export function zoneHere(clock: string): string {
  const date = new Date(clock)
  const minutes = -(Number.isNaN(+date) ? new Date() : date).getTimezoneOffset()
  if (minutes === 0) return 'Z'
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** Another time on the same clock: one that hangs here goes over from summer to winter with it. */
export const withClock = ({ clock: before, zone }: Moment, clock: string): Moment => ({
  clock,
  zone: zone === zoneHere(before) ? zoneHere(clock) : zone,
})

export const momentText = ({ clock, zone }: Moment): string => (clock ? clock + zone : '')
