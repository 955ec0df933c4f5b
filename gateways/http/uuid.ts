const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID. All ids are UUIDs, so the store need not be asked for any other. */
export function isUuid(id: string): boolean {
  return form.test(id);
}
