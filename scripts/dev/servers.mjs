/** The servers of `npm run dev`: one that answers, and one that has loaded its packages and waits for the next build. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { sparePort } from '../port.mjs';
import { durationText } from '../steps.mjs';
import { Child } from './child.mjs';

/** Most objects of a start are short-lived; a larger space for them saves half a second of collecting garbage. */
const nodeOptions = ['--max-semi-space-size=64'];

/** Runs the newest build that can run; a build whose migrations or start fail is reported, and the server before it stays. */
export class Servers {
  /** Address of the server that answers. */
  address;
  /** Resolves when no newer build is about to answer; before the first build it waits for it. */
  ready;
  #begin;
  #current;
  #next;
  #starting;
  #stopping;
  #database;
  #databaseBuild;
  #isShared = false;
  #isStopped = false;

  /** `build` and `databaseBuild` are files; `listener` gets `migrated`, `started`, `compared`, `notStarted` and `failed`. */
  constructor({ build, databaseBuild, environment, listener }) {
    Object.assign(this, { build, databaseBuild, environment, listener });
    this.ready = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** Replaces the server by one of the present build. A replacement that has not finished is abandoned for the next one. */
  replace() {
    if (this.#starting) {
      this.#starting.isStopping = true;
      this.#starting.process.kill('SIGKILL');
    }
    this.#begin();
    this.ready = this.ready.then(() => this.#isStopped || this.#replace()).catch((error) => this.listener.failed(error.message));
  }

  async stop() {
    this.#isStopped = true;
    await Promise.all([this.#stopping, ...[this.#next, this.#starting, this.#current].map((child) => child?.stop())]);
    await this.#database?.stop(() => this.#database.send('stop'));
  }

  async #replace() {
    const began = performance.now();
    await this.#stopping;
    await this.#openDatabase();
    if (!this.#isShared && !this.environment.DATABASE_URL) await this.#current?.stop();
    const child = this.#next ?? (await this.#prepare());
    this.#next = undefined;
    this.#starting = child;
    const ready = await this.#start(child);
    this.#starting = undefined;
    if (ready) {
      const before = this.#current;
      this.#current = child;
      this.address = child.address;
      child.ended.then((code) => child.isStopping || this.listener.failed(`The server exited with ${code}. It restarts when one of its files changes.`));
      this.listener.started({ ...ready, duration: durationText(performance.now() - began), isRestart: before !== undefined });
      this.#stopping = before?.stop().then(() => this.#prepareNext()) ?? this.#prepareNext();
      return;
    }
    if (!child.isStopping)
      this.listener.notStarted(child.problem, this.#isRunning() ? 'The server before this change keeps running.' : 'It starts when one of its files changes.');
    child.process.kill('SIGKILL');
    this.#stopping = this.#prepareNext();
  }

  /** Migrates and starts; resolves undefined if either fails. */
  async #start(child) {
    await child.ready;
    child.send('load');
    const migrated = await child.firstMessage('migrated');
    if (!migrated) return undefined;
    this.listener.migrated(migrated);
    // Without a server before it, the other plugins run and the console shows the reason.
    if (migrated.problems.length > 0 && this.#isRunning()) return undefined;
    child.firstMessage('compared').then((compared) => compared && this.listener.compared(compared.differences));
    child.send('start');
    return child.firstMessage('ready');
  }

  #isRunning() {
    return this.#current !== undefined && !this.#current.hasEnded;
  }

  /** Lets the next server load its packages, so that the next change need not wait for them. */
  async #prepareNext() {
    if (!this.#isStopped) this.#next = await this.#prepare();
  }

  async #prepare() {
    const port = await sparePort();
    const child = new Child('server-process.mjs', [this.build], { ...this.environment, PORT: String(port) }, nodeOptions);
    child.address = `http://127.0.0.1:${port}`;
    child.ready = child.firstMessage('waiting');
    return child;
  }

  /** Opens the embedded database, again if its own code has changed. */
  async #openDatabase() {
    if (this.environment.DATABASE_URL || !existsSync(this.databaseBuild)) return;
    const build = createHash('sha256').update(readFileSync(this.databaseBuild)).digest('hex');
    if (this.#database && !this.#database.hasEnded && build === this.#databaseBuild) return;
    await this.#current?.stop();
    await this.#database?.stop(() => this.#database.send('stop'));
    this.#databaseBuild = build;
    this.#database = new Child('database-process.mjs', [this.databaseBuild], this.environment, nodeOptions);
    const opened = await this.#database.firstMessage('open', 'unshared');
    this.#isShared = opened?.kind === 'open';
    if (!opened) throw new Error(this.#database.problem ?? 'The process of the database has ended.');
  }
}
