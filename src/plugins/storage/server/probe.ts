import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ObjectStore, readAll } from '#server';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { type OssVerdict, probeMessages, probeSteps } from '../contract.ts';
import { reasonOf } from './s3-failures.ts';

/** Result of a test: the number of passed steps and the error of the next one. */
export interface ProbeResult {
  readonly passed: number;
  readonly reason: LocalizedText | undefined;
}

/** Writes, reads and removes a small object, and stops at the first failure. */
export async function probe(open: () => Promise<ObjectStore>): Promise<ProbeResult> {
  const key = randomBytes(16).toString('hex');
  const content = randomBytes(64);
  let passed = 0;
  try {
    const store = await open();
    await store.put(key, Readable.from([content], { objectMode: false }));
    passed = 1;
    const read = await readAll(await store.open(key));
    if (!read.equals(content)) return { passed, reason: probeMessages.changed };
    passed = 2;
    await store.remove(key);
    if ((await store.size(key)) !== undefined) return { passed, reason: probeMessages.forbidden };
    return { passed: 3, reason: undefined };
  } catch (error) {
    return { passed, reason: reasonOf(error) };
  }
}

/** Converts the result for display. */
export function verdictOf({ passed, reason }: ProbeResult, language: Language): OssVerdict {
  const steps = Object.values(probeSteps).map((title, index) => {
    const state = index < passed ? 'passed' : index === passed ? 'failed' : 'skipped';
    const detail = state === 'passed' ? probeMessages.passed : state === 'failed' && reason ? reason : probeMessages.skipped;
    return { title: localize(title, language), state, detail: localize(detail, language) } as const;
  });
  return { works: reason === undefined, steps };
}
