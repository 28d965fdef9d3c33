import type { Handler } from '../types.ts'
import type { Accounts } from './dependencies.ts'

/** Serves accounts as they are now. Nothing keeps the response: under one ETag, the number of tokens may differ. */
export const inStep =
  ({ mirror }: Pick<Accounts, 'mirror'>, handler: Handler): Handler =>
  async (context) => {
    await mirror()
    return withoutStoring(await handler(context))
  }

/** A response that nothing keeps. */
export const withoutStoring = (response: Awaited<ReturnType<Handler>>) => ({
  ...response,
  shared: response.shared.map((text, at) =>
    response.shared[at - 1] === 'Cache-Control' ? 'no-store' : text,
  ),
})
