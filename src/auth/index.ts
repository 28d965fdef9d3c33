// hydrant/auth: the two-step procedure for a service that exists already.
export type { Token } from '../store/store.ts'
export type { Admission, Knock, Principal } from './gate.ts'
export { hashParaphrase, readParaphrase } from './paraphrase.ts'
export {
  type Admitted,
  type Listener,
  type Middleware,
  openProtection,
  type Protection,
  type ProtectionOptions,
} from './protection.ts'
