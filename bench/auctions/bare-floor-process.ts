import { serveFloor } from '../http/floor-server.ts';
import { jobOf } from '../processes/child.ts';

/**
 * The floor: a bare server that parses the request as JSON and answers the same JSON as the exchange, byte for byte.
 */
const { answer } = jobOf<{ answer: string }>();
const document = JSON.parse(answer);
serveFloor((_body, answerJson) => answerJson(JSON.stringify(document)));
