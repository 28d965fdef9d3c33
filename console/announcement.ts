/** A screen reader drops what is said while it begins with a new page; and a region has to be there before its text. */
const BEGIN_MS = 150
const SHOWN_MS = 10_000

let say: ((sentence: string) => void) | undefined

/**
 * Says what has been done ("Book 7 was deleted.") on the page that one is led to afterwards, since the page that did it
 * is gone by then: call it beside `go`. It is seen at the foot of the window, and read out.
 */
export function announce(sentence: string): void {
  say ??= createRegion()
  say(sentence)
}

function createRegion(): (sentence: string) => void {
  const region = document.createElement('div')
  region.className = 'announcement'
  region.setAttribute('role', 'status')
  // Outside of the page, which is another one in a moment.
  document.body.append(region)
  let timer: ReturnType<typeof setTimeout> | undefined

  const later = (act: () => void, ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(act, ms)
  }
  const silence = (): void => {
    clearTimeout(timer)
    region.textContent = ''
  }
  // What was said belongs to the page that it was said on.
  addEventListener('hashchange', () => region.textContent && silence())

  return (sentence) => {
    silence()
    later(() => {
      region.textContent = sentence
      later(silence, SHOWN_MS)
    }, BEGIN_MS)
  }
}
