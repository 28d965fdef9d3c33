import { Gauge, type Registry } from 'prom-client'
import type { ConversionProgress } from '../../members/index.ts'

type ReadProgress = () => readonly ConversionProgress[]

/** How far members are that are being converted to the API file, by class. Returns a function that sets the source. */
export function createConversionMetrics(registers: Registry[]): (read: ReadProgress) => void {
  let read: ReadProgress = () => []
  const gauge: Gauge = new Gauge({
    name: 'hydrant_conversion_ratio',
    help: 'How many of the members of a class have been converted to the API file, from 0 to 1; no value if all have been',
    labelNames: ['class'],
    registers,
    collect() {
      gauge.reset()
      for (const { className, percent } of read()) gauge.set({ class: className }, percent / 100)
    },
  })
  return (given) => {
    read = given
  }
}
