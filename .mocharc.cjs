/** Tests that start processes, or whole exchanges, and wait for them. CI runs these beside all others. */
const PROCESSES = ['composition', 'faults', 'runtime/simulator', 'simulation', 'specification'].map(
  (folder) => `dist/test/${folder}/**/*.test.js`,
);

const half = process.env.TEST_HALF;

module.exports = {
  spec: half === 'processes' ? PROCESSES : ['dist/test/**/*.test.js'],
  ignore: half === 'rest' ? PROCESSES : [],
  timeout: 40_000,
  'node-option': ['enable-source-maps'],
  exit: false,
};
