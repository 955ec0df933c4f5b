import { parentPort } from 'node:worker_threads';

// A thread of Bree's, started at a job's date. It only wakes: the job itself runs where actors can be spoken to.
parentPort?.postMessage('due');
