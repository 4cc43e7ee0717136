import dgram from 'node:dgram';
import net from 'node:net';
import type { SystemLogEntry } from '../../../platform/audit/system-log.ts';

/** Globals that reach beyond the process. */
const removed = ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'Worker', 'navigator', 'XMLHttpRequest'];

const refuse = (name: string) => () => {
  throw new Error(`A contained plugin may not use ${name}.`);
};

/**
 * Takes away what the code of a plugin must not reach, before it is loaded. Files, processes and add-ons are closed by the permission model of Node.js already; sockets
 * are not in every supported version, so that their prototypes refuse too.
 */
export function lockDown(log: (entry: SystemLogEntry) => void): void {
  for (const name of removed) Reflect.deleteProperty(globalThis, name);
  Object.assign(net.Socket.prototype, { connect: refuse('sockets') });
  Object.assign(net.Server.prototype, { listen: refuse('sockets') });
  Object.assign(dgram.Socket.prototype, { bind: refuse('sockets'), connect: refuse('sockets'), send: refuse('sockets') });
  const line = (level: SystemLogEntry['level']) => (message: unknown) => log({ level, event: 'plugin:console', data: String(message).slice(0, 1000) });
  const console = Object.freeze({ log: line('info'), info: line('info'), debug: line('info'), warn: line('warn'), error: line('error') });
  const process = Object.freeze({ env: Object.freeze({}), platform: '', nextTick: queueMicrotask, emitWarning: () => undefined });
  for (const [name, value] of Object.entries({ console, process })) Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
}
