import { median } from './load.ts'
import { MANY_CLIENTS, type Measured, type Sample } from './postgres-kinds.ts'

const figure = (measured: Measured | undefined, name: keyof Sample): number =>
  median((measured?.samples ?? []).map((one) => one[name]))

const whole = (value: number): string => Math.round(value).toLocaleString('en')

/** For docs/performance.md. */
export function printCosts(all: readonly Measured[]): void {
  console.log(
    '| request | clients | store | server processes | requests/s | Hydrant: CPU µs | PostgreSQL: CPU µs |\n|---|---|---|---|---|---|---|',
  )
  for (const measured of all) {
    const { kind, setup } = measured
    const database = setup.store === 'PostgreSQL' ? figure(measured, 'postgresCost').toFixed(0) : '–'
    console.log(
      `| ${kind.name} | ${kind.clients} | ${setup.store} | ${setup.processes} | ${whole(figure(measured, 'rate'))} | ` +
        `${figure(measured, 'hydrantCost').toFixed(0)} | ${database} |`,
    )
  }
}

/** For docs/performance.md: whether writers wait for each other. */
export function printWrites(all: readonly Measured[]): void {
  console.log(`\n| creates a second | 1 client | ${MANY_CLIENTS} clients | ratio |\n|---|---|---|---|`)
  const creates = all.filter(({ kind }) => kind.status === 201)
  for (const one of creates.filter(({ kind }) => kind.clients === 1)) {
    const many = creates.find(({ setup, kind }) => setup === one.setup && kind.clients === MANY_CLIENTS)
    const ratio = median(
      one.samples.map(({ rate }, round) => (many?.samples[round]?.rate ?? Number.NaN) / rate),
    )
    const { store, processes } = one.setup
    console.log(
      `| ${store}, ${processes} server process${processes === 1 ? '' : 'es'} | ` +
        `${whole(figure(one, 'rate'))} | ${whole(figure(many, 'rate'))} | ${ratio.toFixed(1)} |`,
    )
  }
}

/** For docs/scaling.md: what a core can do, computed from what a request costs. */
export function printCapacity(all: readonly Measured[]): void {
  console.log(
    '\n| request | a core of Hydrant: requests/s | a core of PostgreSQL: requests/s | cores of Hydrant to one of PostgreSQL |\n|---|---|---|---|',
  )
  for (const measured of all.filter(({ kind, setup }) => setup.processes === 2 && kind.clients > 1)) {
    const [ours, its] = [figure(measured, 'hydrantCost'), figure(measured, 'postgresCost')]
    console.log(
      `| ${measured.kind.name} | ${whole(1_000_000 / ours)} | ${whole(1_000_000 / its)} | ${(ours / its).toFixed(1)} |`,
    )
  }
}
