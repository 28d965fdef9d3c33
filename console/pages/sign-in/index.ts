export { AddressForm, type ApiSwitch, BackToServed } from './address-form.tsx'
export { SignInDialog } from './sign-in-dialog.tsx'
export { Connecting, ConnectionFailed, SignInPage, StartPage, signOutSentence } from './start-pages.tsx'
