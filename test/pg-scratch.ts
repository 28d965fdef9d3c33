import { usePostgres } from './support/databases.ts'

usePostgres()
for (const file of process.env.FILES?.split(' ')) await import(file)
