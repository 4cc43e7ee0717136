/** A process of `npm run dev` that exchanges messages with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for which a process may finish its work before it is killed. */
const stopMs = 1500;

/** A child process. Its messages have a `kind`; one of kind `failed` contains a message for the author. */
export class Child {
  /** Message of the error with which the process has ended. */
  problem;
  /** True once `stop` has been called. */
  isStopping = false;
  received = new Map();

  constructor(script, args, environment, nodeOptions = []) {
    this.process = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, script), ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // In a process group of its own it gets a terminal's Ctrl-C only from here.
      detached: process.platform !== 'win32',
      env: environment,
    });
    this.ended = once(this.process, 'exit').then(([code, signal]) => signal ?? code);
    this.process.on('message', ({ kind, ...content }) => {
      if (kind === 'failed') this.problem = content.message;
      this.received.get(kind)?.(content);
    });
  }

  get hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Resolves with the first message of one of these kinds, or undefined if the process ends before. */
  message(...kinds) {
    return Promise.race([
      new Promise((resolve) => {
        for (const kind of kinds) this.received.set(kind, (content) => resolve({ kind, ...content }));
      }),
      this.ended.then(() => undefined),
    ]);
  }

  send(command) {
    if (this.process.connected) this.process.send(command);
  }

  /** Asks the process to stop, with a signal or a message, and kills it if it takes longer. */
  async stop(ask = () => this.process.kill('SIGTERM')) {
    this.isStopping = true;
    if (this.hasEnded) return;
    ask();
    if ((await Promise.race([this.ended, wait(stopMs, 'late', { ref: false })])) === 'late') this.process.kill('SIGKILL');
    await this.ended;
  }
}
