/**
 * Field name → its meaning, in a sentence, and an example value. One word has one meaning in the whole API: a field
 * whose own schema has no description is described by its name, so that the resources need not repeat the text.
 */
export type Words = Readonly<Record<string, readonly [description: string, example?: unknown]>>;
