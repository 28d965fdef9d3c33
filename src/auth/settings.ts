/** The door for `config/`, which every command loads: nothing behind it brings argon2 or a database along. */
export { type AddressRange, readAddressRange } from './throttle.ts'
export { LONGEST_TOKEN_MS } from './token.ts'
