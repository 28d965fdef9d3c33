/** `hydrant/client`: the package `hydrant-client`, for programs that have installed `hydrant` anyway. */
export * from 'hydrant-client'
