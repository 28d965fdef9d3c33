import { ApiError } from 'hydrant-client'
import { COMMAND_SETTINGS } from '../config/index.ts'
import { Problem } from '../problem.ts'
import { sayProblem } from '../service/problems/index.ts'
import { type DescribedApi, describeModel, describeServed, oneLine, writeTypes } from '../types/index.ts'
import { isAccount, type Model, permittedModel } from '../vocabulary/index.ts'
import { readApiFile } from './api-file.ts'
import type { Invocation } from './invocation.ts'
import { STANDARD_STREAM, withOutput } from './output.ts'
import { commandProblem } from './problems.ts'
import { rolesAsked } from './rights.ts'
import { askerOf, readAddress, serverProblem } from './server.ts'

/** `hydrant types <api-file or url>`: prints types for the client. */
export async function printTypes(call: Invocation, source: string): Promise<void> {
  const out = call.setting(COMMAND_SETTINGS.out) ?? STANDARD_STREAM
  const isAddress = /^https?:/i.test(source)
  const api = isAddress
    ? await describeServer(call, readAddress(source))
    : describeModel(await readModel(call, source))
  await withOutput(call.io, out, (write) => write(writeTypes(api)))
  if (out !== STANDARD_STREAM) call.console.log(`The types were written to ${out}.`)
}

/** All that a file describes, or with `--as` what users with these roles may see; accounts where the file is about them. */
async function readModel(call: Invocation, file: string): Promise<Model> {
  const { model, served } = await readApiFile(call, file)
  const roles = rolesAsked(call, model)
  const permitted = permittedModel(served, roles ?? model.access?.roles ?? [])
  const withAccount = model.accounts !== undefined || model.classes.some(isAccount)
  const accounts = withAccount ? permitted.classes.filter(isAccount) : []
  const classes = (roles === undefined ? model : permitted).classes.filter((cls) => !isAccount(cls))
  return { ...model, classes: [...classes, ...accounts] }
}

async function describeServer(call: Invocation, address: string): Promise<DescribedApi> {
  try {
    const api = await describeServed(address, askerOf(call))
    for (const { at, ...problem } of api.leftOut) {
      const path = at.path ?? ''
      const sentence = sayProblem({ at, ...problem })
      call.console.error(
        `hydrant: note: left out: ${oneLine(path === '' ? sentence : `${path}: ${sentence}`)}`,
      )
    }
    return api
  } catch (error) {
    if (error instanceof ApiError) throw serverProblem(error, address)
    if (error instanceof Problem || !(error instanceof Error)) throw error
    throw commandProblem('UnexpectedReply', { reason: oneLine(error.message) }, { cause: error })
  }
}
