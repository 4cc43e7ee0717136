import { createServer } from 'node:http';
import { rejectUnparsed } from '../../platform/http/unparsed.ts';

/** A temporary server that occupies the port while the real one starts. */
export interface StartingServer {
  readonly port: number;
  /** Releases the port, so that the real server can listen. */
  close(): Promise<void>;
}

/** Listens before anything is changed, so that a port in use fails first. It answers the liveness probe, and 503 to everything else, with the given headers. */
export async function openStartingServer(
  host: string,
  port: number,
  { headers, basePath = '' }: { readonly headers: Readonly<Record<string, string>>; readonly basePath?: string },
): Promise<StartingServer> {
  const server = createServer((request, response) => {
    const isLivenessProbe = request.url === '/health/live' || request.url === `${basePath}/health/live`;
    const head = { ...headers, 'content-type': 'application/json; charset=utf-8', connection: 'close', 'cache-control': 'no-store' };
    response
      .writeHead(isLivenessProbe ? 200 : 503, isLivenessProbe ? head : { ...head, 'retry-after': '2' })
      .end(JSON.stringify({ status: isLivenessProbe ? 'live' : 'starting' }));
  });
  server.on('clientError', (error, socket) => rejectUnparsed(error, socket, headers));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
