// Searches the index that tools/site/search-index.ts has written, which is loaded when somebody begins to search.
const MOST = 12
const input = document.querySelector('.search input')
const found = document.querySelector('#found')
const base = new URL(document.body.dataset.root, location.href)
let loading

async function load() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('./minisearch.js'),
    fetch(new URL('assets/search-index.json', base)),
  ])
  return MiniSearch.loadJSON(await response.text(), {
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'excerpt'],
    searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
  })
}

async function search() {
  const query = input.value.trim()
  if (query === '') return show([])
  loading ??= load()
  const index = await loading
  // Typing goes on while the index is loaded.
  if (input.value.trim() === query) show(index.search(query).slice(0, MOST))
}

function show(results) {
  found.hidden = input.value.trim() === ''
  found.replaceChildren(...(results.length > 0 ? results.map(entry) : ['Nothing found.']))
}

function entry({ id, title, page, excerpt }) {
  const link = document.createElement('a')
  link.href = new URL(id, base).href
  const parts = [title === page ? title : `${page} › ${title}`, excerpt].map((text, index) => {
    const part = document.createElement(index === 0 ? 'strong' : 'span')
    part.textContent = text
    return part
  })
  link.append(...parts)
  return link
}

input.addEventListener('input', search)
input.addEventListener('focus', () => {
  loading ??= load()
})
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    input.focus()
  }
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (found.hidden || (document.activeElement !== input && at < 0)) return
  if (event.key === 'Escape') {
    input.value = ''
    show([])
    input.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    ;(links[next] ?? input).focus()
  } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) found.hidden = true
  if (event.target.closest('#found a')) found.hidden = true
})
