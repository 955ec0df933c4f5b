/** A transparent 1×1 GIF of exactly 43 bytes (specification, Limits). */
export const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
