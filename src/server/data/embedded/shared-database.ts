import type { Socket } from 'node:net';
import type { DatabaseConnection } from '../database/session.ts';
import { type EmbeddedDriver, embeddedDriver } from './embedded-driver.ts';
import { errorFields, fromLine, type SharedRequest, toLine } from './wire-lines.ts';

/** A turn of a process: it alone uses the connection until it ends the turn or is gone. */
interface Turn {
  readonly connection: DatabaseConnection;
  readonly end: () => void;
}

/** An embedded database that is open in this process and used by others. */
export interface SharedDatabase {
  close(): Promise<void>;
}

/**
 * Opens an embedded database for other processes of this machine, which reach it with `sharedDriver` while this one runs. Development keeps it open across restarts
 * of the server in this way. Throws if it is open elsewhere, and if the file system has no sockets.
 */
export async function shareDatabase(options: { readonly directory: string; readonly timeZone: string }): Promise<SharedDatabase> {
  const sessions = new SharedSessions();
  const driver = await embeddedDriver({ ...options, template: undefined, onLine: (caller, line) => sessions.answer(caller, line) });
  sessions.open(driver);
  return { close: () => driver.close() };
}

class SharedSessions {
  private readonly turns = new Map<Socket, Turn>();
  private readonly joined = new Set<Socket>();
  private last: Socket | undefined;
  private resolveDriver: (driver: EmbeddedDriver) => void = () => undefined;
  private readonly driver = new Promise<EmbeddedDriver>((resolve) => {
    this.resolveDriver = resolve;
  });

  open(driver: EmbeddedDriver): void {
    driver.onNotification(() => {
      for (const caller of this.joined) caller.write(toLine({ kind: 'finished' }));
    });
    this.resolveDriver(driver);
  }

  /** Returns false for a line that is not a request of `SharedRequest`. */
  answer(caller: Socket, line: string): boolean {
    const request = fromLine<SharedRequest>(line);
    if (request === undefined) return false;
    if (request.kind === 'end') this.turns.get(caller)?.end();
    else
      this.valueOf(caller, request).then(
        (value) => caller.write(toLine({ kind: 'answer', value })),
        (error) => caller.write(toLine({ kind: 'problem', error: errorFields(error) })),
      );
    return true;
  }

  private async valueOf(caller: Socket, request: Exclude<SharedRequest, { kind: 'end' }>): Promise<unknown> {
    const driver = await this.driver;
    if (request.kind === 'join') return this.join(caller);
    if (request.kind === 'isCopied') return driver.isCopied?.() ?? false;
    if (request.kind === 'use') return this.beginTurn(caller, driver);
    const { connection } = this.turns.get(caller) ?? {};
    if (!connection) throw new Error('The statement belongs to no turn.');
    return request.kind === 'query' ? connection.query(request.text, request.parameters, request.shape) : connection.script(request.text);
  }

  private join(caller: Socket): void {
    this.joined.add(caller);
    caller.once('close', () => {
      this.joined.delete(caller);
      const turn = this.turns.get(caller);
      // A process that was killed within a transaction leaves it open.
      void turn?.connection
        .script('rollback')
        .catch(() => undefined)
        .then(() => turn.end());
    });
  }

  /** Waits until no other process uses the connection. Resolves true if none has used it since the last turn of this one. */
  private beginTurn(caller: Socket, driver: EmbeddedDriver): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const turn = (connection: DatabaseConnection) =>
        new Promise<void>((end) => {
          if (caller.destroyed) return end();
          this.turns.set(caller, {
            connection,
            end: () => {
              this.turns.delete(caller);
              end();
            },
          });
          const isSame = this.last === caller;
          this.last = caller;
          resolve(isSame);
        });
      driver.useConnection(turn).catch(reject);
    });
  }
}
