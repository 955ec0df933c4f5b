import { Cluster } from './cluster.ts';

/** A suite whose tests each have a cluster of their own; what its processes logged is printed with a failure. */
export function describeCluster(title: string, suite: (cluster: () => Cluster) => void): void {
  describe(title, () => {
    let cluster: Cluster | undefined;

    beforeEach(async function () {
      cluster = await Cluster.open(this);
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') process.stderr.write(`${cluster?.log.slice(-60).join('\n')}\n`);
      await cluster?.close();
      cluster = undefined;
    });

    suite(() => cluster!);
  });
}
