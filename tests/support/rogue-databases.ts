import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** Server that implements as much of a protocol as a test needs; `heard` contains everything that clients sent. */
export interface RogueServer {
  readonly port: number;
  readonly heard: () => Buffer;
  stop(): void;
}

async function rogue(serve: (socket: Socket) => void): Promise<RogueServer> {
  const chunks: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, heard: () => Buffer.concat(chunks), stop: () => void server.close() };
}

function mysqlPacket(sequence: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, content]);
}

const greeting = Buffer.concat([
  Buffer.from([10]),
  Buffer.from('8.0.0-rogue\0'),
  Buffer.from([1, 0, 0, 0]),
  Buffer.from('abcdefgh\0'),
  Buffer.from([0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]),
  Buffer.alloc(10),
  Buffer.from('ijklmnopqrst\0mysql_native_password\0'),
]);
const fine = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

/** Starts a server that accepts any password and answers every query with a request for a file of the client. */
export const fileThief = (path: string): Promise<RogueServer> =>
  rogue((socket) => {
    socket.write(mysqlPacket(0, greeting));
    const answers = [mysqlPacket(2, fine), mysqlPacket(1, Buffer.concat([Buffer.from([0xfb]), Buffer.from(path)]))];
    socket.on('data', () => socket.write(answers.shift() ?? mysqlPacket(3, fine)));
  });

/** Starts a server that greets like PostgreSQL and never stops sending. */
export const endlessTalker = (): Promise<RogueServer> =>
  rogue((socket) => {
    const text = Buffer.from(`M${'x'.repeat(60_000)}\0\0`);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length + 4);
    const notice = Buffer.concat([Buffer.from('N'), length, text]);
    const talk = () => {
      while (!socket.destroyed && socket.write(notice));
    };
    socket.on('drain', talk);
    socket.once('data', talk);
  });

/** Starts a server that accepts connections, greets like MySQL if `greets`, and then stays silent. */
export const silentOne = (greets: boolean): Promise<RogueServer> => rogue((socket) => void (greets && socket.write(mysqlPacket(0, greeting))));
