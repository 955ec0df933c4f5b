/** Tests that start processes and wait for them: about as long as all others, and mostly waiting. CI runs the halves side by side. */
const PROCESSES = ['composition', 'faults', 'runtime/simulator', 'simulation'].map(
  (folder) => `dist/test/${folder}/**/*.test.js`,
);

const half = process.env.TEST_HALF;

module.exports = {
  spec: half === 'processes' ? PROCESSES : ['dist/test/**/*.test.js'],
  ignore: half === 'rest' ? PROCESSES : [],
  timeout: 20_000,
  'node-option': ['enable-source-maps'],
  exit: false,
};
