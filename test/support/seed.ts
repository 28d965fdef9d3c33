import fc from 'fast-check'

// Preloaded by `npm test`: random inputs are the same in every run, so that a failure belongs to a change. `npm run soak`,
// and a file that is run by itself, draw new ones each time.
const SEED = 20260701

if (!process.env.HYDRANT_SOAK) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
