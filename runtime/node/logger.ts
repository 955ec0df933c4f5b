/** The part of a pino logger that the runtime uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const SILENT: Logger = { info() {}, warn() {}, error() {} };
