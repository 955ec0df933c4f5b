import type { Logger } from '../actor/logger.ts';

export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };
