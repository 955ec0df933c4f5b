/** The number of log partitions of the exchanges that are broken: the setting of an exchange, else the usual number. */
export function partitionsOr(usual: number): number {
  return Number(process.env.PARTITIONS || usual);
}
