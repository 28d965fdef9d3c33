import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startClient, type TestClient } from '../support/client.ts'
import { HYDRANT, type Running, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

/** The build of this repository, which `npm run build` has made. */
export const THIS_BUILD = HYDRANT

/** The address that clients know, the same for all hosts; they connect to the port of one of them. */
export const BASE = 'http://rolling.test/api'

/** What a host runs. */
export interface HostPlan {
  /** The command: THIS_BUILD, or `await previousBuild()`. */
  readonly build: string
  /** The text of its API file. */
  readonly api: string
  /** Further arguments of `hydrant serve`. */
  readonly flags?: readonly string[]
}

/** A host as a proxy sees it. */
export interface Host {
  readonly plan: HostPlan
  readonly base: string
  readonly port: number
  readonly client: TestClient
  /** The log so far. */
  log(): string
}

/** Hosts on one database, and those among them that a proxy would send requests to. */
export interface Rotation {
  /** Those in service, by their places: a host that is being replaced is not among them. */
  hosts(): readonly Host[]
  /** One of them; each call another. */
  next(): Host
  /**
   * Takes the host at a place out, and stops it when it has answered, as a load balancer does; its streams end with it.
   * Then starts another one there, and takes it in once it is ready.
   */
  replace(place: number, plan: HostPlan): Promise<void>
  /** `kill -9`; the place stays empty until it is replaced. Requests that the host had get no response. */
  kill(place: number): Promise<void>
}

interface Placed extends Host {
  readonly running: Running
  /** Resolves when every request has its response. */
  answered(): Promise<unknown>
}

/** Starts one host for each plan, all at once. `db`: the address of the database, which has the users already. */
export async function startRotation(
  t: TestContext,
  db: string,
  plans: readonly HostPlan[],
): Promise<Rotation> {
  const places: (Placed | undefined)[] = await Promise.all(plans.map((plan) => startHost(t, db, plan)))
  const hosts = () => places.filter((host) => host !== undefined)
  let turn = 0
  return {
    hosts,
    next() {
      const inService = hosts()
      turn += 1
      return inService[turn % inService.length] as Host
    },
    async replace(place, plan) {
      const former = places[place]
      places[place] = undefined
      await former?.answered()
      const status = await former?.running.stop()
      if (former !== undefined && status !== 0)
        throw new Error(`A host has ended with ${status}:\n${former.log()}`)
      places[place] = await startHost(t, db, plan)
    },
    async kill(place) {
      const former = places[place]
      places[place] = undefined
      await former?.running.stop('SIGKILL')
    },
  }
}

async function startHost(t: TestContext, db: string, plan: HostPlan): Promise<Placed> {
  const { build, api: text, flags = [] } = plan
  const api = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(api, text)
  const args = [build, 'serve', api, '--port', '0', '--base-url', BASE, '--log-format', 'json', ...flags]
  const running = await start(t, args, /"msg":"listening"/, { env: { HYDRANT_DB: db } })
  const port = Number(/"address":"[^"]*:(\d+)"/.exec(running.output())?.[1])
  const client = startClient({ base: BASE, port })
  const pending = new Set<Promise<unknown>>()
  const send: TestClient['send'] = (...request) => {
    const response = client.send(...request)
    pending.add(response)
    const end = () => pending.delete(response)
    response.then(end, end)
    return response
  }
  return {
    ...{ plan, base: BASE, port, running },
    client: { ...client, send },
    log: () => running.output(),
    answered: () => Promise.allSettled(pending),
  }
}
