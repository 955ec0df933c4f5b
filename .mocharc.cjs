/** Files named on the command line are run alone; otherwise all tests are. `scripts/tests/run.mjs` runs them by groups. */
const named = process.argv.slice(2).some((argument) => /\.test\.[jt]s$/.test(argument));

module.exports = {
  spec: named ? [] : ['dist/test/**/*.test.js'],
  timeout: 180_000,
  'node-option': ['enable-source-maps'],
  exit: false,
};
