/**
 * Code, styles and images are files of this server and nothing else, text never becomes markup or code, nothing frames
 * the page, and no form is ever sent: whatever an API answers, a browser shows it as text. An API may be anywhere.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** What the page has no use for, and so what gets into it shall not have either. The clipboard it does use. */
const REFUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/**
 * On every answer, errors included. Not Strict-Transport-Security: that would hold for every port of the name, and the
 * name is often `localhost`.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A token is in the page's memory: pages of other ports of this name get a process of their own.
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': REFUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
}
