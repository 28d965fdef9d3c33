/** What takes minutes is whole in `npm run soak`, and shorter in `npm test`. */
export const inSoak = <T>(whole: T, short: T): T => (process.env.HYDRANT_SOAK ? whole : short)
