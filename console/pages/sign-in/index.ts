export { AddressForm, type ApiSwitch, ApiSwitchContext } from './address-form.tsx'
export {
  Connecting,
  ConnectionFailed,
  SignInDialog,
  SignInPage,
  StartPage,
  signOutSentence,
} from './start-pages.tsx'
