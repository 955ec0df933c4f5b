import { type TProperties, Type } from 'typebox';

/** Every message of the workload carries a tag of its own, and every state keeps the tags it has had, in order. */
export function Tagged<P extends TProperties>(properties: P) {
  return Type.Object({ tag: Type.String(), ...properties });
}

/** The tag in a message's body, if it has one. */
export function tagOf(body: unknown): string | null {
  const tag = (body as { tag?: unknown } | null)?.tag;
  return typeof tag === 'string' ? tag : null;
}

/** Thrown by every reducer that is handed poison. */
export function poisoned(tag: string): Error {
  return new Error(`poisoned by ${tag}`);
}
