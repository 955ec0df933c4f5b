import { audit } from './audit/command.ts';
import { backup } from './backup/command.ts';
import { completion } from './completion/command.ts';
import type { CommandDefinition } from './definition.ts';
import { doctor } from './doctor/command.ts';
import { exportSecretKey } from './export-secret-key/command.ts';
import { redisServers } from './redis-servers/command.ts';
import { resetPassword } from './reset-password/command.ts';
import { restore } from './restore/command.ts';
import { shardDatabase } from './shard-database/command.ts';
import { start } from './start/command.ts';

/** All commands, in the order of help and of docs/command-line.md. */
export const commands: readonly CommandDefinition[] = [
  start,
  doctor,
  audit,
  backup,
  restore,
  resetPassword,
  redisServers,
  shardDatabase,
  exportSecretKey,
  completion,
];
