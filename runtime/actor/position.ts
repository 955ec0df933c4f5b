export { comparePositions, type Position, positionOf, positionSequence, positionTimeMs } from '../ports/position.ts';
