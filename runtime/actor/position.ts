export { comparePositions, type Position, positionTimeMs } from '../ports/position.ts';
