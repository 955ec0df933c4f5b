export { comparePositions, type Position } from '../ports/position.ts';
