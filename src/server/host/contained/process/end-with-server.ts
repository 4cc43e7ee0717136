import { Worker } from 'node:worker_threads';

/** Source of a thread that ends the process once its parent is gone. It runs beside the code of the plugin, which may never return. */
const source = `
const parent = process.ppid;
const isAlive = () => {
  try {
    process.kill(parent, 0);
    return process.ppid === parent;
  } catch {
    return false;
  }
};
setInterval(() => isAlive() || process.kill(process.pid, 'SIGKILL'), 1000);
`;

/** Ends this process with the server that has started it, even in an endless loop. */
export const endWithServer = (): void => new Worker(source, { eval: true }).unref();
