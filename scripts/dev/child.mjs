/** A process of `npm run dev` that exchanges messages with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for which a process may finish its work before it is killed. */
const stopMs = 1500;

/** A child process. Its messages have a `kind`; a message of kind `failed` contains the text of an error. */
export class Child {
  /** Text of the error that the process has reported. */
  problem;
  /** True once `stop` has been called. */
  isStopping = false;
  handlers = new Map();

  constructor(script, args, environment, nodeOptions = []) {
    this.process = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, script), ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // In its own process group it gets no Ctrl-C from the terminal, only the signal that `stop` sends.
      detached: process.platform !== 'win32',
      env: environment,
    });
    this.ended = once(this.process, 'exit').then(([code, signal]) => signal ?? code);
    this.process.on('message', ({ kind, ...content }) => {
      if (kind === 'failed') this.problem = content.message;
      this.handlers.get(kind)?.(content);
    });
  }

  get hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Resolves with the first message of one of these kinds, or undefined if the process ends before. */
  firstMessage(...kinds) {
    return Promise.race([
      new Promise((resolve) => {
        for (const kind of kinds) this.handlers.set(kind, (content) => resolve({ kind, ...content }));
      }),
      this.ended.then(() => undefined),
    ]);
  }

  send(command) {
    if (this.process.connected) this.process.send(command);
  }

  /** Requests the end of the process, by default with SIGTERM, and kills it if it takes longer than `stopMs`. */
  async stop(requestStop = () => this.process.kill('SIGTERM')) {
    this.isStopping = true;
    if (this.hasEnded) return;
    requestStop();
    if ((await Promise.race([this.ended, wait(stopMs, 'late', { ref: false })])) === 'late') this.process.kill('SIGKILL');
    await this.ended;
  }
}
