import type { Logger } from '../actor/logger.ts';

export const SILENT: Logger = { info() {}, warn() {}, error() {} };
