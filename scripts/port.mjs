/** Finds free ports of this machine. It uses Node built-ins only, so it runs on a fresh clone. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a message if a server cannot listen on the requested port, or else undefined. An invalid number is left to the server, which rejects it. */
export async function portProblem(port, host) {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) return undefined;
  const code = await listenError(Number(port), host);
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program. Stop that program, or set PORT to a free port.`;
  if (code === 'EACCES') return `PORT ${port} is not allowed for this user. Set PORT to a port above 1023.`;
  return undefined;
}

/** Returns the first port from this one on without a listener, neither on the network nor on the loopback interface. */
export async function freePort(first, host) {
  for (let port = first; port < first + 100; port += 1) if (await isFree(port, new Set([host, '127.0.0.1', '::1']))) return port;
  return undefined;
}

/** Checks one address after the other, because a probe on all addresses would block one on a single address. */
async function isFree(port, addresses) {
  for (const address of addresses) {
    const code = await listenError(port, address);
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
  }
  return true;
}

/** Returns the error code of an attempt to listen, or undefined. */
function listenError(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }) => resolve(code));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

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
