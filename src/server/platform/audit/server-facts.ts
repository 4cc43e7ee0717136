import { hostname, networkInterfaces } from 'node:os';

/** Fields about the server that every log entry carries. */
export interface ServerFacts {
  readonly serviceId: string;
  readonly serverHost: string;
  readonly serverIp: string;
  readonly env: string;
}

/** Returns the facts of this process. */
export function serverFacts(environment: string): ServerFacts {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const address = addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
  return { serviceId: 'marquee', serverHost: hostname().slice(0, 255), serverIp: address, env: environment };
}
