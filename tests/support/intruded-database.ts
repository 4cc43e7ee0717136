import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A database behind a man in the middle. */
export interface IntrudedDatabase {
  readonly port: number;
  /** Reply of the database to the injected statement; '' until then. */
  readonly answer: () => string;
  stop(): void;
}

type Kind = 'postgres' | 'mysql';

/** Injects a statement into each session before the client's first query of the catalogue, and withholds the reply from the client. */
export async function intrudedDatabase(kind: Kind, to: URL, statement: string): Promise<IntrudedDatabase> {
  let answer = '';
  const server = createServer((client) => {
    const database = connect(Number(to.port || (kind === 'mysql' ? 3306 : 5432)), to.hostname);
    for (const socket of [client, database]) socket.on('error', () => end(client, database));
    let questions = 0;
    let isAnswering = false;
    let waiting = Buffer.alloc(0);
    client.on('data', (chunk) => {
      // The first query of a MySQL session makes it read-only.
      if (isQuestion[kind](chunk)) questions += 1;
      if (isAnswering || answer !== '' || questions !== (kind === 'mysql' ? 2 : 1)) return void database.write(chunk);
      isAnswering = true;
      waiting = chunk;
      database.write(asked[kind](statement));
    });
    database.on('data', (chunk) => {
      if (!isAnswering) return void client.write(chunk);
      answer += chunk.toString('latin1');
      if (!isOver[kind](chunk)) return;
      isAnswering = false;
      database.write(waiting);
    });
    client.on('close', () => end(client, database));
    database.on('close', () => end(client, database));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { port: (server.address() as AddressInfo).port, answer: () => answer, stop: () => void server.close() };
}

const end = (...sockets: Socket[]) => {
  for (const socket of sockets) socket.destroy();
};

const simpleQuery = 'Q'.charCodeAt(0);
const parse = 'P'.charCodeAt(0);
const comQuery = 3;

const isQuestion: Readonly<Record<Kind, (chunk: Buffer) => boolean>> = {
  postgres: (chunk) => chunk[0] === simpleQuery || chunk[0] === parse,
  mysql: (chunk) => chunk[3] === 0 && chunk[4] === comQuery,
};

const asked: Readonly<Record<Kind, (statement: string) => Buffer>> = {
  postgres(statement) {
    const text = Buffer.from(`${statement}\0`);
    const head = Buffer.alloc(5);
    head[0] = simpleQuery;
    head.writeUInt32BE(text.length + 4, 1);
    return Buffer.concat([head, text]);
  },
  mysql(statement) {
    const text = Buffer.from(statement);
    const head = Buffer.alloc(5);
    head.writeUIntLE(text.length + 1, 0, 3);
    head[4] = comQuery;
    return Buffer.concat([head, text]);
  },
};

/** Detects the end of a reply: PostgreSQL signals that it is ready for another query; MySQL answers a refusal in one packet. */
const isOver: Readonly<Record<Kind, (chunk: Buffer) => boolean>> = {
  postgres: (chunk) => chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5])),
  mysql: () => true,
};
