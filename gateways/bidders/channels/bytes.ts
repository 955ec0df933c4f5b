/** The bytes that answers over HTTP/1.x are divided by. */
export const CR = 13;
export const LF = 10;
export const SP = 32;
export const TAB = 9;
export const ZERO = 48;
export const COLON = 58;
export const SEMICOLON = 59;
export const EQUALS = 61;
export const QUOTE = 34;
export const BACKSLASH = 92;

/** The characters of a field's name (RFC 9110 §5.6.2). */
export const TOKEN = tableOf((code) =>
  "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".includes(String.fromCharCode(code)),
);
/** The bytes of a field's value: visible characters, space, tab and obs-text (RFC 9110 §5.5). */
export const FIELD_VALUE = tableOf((code) => code === TAB || (code >= SP && code !== 127));

function tableOf(has: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (has(code) ? 1 : 0));
}
