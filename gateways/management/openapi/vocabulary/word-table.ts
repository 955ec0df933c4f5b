/**
 * Name of a field → what it means, in a sentence, and a value that it may have. One word has one meaning in the whole API: a field
 * whose own schema says nothing is described by its name. What is said here need not be said by each of the resources.
 */
export type Words = Readonly<Record<string, readonly [description: string, example?: unknown]>>;
