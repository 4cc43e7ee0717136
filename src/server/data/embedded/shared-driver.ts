import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { TaskQueue } from '#shared/task-queue';
import { type DatabaseConnection, DatabaseSession, type Driver } from '../database/session.ts';
import { connectToOwner } from './directory-lock.ts';
import { backupFinished } from './embedded-copies.ts';
import { fromLine, type SharedAnswer, type SharedRequest, toLine } from './wire-lines.ts';

/** Uses the embedded database that another process has opened with `shareDatabase`; undefined if none has. */
export async function sharedDriver(directory: string): Promise<Driver | undefined> {
  const socket = await connectToOwner(directory);
  if (!socket) return undefined;
  const owner = new DriverOwner(socket);
  if (!(await owner.join())) {
    socket.destroy();
    return undefined;
  }
  const connection: DatabaseConnection = {
    query: (text, parameters, shape) => owner.ask({ kind: 'query', text, parameters, shape }) as Promise<unknown[]>,
    script: async (text) => void (await owner.ask({ kind: 'script', text })),
  };
  const queue = new TaskQueue();
  let session = new DatabaseSession(connection);
  const use: Driver['use'] = (work) =>
    queue.run(async () => {
      // The tenant of the connection is unknown after another process has used it.
      if (!(await owner.ask({ kind: 'use' })) || session.isBroken) session = new DatabaseSession(connection);
      try {
        return await work(session);
      } finally {
        owner.send({ kind: 'end' });
      }
    });
  return {
    engine: 'embedded',
    use,
    check: () => use(async () => void (await connection.query('select 1', [], 'arrays'))),
    onNotification: (listener) => owner.onFinished(() => listener(backupFinished, '')),
    signal: undefined,
    isCopied: async () => (await owner.ask({ kind: 'isCopied' })) === true,
    close: () => queue.run(async () => void socket.destroy()),
  };
}

/** The process that has the database open. It answers in the order of the questions. */
class DriverOwner {
  private readonly waiting: { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }[] = [];
  private finished: () => void = () => undefined;

  constructor(private readonly socket: Socket) {
    createInterface({ input: socket }).on('line', (line) => this.receive(line));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error('The process that has the database open is gone.'));
    });
  }

  /** Resolves false if the owner is a server, which does not share its database. */
  async join(): Promise<boolean> {
    return this.ask({ kind: 'join' }).then(
      () => true,
      () => false,
    );
  }

  onFinished(listener: () => void): void {
    this.finished = listener;
  }

  send(request: SharedRequest): void {
    this.socket.write(toLine(request));
  }

  ask(request: SharedRequest): Promise<unknown> {
    if (this.socket.destroyed) return Promise.reject(new Error('The process that has the database open is gone.'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.send(request);
    });
  }

  private receive(line: string): void {
    const answer = fromLine<SharedAnswer>(line);
    const pending = answer?.kind === 'finished' ? undefined : this.waiting.shift();
    if (answer?.kind === 'finished') this.finished();
    else if (answer?.kind === 'answer') pending?.resolve(answer.value);
    else pending?.reject(Object.assign(new Error(), answer?.error ?? { message: 'The database is not shared.' }));
  }
}
