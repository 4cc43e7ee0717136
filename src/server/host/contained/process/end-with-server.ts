import { Worker } from 'node:worker_threads';

/** Source of a thread that ends the process once its parent is gone. It runs beside the code of the plugin, which may never return. */
const source = `
const { workerData: parent } = require('node:worker_threads');
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

/**
 * Ends this process with the server that has started it, even in an endless loop that begins at once: the id of the server is read before it can be gone, and without
 * the options of the process the thread is no ES module, which would wait for the main thread.
 */
export const endWithServer = (): void => new Worker(source, { eval: true, execArgv: [], workerData: process.ppid }).unref();
