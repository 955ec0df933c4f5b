import { auctions } from './auctions/command.ts';
import { audit } from './audit/command.ts';
import { auditTrail } from './audit-trail/command.ts';
import { backtest } from './backtest/command.ts';
import { backup } from './backup/command.ts';
import { campaigns } from './campaigns/command.ts';
import { completion } from './completion/command.ts';
import type { CommandDefinition } from './definition.ts';
import { demand } from './demand/command.ts';
import { doctor } from './doctor/command.ts';
import { exportSecretKey } from './export-secret-key/command.ts';
import { jobs } from './jobs/command.ts';
import { keys } from './keys/command.ts';
import { logLevel } from './log-level/command.ts';
import { partitions } from './partitions/command.ts';
import { pools } from './pools/command.ts';
import { prepareDowngrade } from './prepare-downgrade/command.ts';
import { publishers } from './publishers/command.ts';
import { redisServers } from './redis-servers/command.ts';
import { regions } from './regions/command.ts';
import { resetPassword } from './reset-password/command.ts';
import { restore } from './restore/command.ts';
import { seed } from './seed/command.ts';
import { shardDatabase } from './shard-database/command.ts';
import { simulate } from './simulate/command.ts';
import { start } from './start/command.ts';
import { statements } from './statements/command.ts';
import { users } from './users/command.ts';

/** All commands, in the order of help and of docs/command-line.md. */
export const commands: readonly CommandDefinition[] = [
  start,
  seed,
  doctor,
  completion,
  publishers,
  pools,
  demand,
  campaigns,
  auctions,
  simulate,
  backtest,
  statements,
  logLevel,
  keys,
  users,
  jobs,
  auditTrail,
  audit,
  backup,
  restore,
  resetPassword,
  redisServers,
  regions,
  shardDatabase,
  partitions,
  exportSecretKey,
  prepareDowngrade,
];
