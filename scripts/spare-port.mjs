import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of this machine that nobody listens on. It lies below those an operating system gives to outgoing connections (32,768
 * on Linux, 49,152 elsewhere), so that none of them takes it before, or between two starts of, the server that is told of it.
 */
export async function sparePort() {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
