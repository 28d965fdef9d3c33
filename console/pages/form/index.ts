export { CreatePage } from './create-page.tsx'
export { EditPage } from './edit-page.tsx'
export { OperationDialog } from './operation-dialog.tsx'
export { LinkPicker } from './picker/link-picker.tsx'
