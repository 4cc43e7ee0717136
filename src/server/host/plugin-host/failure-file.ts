import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FailureRecord, FailureStorage } from '#shared/crash-loop-guard';
import type { Log } from '../../base/log.ts';

/** Stores the failures of plugins in a file that is written at each change, so that a plugin that ends the process is identified. */
export const failureFile = (file: string, log: Log): FailureStorage => ({
  read() {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as FailureRecord;
    } catch {
      return undefined;
    }
  },
  write(record) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(record));
    } catch (error) {
      log.warn({ err: error, file }, 'could not store plugin start failures; a plugin that crashes the server will not be skipped');
    }
  },
});

/** Stores the failures of one process only: in development each start has other code, which failures before say nothing about. */
export function failuresOfProcess(): FailureStorage {
  let stored: FailureRecord | undefined;
  return {
    read: () => stored,
    write(record) {
      stored = record;
    },
  };
}
