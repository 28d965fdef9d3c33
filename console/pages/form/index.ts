export { CreatePage } from './create-page.tsx'
export { OperationDialog } from './dialogs.tsx'
export { EditPage } from './edit-page.tsx'
export { LinkPicker } from './picker/link-picker.tsx'
