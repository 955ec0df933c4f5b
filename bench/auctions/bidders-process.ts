import { listenBare } from '../http/bare-server.ts';
import { jobOf, sendToParent } from '../processes/child.ts';
import { bidderAnswers } from './documents.ts';

/** Bidders that answer at once. Says its ports, then, each time it is asked, how many requests it has had. */
const { bidders } = jobOf<{ bidders: number }>();
let requests = 0;
const ports: number[] = [];
for (let index = 0; index < bidders; index++) {
  const answerOf = bidderAnswers(index);
  const { port } = await listenBare((body, answer) => {
    requests += 1;
    answer(answerOf(body));
  });
  ports.push(port);
}
process.on('message', () => sendToParent({ requests }));
sendToParent({ ports });
