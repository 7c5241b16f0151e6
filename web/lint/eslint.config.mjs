// A small list of rules that hold. eslint has packages of its own: it reads TypeScript with the
// compiler's JavaScript interface, which the compiler of the page (version 7) does not have.
import lit from 'eslint-plugin-lit';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['**/dist/**', '**/public/**', '**/node_modules/**', '**/generated/**'] },
  lit.configs['flat/recommended'],
  {
    files: ['**/*.{ts,mjs}'],
    languageOptions: { parser: ts.parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@typescript-eslint': ts.plugin },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-len': ['error', { code: 120 }],
      'max-lines': ['error', 500],
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-debugger': 'error',
      'no-else-return': 'error',
      'no-implicit-coercion': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-unreachable': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
    },
  },
  { files: ['**/src/**/*.ts'], rules: { 'max-lines-per-function': ['error', 60] } },
);
