import { useLayoutEffect, useMemo } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { Page } from '../../shared/controls/index.ts'
import { Anchors, ClassLink, reveal } from './class-link.tsx'
import { ClassSection } from './class-section.tsx'
import { ForPrograms, SearchGuide } from './for-programs.tsx'
import { ClassPicture } from './picture/class-picture.tsx'
import { findSubject, graphOf, readSubjects, type Subject } from './subjects.ts'

const MOST_OPEN = 100

/** The API's documentation, for people. `name`: the class that the address names. */
export function DocumentationPage({ name }: { name: string | undefined }) {
  const { documentation, collections } = useApi()
  const subjects = useMemo(() => readSubjects(documentation, collections), [documentation, collections])
  const { things, technical } = subjects
  const graph = useMemo(() => graphOf(things), [things])
  const wanted = name === undefined ? undefined : findSubject(subjects, name)
  const anchor = wanted?.anchor
  useLayoutEffect(() => {
    if (anchor !== undefined) reveal(anchor)
  }, [anchor])

  const anchors = new Map([...things, ...technical].map((subject) => [subject.cls.iri, subject.anchor]))
  return (
    <Page title={`${documentation.title || 'API'} documentation`}>
      <Anchors.Provider value={anchors}>
        <div class="doc-room">
          <div class="doc">
            <nav class="doc-contents" aria-labelledby="doc-contents">
              <h2 id="doc-contents">Classes</h2>
              <ul>
                {things.map(({ anchor, cls }) => (
                  <li key={anchor}>
                    <ClassLink iri={cls.iri} />
                  </li>
                ))}
              </ul>
            </nav>
            <div class="doc-text">
              {name !== undefined && !wanted && <p class="warning">There is no class “{name}”.</p>}
              {documentation.description && <p class="doc-lead">{documentation.description}</p>}
              {things.length > 0 && (
                <section class="stack" aria-labelledby="doc-picture">
                  <h2 id="doc-picture">Classes and links</h2>
                  <ClassPicture graph={graph} />
                </section>
              )}
              <ForPrograms />
              <SearchGuide />
              <Sections subjects={things} />
              {technical.length > 0 && (
                <details class="doc-technical">
                  <summary>
                    <h2>Technical classes</h2>
                  </summary>
                  <p class="hint">
                    The entry point, collections, errors and the like, which mostly matter to programs.
                  </p>
                  <Sections subjects={technical} />
                </details>
              )}
            </div>
          </div>
        </div>
      </Anchors.Provider>
    </Page>
  )
}

const Sections = ({ subjects }: { subjects: readonly Subject[] }) =>
  subjects.map((subject) => (
    <ClassSection key={subject.anchor} subject={subject} isFolded={subjects.length > MOST_OPEN} />
  ))
