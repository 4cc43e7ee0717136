import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a port of this machine without a listener. It is below the range of ephemeral ports (32,768 on Linux, 49,152 elsewhere), so that no outgoing connection
 * takes it before the server starts, or between two starts.
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
