export { CreatePage } from './create-page.tsx'
export { FormDialog } from './dialogs.tsx'
export { EditPage } from './edit-page.tsx'
export { LinkPicker } from './picker/link-picker.tsx'
