import { useEffect, useMemo } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { Page } from '../../shared/controls/index.ts'
import { type Anchors, ClassName, hrefOfClass, reveal } from './class-link.tsx'
import { ClassSection, FoldedClass } from './class-section.tsx'
import { Asking, SigningIn } from './for-programs.tsx'
import { ClassPicture } from './picture/class-picture.tsx'
import { graphOf } from './picture/graph.ts'
import { findSubject, readSubjects, type Subject } from './subjects.ts'

/** With more classes than this, one opens those that one wants to read. */
const MOST_OPEN = 100

/** What the API says of itself, to be read by people. `name`: the class that one came for. */
export function DocumentationPage({ name }: { readonly name: string | undefined }) {
  const { documentation, collections } = useApi()
  const subjects = useMemo(() => readSubjects(documentation, collections), [documentation, collections])
  const { things, technical } = subjects
  const graph = useMemo(() => graphOf(things), [things])
  const wanted = name === undefined ? undefined : findSubject(subjects, name)
  const anchor = wanted?.anchor
  useEffect(() => {
    if (anchor !== undefined) reveal(anchor)
  }, [anchor])

  const anchors = new Map([...things, ...technical].map((subject) => [subject.cls.iri, subject.anchor]))
  const sectionsOf = (some: readonly Subject[]) => {
    const Section = some.length > MOST_OPEN ? FoldedClass : ClassSection
    return some.map((subject) => <Section key={subject.anchor} subject={subject} anchors={anchors} />)
  }
  const hrefOfBox = (iri: string): string => hrefOfClass(anchors.get(iri) ?? '')
  return (
    <Page title={`${documentation.title || 'API'} documentation`}>
      <div class="doc-room">
        <div class="doc">
          <Contents things={things} anchors={anchors} />
          <div class="doc-text">
            {name !== undefined && !wanted && (
              <p class="doc-missing">There is no class named “{name}” here.</p>
            )}
            {documentation.description && <p class="doc-lead">{documentation.description}</p>}
            {things.length > 0 && (
              <section class="doc-section" aria-labelledby="doc-picture">
                <h2 id="doc-picture" tabIndex={-1}>
                  Classes and links
                </h2>
                <ClassPicture graph={graph} hrefOfBox={hrefOfBox} />
              </section>
            )}
            <SigningIn />
            <Asking />
            {sectionsOf(things)}
            {technical.length > 0 && (
              <details class="doc-technical">
                <summary>
                  <h2 id="doc-technical" tabIndex={-1}>
                    Technical classes
                  </h2>
                </summary>
                <p class="hint">
                  The entry point, collections, errors and the like: programs need them, people hardly ever.
                </p>
                {sectionsOf(technical)}
              </details>
            )}
          </div>
        </div>
      </div>
    </Page>
  )
}

interface ContentsProps {
  readonly things: readonly Subject[]
  readonly anchors: Anchors
}

export const Contents = ({ things, anchors }: ContentsProps) => (
  <nav class="doc-contents" aria-labelledby="doc-contents">
    <h2 id="doc-contents">Classes</h2>
    <ul>
      {things.map(({ anchor, cls }) => (
        <li key={anchor}>
          <ClassName iri={cls.iri} anchors={anchors} />
        </li>
      ))}
    </ul>
  </nav>
)
