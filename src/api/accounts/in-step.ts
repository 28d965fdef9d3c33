import { withoutStoring } from '../respond.ts'
import type { Handler } from '../types.ts'
import type { Accounts } from './dependencies.ts'

/** Serves accounts as they are now. Nothing keeps the response: under one ETag, the number of tokens may differ. */
export const inStep =
  ({ mirror }: Pick<Accounts, 'mirror'>, handler: Handler): Handler =>
  async (context) => {
    await mirror()
    return withoutStoring(await handler(context))
  }
