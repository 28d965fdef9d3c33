import { useEffect } from 'preact/hooks'
import { announcement, silence } from '../shared/controls/announcement.ts'
import { useStore } from '../shared/store.ts'

/** Around the pages, since what did it is gone when it is said; and gone with the API that it is about. */
export function AnnouncementRegion() {
  const sentence = useStore(announcement)
  useEffect(() => {
    // What was said belongs to the page that it was said on; what is about to be, to the one that comes.
    const onMove = () => announcement.get() && silence()
    addEventListener('hashchange', onMove)
    return () => {
      silence()
      removeEventListener('hashchange', onMove)
    }
  }, [])
  return (
    <div class="announcement" role="status">
      {sentence}
    </div>
  )
}
