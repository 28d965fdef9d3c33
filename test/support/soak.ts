/** What takes minutes is whole in `npm run soak`, and shorter in `npm test`. */
export const inSoak = <T>(whole: T, short: T): T => (process.env.HYDRANT_SOAK ? whole : short)

/** The options of a test that `npm test` only lists as skipped: others hold most of it, for less. */
export const SOAK_ONLY = { skip: inSoak<boolean | string>(false, 'npm run soak runs it') }
