// The engine in the thread that made it: texts in, parsed answers out.

import createModule from './engine/tessera.js';

const kMostLogLines = 64;

export class TesseraEngine {
  #module;
  #dead = '';

  // `compiled`: of engine/tessera.wasm.
  static async fromModule(compiled) {
    const engine = new TesseraEngine();
    const log = [];
    const say = (line) => log.push(String(line)) > kMostLogLines && log.shift();
    engine.#module = await new Promise((resolve, reject) => {
      const instantiateWasm = (imports, done) => {
        WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled), reject);
        return {};
      };
      const onAbort = (reason) => (engine.#dead = [String(reason), ...log].join('\n'));
      createModule({ instantiateWasm, print: say, printErr: say, onAbort }).then(resolve, reject);
    });
    return engine;
  }

  // The answer of the engine's call as the text that it wrote.
  json(call, ...texts) {
    if (this.#dead !== '') throw new Error(`the engine has stopped: ${this.#dead}`);
    try {
      return this.#module[call](...texts);
    } catch (error) {
      this.#dead ||= String(error);
      throw new Error(`the engine has stopped: ${this.#dead}`, { cause: error });
    }
  }

  version() {
    return JSON.parse(this.json('version'));
  }
  catalog() {
    return JSON.parse(this.json('catalog'));
  }
  lint(text) {
    return JSON.parse(this.json('lint', text));
  }
  run(text, options = {}) {
    return JSON.parse(this.json('run', text, JSON.stringify(options)));
  }
  compare(text, runs) {
    return JSON.parse(this.json('compare', text, JSON.stringify({ runs })));
  }
  passes(text, options = {}) {
    return JSON.parse(this.json('passes', text, JSON.stringify(options)));
  }
  regret(text, options = {}) {
    return JSON.parse(this.json('regret', text, JSON.stringify(options)));
  }
  problem(text, options = {}) {
    return JSON.parse(this.json('problem', text, JSON.stringify(options)));
  }
  export(text, what, options = {}) {
    return JSON.parse(this.json('export', text, JSON.stringify(options), what));
  }
}

// What a worker may be asked for: the names of the methods above.
export const kMethods = [
  'version',
  'catalog',
  'lint',
  'run',
  'compare',
  'passes',
  'regret',
  'problem',
  'export',
  'json',
];
