// Runs before the page is painted, so that it does not flash in the other theme.
const KEY = 'hydrant-site-theme'
const root = document.documentElement
const stored = localStorage.getItem(KEY)
if (stored === 'light' || stored === 'dark') root.dataset.theme = stored

document.addEventListener('DOMContentLoaded', () => {
  const wide = matchMedia('(min-width: 60rem)')
  const menu = document.querySelector('details.menu')
  const arrange = () => {
    menu.open = wide.matches
  }
  wide.addEventListener('change', arrange)
  arrange()
  document.querySelector('button.theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = isDark ? 'light' : 'dark'
    localStorage.setItem(KEY, root.dataset.theme)
  })
})
