/** TypeScript types of an API, for the client. */
export { describeServed } from './served.ts'
export { oneLine } from './text.ts'
export { type DescribedApi, describeModel, writeTypes } from './typescript.ts'
