/** Finds out which ports of this machine are free. Node built-ins alone, so it runs on a fresh clone. */
import { createServer } from 'node:net';

/** A sentence when a server could not listen on the port that was asked for, else nothing. An invalid number is left to the server, which refuses it. */
export async function portProblem(port, host) {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) return undefined;
  const code = await listenError(Number(port), host);
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program: stop that program, or set PORT to a free port.`;
  if (code === 'EACCES') return `PORT ${port} is not open to this user: set PORT to one above 1023.`;
  return undefined;
}

/** The first port from this one on that nothing listens on, neither for the network nor on this machine alone. */
export async function freePort(first, host) {
  for (let port = first; port < first + 100; port += 1) if (await isFree(port, new Set([host, '127.0.0.1', '::1']))) return port;
  return undefined;
}

/** One address after the other: a probe on all addresses would be in the way of one on this machine. */
async function isFree(port, addresses) {
  for (const address of addresses) {
    const code = await listenError(port, address);
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
  }
  return true;
}

/** The code of the error that listening ends with, or nothing. */
function listenError(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }) => resolve(code));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
