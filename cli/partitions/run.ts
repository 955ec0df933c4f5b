import { MoveRefused, moveToPartitions } from '../../composition/partitions/move-to-partitions.ts';
import { withStoppedExchange } from '../../composition/partitions/with-stopped-exchange.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';

export const run: Run<{ readonly to: number }> = async ({ options: { to }, tell }) => {
  process.umask(0o077);
  const moved = await withStoppedExchange(readSettings(process.env), (exchange) =>
    moveToPartitions({ ...exchange, tell }, to),
  ).catch((error) => {
    throw error instanceof MoveRefused ? new CommandFailed(error.message, EXIT.refused, 'REFUSED') : error;
  });
  return {
    json: moved,
    text: `The exchange has ${moved.to} partitions (${moved.from} before). Set PARTITIONS=${moved.to} for all its processes.\n`,
  };
};
